import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Run {
  code: number | string | null | undefined
  stdout: string
  stderr: string
}

const demo = fileURLToPath(new URL('../../examples/demo/demo.ts', import.meta.url))
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

function runDemo(folder: string): Promise<Run> {
  const env = { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder }
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', tsx, demo], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr })
    })
  })
}

describe('the demo, piped', () => {
  let folder: string
  let run: Run

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unforget-demo-test-'))
    run = await runDemo(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('every check held', () => {
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(/^All 14 checks held\./m)
    expect(run.stdout).not.toContain('FAILED')
  })

  test('no escape codes', () => {
    expect(run.stdout).not.toContain('\u001b')
  })

  test('four processes with a pid of their own', () => {
    const named = [...run.stdout.matchAll(/^process ([A-D]) \(pid (\d+)\)/gm)].map(([, name, pid]) => `${name} ${pid}`)
    const processes = [...new Set(named)]
    expect(processes.map((each) => each.charAt(0))).toEqual(['A', 'B', 'C', 'D'])
    expect(new Set(processes.map((each) => each.slice(2))).size).toBe(4)
  })

  test.each([
    ['A', /held a conversation with a tool call, summarized it, saved the snapshot "Wang is served", exited/],
    ['B', /was killed while writing: \d+ turns acknowledged, [1-9]\d* in flight/],
    ['C', /opened the file that B left/],
    ['C', /rolled back to "Wang is served"\./],
    ['C', /rolled back the rollback/],
    ['C', /rolled back to "Wang is served" once more/],
    ['D', /listed its snapshots/],
    ['D', /verify\(\)/],
    ['D', /recall\(\)/],
  ])('process %s: %s', (name, step) => {
    const steps = run.stdout.split('\n').filter((line) => line.startsWith(`process ${name} (pid `))
    expect(steps.filter((line) => step.test(line))).toHaveLength(1)
  })

  test('the history before and after', () => {
    expect(run.stdout).toContain('the history before the rollback')
    expect(run.stdout).toContain('the history after the rollback')
    expect(run.stdout).toContain('the history at the end')
    expect(run.stdout).toContain('My name is Wang.')
    expect(run.stdout).toContain('I know nobody called Wang.')
  })

  test('the file stays where it says', () => {
    const file = /The memory stays in (.+)$/m.exec(run.stdout)?.[1] ?? ''
    expect(file.startsWith(folder)).toBe(true)
    expect(existsSync(file)).toBe(true)
  })
})
