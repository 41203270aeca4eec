import { onTestFinished } from 'vitest'
import { start } from '../../cli/support/run-cli.ts'

/** Starts `unforget inspect` and returns the address of its page. */
export async function inspect(store: string, cwd: string, args: readonly string[] = []): Promise<string> {
  const running = start(['inspect', store, '--json', '--no-open', ...args], { cwd })
  onTestFinished(async () => {
    running.child.kill('SIGINT')
    await running.ended
  })
  await running.says(/\}\n/)
  return (JSON.parse(running.stdout) as { url: string }).url
}
