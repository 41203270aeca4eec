import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runnerNamed } from './support/runners.ts'
import { sampleProject } from './support/sample-project.ts'

const vitest = runnerNamed('vitest')
const plain = `import { test } from 'vitest'\ntest('adds', () => {})\n`

test('files that share a worker are each asked for what they left', async () => {
  const command = [...vitest.command, '--no-isolate', '--no-file-parallelism']
  const { folder, runTests } = await sampleProject({ ...vitest, command })
  const files = ['memory', 'other', 'apart']
  const goldens = join(folder, '__goldens__')
  const first = await runTests({ files: ['memory', 'other'] })
  expect(first.code, first.said).toBe(0)
  cpSync(join(goldens, 'other.test.js.goldens'), join(goldens, 'apart.test.js.goldens'), { recursive: true })
  writeFileSync(join(folder, 'other.test.js'), `import './fixtures.js'\n${plain}`)
  writeFileSync(join(folder, 'apart.test.js'), plain)

  const filtered = await runTests({ files, args: [vitest.filter('adds')] })
  expect(filtered, filtered.said).toMatchObject({ code: 0, counts: { obsolete: 0 } })

  const warned = await runTests({ files })
  expect(warned, warned.said).toMatchObject({ code: 0, counts: { obsolete: 1 } })
  expect(warned.said).toContain('goldens: 1 obsolete. No test of other.test.js used them')

  for (const [name, text] of Object.entries(vitest.setup.files)) writeFileSync(join(folder, name), text)
  const refused = await runTests({ files, args: vitest.setup.args, env: { CI: 'true' } })
  expect(refused, refused.said).toMatchObject({ code: 1, counts: { obsolete: 2 } })
  expect(refused.said).toContain('goldens: 1 obsolete. No test of apart.test.js used them')
})
