import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { WriterTask } from './writer.ts'

const module = fileURLToPath(new URL('./writer.ts', import.meta.url))

/** Runs the writer under the recorder. `settings` are those of recorder.c. Rejects unless it ends by itself. */
export async function runWriter(
  library: string,
  task: WriterTask,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', module, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: 60_000,
    env: { ...process.env, LD_PRELOAD: library, CHAOS_PATH: task.file, CHAOS_MARKS: task.marks, ...settings },
  })
  let stderr = ''
  child.stderr?.on('data', (data) => {
    stderr += data
  })
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the writer ended with ${code ?? signal}: ${stderr}`)
}
