import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { plantedStore } from './support/planted-store.ts'
import { shell } from './support/run-cli.ts'

/** What is different each time. */
const steady = (text: string) =>
  text
    .replaceAll(/^still running: .*\n/gm, '')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\b[0-9a-f]{32}\b/g, '<fingerprint>')
    .replaceAll(/birth\.(\d+)\.\w+/g, 'birth.$1.<nonce>')
    .replaceAll(/\b[0-9a-f]{12}\.(\d+)\.[0-9a-f]{12}\b/g, '<birth>.$1.<nonce>')
    .replaceAll(/unforget \d\S+, Node \S+, \w+ \w+,/g, '<versions>')
    .replaceAll(/ in \d+\.\d s:/g, ' in <time>:')
    .replaceAll(/^(\w+ +\S+\/\S+) {2}\d+\.\d s$/gm, '$1  <time>')
    .replaceAll(/\b\d{13}\b/g, '<time>')
    .replaceAll(/checksum=-?\d+/g, 'checksum=<checksum>')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '<time>')

test('every command of docs/cli.md prints what the page says, one after the other', async () => {
  const page = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const runs = blocks.flatMap((block) => block.split(/^\$ /m).slice(1))
  expect(runs.length).toBeGreaterThan(20)
  const { cwd } = await plantedStore({ withHostile: false })
  for (const run of runs) {
    const [line = '', ...output] = run.split('\n')
    const { stdout, stderr } = await shell(line, { cwd })
    expect(steady(stdout + stderr), line).toBe(steady(output.join('\n').replace(/\n+$/, '\n')))
  }
})
