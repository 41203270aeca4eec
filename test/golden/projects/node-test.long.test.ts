import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findGoldens } from '../../../src/golden/files/golden-files.ts'
import { nodeMajor, runnerNamed } from './support/runners.ts'
import { sampleProject } from './support/sample-project.ts'

const nodeTest = runnerNamed('node-test')
const files = ['other']
const update = { SNAPSHOT_UPDATE: 'all' }
const imports = `
  import { spawnSync } from 'node:child_process'
  import plain from 'node:test'
  import { say } from './database.js'
  import { describe, test } from './fixtures.js'
`
const asBefore = `test('starts from the same golden', ({ snapshotDb }) => say(snapshotDb.path, 'other'))`

/** With a golden of a test of the one file that is to be run, as given. */
async function projectWith(text: string, command: readonly string[] = ['--test-reporter=tap']) {
  const project = await sampleProject({ ...nodeTest, command })
  await project.runTests({ files })
  writeFileSync(join(project.folder, 'other.test.js'), `${imports}${text}`)
  return project
}

describe('counts are in the summary', () => {
  test.each(['tap', 'spec'])('of a file, with the reporter %s', async (reporter) => {
    const { runTests } = await sampleProject({ ...nodeTest, command: [`--test-reporter=${reporter}`] })
    const first = await runTests({ files, env: { NEW: 'yes' } })
    expect(first.said).toMatch(/^. goldens 2 written\n. tests 2\n/m)
    const second = await runTests({ files })
    expect(second.said).toMatch(/^. goldens 1 passed, 1 obsolete\n. tests 1\n/m)
  })

  test('of many files, for each', async () => {
    const { runTests } = await sampleProject(nodeTest)
    const { said } = await runTests({ files: ['memory', 'other'] })
    expect(said).toMatch(/^# goldens 11 written in memory.test.js\n/m)
    expect(said).toMatch(/^# goldens 1 written in other.test.js\n1\.\.\d+\n# tests \d+\n/m)
  })

  const isolation = nodeMajor < 24 ? '--experimental-test-isolation=none' : '--test-isolation=none'
  test.runIf(nodeMajor >= 22)('of many files in one process, in sum', async () => {
    const command = ['--test', isolation, '--test-reporter=tap']
    const { folder, runTests } = await sampleProject({ ...nodeTest, command })
    const first = await runTests({ files: ['memory', 'other'] })
    expect(first.said).toMatch(/^# goldens 12 written\n# tests \d+\n/m)
    writeFileSync(join(folder, 'other.test.js'), `${imports}plain('adds', () => {})`)
    const second = await runTests({ files: ['memory', 'other'] })
    expect(second.said).toMatch(/^# goldens 11 passed, 1 obsolete\n# tests \d+\n/m)
    expect(second.said).toContain('No test of other.test.js used them')
  })
})

test('tests that are declared when others are done are awaited', async () => {
  const { folder, runTests } = await projectWith(`await plain('adds', () => {})\n${asBefore}`)
  expect((await runTests({ files, env: update })).said).toMatch(/^# goldens 1 passed\n# tests 2\n/m)
  expect(findGoldens(folder)).toHaveLength(1)
})

test('a group that cannot be read keeps its goldens', async () => {
  const { folder, runTests } = await projectWith(`
    plain('adds', () => {})
    describe('a group', () => {
      if (process.env.UNREADABLE) throw new Error('what are its tests?')
      ${asBefore}
    })
  `)
  expect(await runTests({ files, env: update })).toMatchObject({ code: 0, counts: { written: 1, removed: 1 } })
  const unreadable = await runTests({ files, env: { ...update, UNREADABLE: 'yes' } })
  expect(unreadable.said).toContain('what are its tests?')
  expect(unreadable.said).not.toContain('goldens')
  expect(findGoldens(folder)).toHaveLength(1)
})

test('a process that a test makes of its own file is none of tests', async () => {
  const { folder, runTests } = await projectWith(`
    if (process.env.IS_CHILD) console.log('the child')
    else {
      ${asBefore}
      plain('starts itself', (t) => {
        const env = { ...process.env, IS_CHILD: 'yes' }
        const { stdout } = spawnSync(process.execPath, [process.argv[1]], { env, encoding: 'utf8' })
        t.diagnostic('it said [' + stdout.trimEnd() + ']')
      })
    }
  `)
  const { said } = await runTests({ files, env: update })
  expect(said).toContain('it said [the child]')
  expect(said).toMatch(/^# goldens 1 passed\n# tests 2\n/m)
  expect(findGoldens(folder)).toHaveLength(1)
})

test('where the runner ends the process, the counts are printed', async () => {
  const { runTests } = await projectWith("plain('adds', () => {})", ['--test-force-exit', '--test-reporter=tap'])
  const { code, said } = await runTests({ files })
  expect(code, said).toBe(0)
  expect(said).toMatch(/^goldens 1 obsolete$/m)
})
