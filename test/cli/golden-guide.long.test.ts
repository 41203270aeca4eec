import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { packedProject } from '../support/packed-project.ts'
import { shell } from './support/run-cli.ts'

const page = readFileSync(new URL('../../docs/golden-databases.md', import.meta.url), 'utf8')

/** What is different each time. */
const steady = (text: string) =>
  stripVTControlCharacters(text)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/ \d+ms$/gm, '')
    .split('\n')
    .map((line) => line.trimEnd())

/** The project's own commands, at once and on a machine of any speed. */
const npx =
  'npx() { case $1 in vitest) ./node_modules/.bin/"$@" --testTimeout 50000;; *) ./node_modules/.bin/"$@";; esac; }'

test('docs/golden-databases.md leads from nothing to a green test, a red one and a review', async () => {
  const files = [...page.matchAll(/^`([\w.]+)` [^\n]*\n\n```text\n(.*?)^```$/gms)]
  const named = files.map(([, name = '', code = '']) => [name, code] as const)
  expect(named.map(([name]) => name)).toEqual(['memory.ts', 'steps.ts', 'memory.test.ts'])
  const cwd = await packedProject({ also: ['vitest', 'tsx'], files: Object.fromEntries(named) })
  symlinkSync(join('..', 'vitest', 'vitest.mjs'), join(cwd, 'node_modules', '.bin', 'vitest'))

  const blocks = [...page.matchAll(/^```(console|text)\n(.*?)^```$/gms)].map(([, kind, block = '']) => ({
    kind,
    block,
  }))
  const runs: string[] = []
  for (const { kind, block } of blocks) {
    if (kind === 'text') applyEdit(cwd, block)
    for (const run of kind === 'console' ? block.split(/^\$ /m).slice(1) : []) {
      const [line = '', ...told] = run.split('\n')
      const env = { NO_COLOR: '1', SNAPSHOT_UPDATE: '', VITEST: '', NODE_ENV: '' }
      const { stdout } = await shell(`${npx}; { ${line}; } 2>&1`, { cwd, env })
      expectInOrder(steady(stdout.replaceAll(cwd, '/project')), steady(told.join('\n')), line)
      runs.push(line)
    }
  }
  expect(runs.filter((line) => line === 'npx vitest run')).toHaveLength(4)
  expect(runs).toContain('npx unforget golden pending')
  expect(runs).toContain('npx unforget golden check')
})

/** A block whose lines are indented shows what to change: one of its two lines is in the file already. */
function applyEdit(cwd: string, block: string): void {
  const lines = block.trimEnd().split('\n')
  if (lines.length !== 2 || !block.startsWith('    ')) return
  for (const name of ['memory.ts', 'memory.test.ts']) {
    const code = readFileSync(join(cwd, name), 'utf8')
    const known = lines.find((line) => code.includes(line))
    if (known !== undefined)
      writeFileSync(
        join(cwd, name),
        code.replace(known, () => lines.join('\n')),
      )
  }
}

function expectInOrder(output: readonly string[], told: readonly string[], command: string): void {
  let from = 0
  for (const line of told.filter((one) => one !== '')) {
    const at = output.indexOf(line, from)
    expect(at, `${command} prints ${JSON.stringify(line)}, in\n${output.join('\n')}`).toBeGreaterThanOrEqual(from)
    from = at + 1
  }
}
