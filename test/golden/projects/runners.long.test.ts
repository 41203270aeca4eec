import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findGoldens, findOrphans, findPending } from '../../../src/golden/files/golden-files.ts'
import { lookAtFolder } from '../../support/look-at-folder.ts'
import { runners } from './support/runners.ts'
import { sampleProject } from './support/sample-project.ts'

const nothing = { written: 0, updated: 0, failed: 0, obsolete: 0, removed: 0 }
const changing = ['memory', 'other']
const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n')
const times = (text: string, part: string) => text.split(part).length - 1

describe.each(runners)('$name', (runner) => {
  test('keeps to the decision table', async () => {
    const { folder, runTests } = await sampleProject(runner)
    const goldenOf = (name: string) =>
      findGoldens(folder).find((golden) => new RegExp(`/${name}-[0-9a-f]{8}.sqlite$`).test(golden)) ?? ''
    const goldens = runner.retries ? 15 : 13
    const look = async () => [
      ...(await lookAtFolder(join(folder, '__goldens__', 'memory.test.js.goldens'))),
      ...(await lookAtFolder(join(folder, '__goldens__', 'other.test.js.goldens'))),
    ]

    const first = await runTests({ env: { TOGETHER: 'yes' } })
    expect(first.code, first.said).toBe(0)
    expect(first.counts).toEqual({ ...nothing, written: goldens })
    expect(findGoldens(folder)).toHaveLength(goldens)
    expect(linesOf(join(folder, 'seeds.log'))).toHaveLength(1)
    expect(new Set(linesOf(join(folder, 'workers.log'))).size).toBeGreaterThan(1)

    const made = await look()
    const again = await runTests({ env: { CI: 'true', WOBBLE: 'yes' } })
    expect(again.code, again.said).toBe(0)
    expect(again.counts).toEqual(nothing)
    expect(await look()).toEqual(made)

    const red = await runTests({ files: changing, env: { SAID: 'my name is Li', FAIL: 'yes' } })
    expect(red.code).toBe(1)
    expect(red.counts).toEqual({ ...nothing, failed: 1 })
    expect(red.said).toMatch(/table messages: 1 row changed\s+~ n=3\s+text {2}'my name is Wang' → 'my name is Li'/)
    expect(times(red.said, 'does not match its golden')).toBe(1)
    expect(times(red.said, 'Error: the body failed') + times(red.said, "error: 'the body failed'")).toBeLessThan(2)
    expect(red.said).toContain('Two tests of memory.test.js are named "twin"')
    expect(findPending(folder)).toEqual([{ golden: goldenOf('the-memory-remembers'), pending: expect.any(String) }])
    expect(await look()).toEqual(expect.arrayContaining(made))
    expect(await look()).toHaveLength(made.length + 2)

    const filtered = await runTests({
      files: changing,
      args: [...runner.update.args, runner.filter('remembers')],
      env: { ...runner.update.env, SAID: 'my name is Li', DROP: 'yes' },
    })
    expect(filtered.code, filtered.said).toBe(0)
    expect(filtered.counts).toEqual({ ...nothing, updated: 1 })
    expect(filtered.said).not.toContain('dropped')
    expect(findPending(folder)).toEqual([])
    expect(existsSync(goldenOf('dropped'))).toBe(true)

    const env = { SAID: 'my name is Li', DROP: 'yes' }
    const updated = await look()
    const warned = await runTests({ files: changing, env })
    expect(warned.code, warned.said).toBe(0)
    expect(warned.counts).toEqual({ ...nothing, obsolete: runner.warnsInSummary ? 1 : 0 })
    expect(warned.said).toMatch(/goldens: 1 obsolete\. No test of memory\.test\.js used them.*\n.*dropped-\w+\.sqlite/)
    expect(warned.said).not.toMatch(/is-skipped-later|has-tests/)

    const refused = await runTests({ files: changing, env: { ...env, NEW: 'yes', CI: 'true' } })
    expect(refused.code).toBe(1)
    expect(refused.counts).toEqual({ ...nothing, failed: 1, obsolete: 1 })
    expect(refused.said).toMatch(/No test of memory\.test\.js used them/)
    expect(refused.said).toMatch(/has no golden at __goldens__\/other\.test\.js\.goldens\/new-\w+\.sqlite/)
    expect(await look()).toEqual(updated)

    const pruned = await runTests({ files: changing, args: runner.update.args, env: { ...env, ...runner.update.env } })
    expect(pruned.code, pruned.said).toBe(0)
    expect(pruned.counts).toEqual({ ...nothing, removed: 1 })
    expect(goldenOf('dropped')).toBe('')
    expect(await look()).toHaveLength(updated.length - 2)
  })

  test('finds what a file left whose tests ask for no golden any more', async () => {
    const { folder, runTests } = await sampleProject(runner)
    const files = ['other']
    const plain = `import { test } from '${runner.module}'\ntest('adds', () => {})\ntest('starts from nothing', () => {})\n`
    const rewrite = (text: string) => writeFileSync(join(folder, 'other.test.js'), text)
    const filtered = () =>
      runTests({ files, args: [...runner.update.args, runner.filter('adds')], env: runner.update.env })
    await runTests({ files })
    expect(findGoldens(folder)).toHaveLength(1)
    expect(findOrphans(folder)).toEqual([])

    rewrite(plain)
    expect(await runTests({ files, env: { CI: 'true' } })).toMatchObject({ code: 0, counts: nothing })
    expect(findOrphans(folder)).toEqual(findGoldens(folder))
    for (const [name, text] of Object.entries(runner.setup.files)) writeFileSync(join(folder, name), text)
    const refused = await runTests({ files, args: runner.setup.args, env: { CI: 'true' } })
    expect(refused.said).toContain('goldens: 1 obsolete. No test of other.test.js used them')
    expect(refused).toMatchObject({ code: 1, counts: { ...nothing, obsolete: 1 } })

    rewrite(`import './fixtures.js'\n${plain}`)
    expect(findOrphans(folder)).toEqual([])
    expect(await filtered()).toMatchObject({ code: 0, counts: nothing })
    for (const { args = [], ...selection } of runner.selections('other', 3)) {
      const options = { ...selection, args: [...args, ...runner.update.args], env: runner.update.env }
      const selected = await runTests(options)
      expect(selected, selected.said).toMatchObject({ code: 0, counts: nothing })
    }
    const warned = await runTests({ files })
    expect(warned.said).toContain('goldens: 1 obsolete. No test of other.test.js used them')
    expect(warned).toMatchObject({ code: 0, counts: { ...nothing, obsolete: runner.warnsInSummary ? 1 : 0 } })
    expect(findGoldens(folder)).toHaveLength(1)
    const pruned = await runTests({ files, args: runner.update.args, env: runner.update.env })
    expect(pruned).toMatchObject({ code: 0, counts: { ...nothing, removed: 1 } })
    expect(existsSync(join(folder, '__goldens__'))).toBe(false)
  })
})
