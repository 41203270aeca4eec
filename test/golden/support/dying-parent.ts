import { existsSync, readFileSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { runProcess } from '../../../src/golden/process/run-process.ts'

const { path, file } = JSON.parse(process.argv[2] ?? '') as { path: string; file: string }
const watcher = watch(dirname(file), () => {
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (pid === 0) return
  watcher.close()
  process.send?.(pid, () => process.kill(process.pid, 'SIGKILL'))
})
await runProcess(path, new URL('./steps.ts', import.meta.url), 'neverYield', file)
