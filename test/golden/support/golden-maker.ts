import { appendFileSync } from 'node:fs'
import { stopFreezer } from '../../../src/golden/freezing/freezer.ts'
import { ensureStartGolden } from '../../../src/golden/start-golden.ts'
import { write } from './database.ts'

const { path, log, dies } = JSON.parse(process.argv[2] ?? '') as { path: string; log: string; dies: boolean }
await ensureStartGolden(
  {
    path,
    seed: (at) => {
      appendFileSync(log, dies ? 'dies\n' : 'makes\n')
      if (dies) process.kill(process.pid, 'SIGKILL')
      write(at, 'CREATE TABLE t (v)')
    },
  },
  'new',
)
stopFreezer()
process.disconnect()
