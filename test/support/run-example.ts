import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** Runs the tests of an example as its user does. Nothing is written. */
export async function runExample(
  example: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; output: string }> {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|CI$|NODE_ENV$|FORCE_COLOR$)/.test(name))
  const env = { ...Object.fromEntries(own), ...environment, SNAPSHOT_UPDATE: 'none', NO_COLOR: '1' }
  const args = ['run', '--root', path(`examples/${example}`), '--config', path('vitest.config.ts')]
  const child = spawn(process.execPath, [path('node_modules/vitest/vitest.mjs'), ...args, '--no-cache'], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: stripVTControlCharacters(output) }
}
