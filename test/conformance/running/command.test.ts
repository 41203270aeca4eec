import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Report } from 'unforget/conformance'
import { describe, expect, test } from 'vitest'
import { hasTerminal, startOnTerminal, unforget } from '../../cli/support/run-cli.ts'
import { lookAtFolder } from '../../support/look-at-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { moduleOf, storeModule, storeWith } from './support/store-module.ts'

const clearing = 'clearing.1/empty-and-goes-on'
const forgets = () => storeWith('getHistory: async (id) => (await sound.getHistory(id)).slice(1)')

describe('unforget prove', () => {
  test('prints a matrix level by level and exits with 0 where everything offered holds', async () => {
    const { cwd, file } = await storeModule()
    const { stdout, stderr, code } = await unforget(['prove', file, '--level', 'core', '--level', 'snapshots'], { cwd })
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout).toMatch(/\n\nmy store {2}unforget \d+\.\d+\.\d+, Node \S+, \S+ \S+, seed \d+\n/)
    expect(stdout).toMatch(/\ncore +21 of 23 offered, 21 hold +21 +0 +2\nsnapshots +not offered +0 +0 +\d+\n/)
    expect(stdout).toMatch(/\n {2}core +does not declare ttl\n {2}snapshots +has no /)
    expect(stdout).toMatch(/\n21 cases of \d+ run in \S+ s: everything offered holds\n$/)
  })

  test('tells of a broken clause what was expected, what was seen and how to see it again, and exits with 1', async () => {
    const { cwd, file } = await forgets()
    const { stdout, stderr, code } = await unforget(['prove', file, '--case', clearing, '--seed', '7'], { cwd })
    expect({ stderr, code }).toEqual({ stderr: '', code: 1 })
    const told = stdout.replaceAll(/\s+/g, ' ')
    const contract = await readFile(new URL('../../../docs/contract.md', import.meta.url), 'utf8')
    const [, sentence = ''] = /^- \*\*clearing\.1\*\* (.*)$/m.exec(contract) ?? []
    for (const part of [`broken ${clearing}`, `clause clearing.1: ${sentence}`, 'expected 1 seen 0', 'its calls']) {
      expect(told).toContain(part)
    }
    const [, alone = ''] = /\n {2}alone +npx unforget (.*)\n/.exec(stdout) ?? []
    expect(alone).toBe(`prove ./my-store.mjs --case ${clearing} --seed 7`)
    expect(stdout).toMatch(
      /: 1 case failed\n\nbroken clauses\n {2}clearing\.1 {2}npx unforget prove \.\/my-store\.mjs --case clearing\.1 --seed 7\n$/,
    )
    const again = await unforget(alone.split(' '), { cwd })
    const steady = (text: string) => text.replaceAll(/^still running: .*\n|\d+\.\d s/gm, '')
    expect(steady(again.stdout)).toBe(steady(stdout))
  })

  test('a case that hung is not finished, with its own exit code, and one that ended its process is broken', async () => {
    const hangs = await storeWith('clear: () => new Promise(() => {})')
    const args = ['prove', hangs.file, '--case', clearing, '--seed', '1', '--deadline', '1', '--html', 'report.html']
    const hung = await unforget(args, { cwd: hangs.cwd })
    expect(hung.code).toBe(4)
    expect(hung.stdout).toMatch(/\ncore +not finished +0 +0 +1 +0\n/)
    expect(hung.stdout).toContain(`\nnot finished  ${clearing}\n`)
    expect(hung.stdout).toMatch(/happened +did not end within 1 s: clear\(/)
    expect(hung.stdout).toMatch(/\n1 case of 1 run in \S+ s: 1 case did not finish; no clause is known to be broken\n/)
    expect(hung.stdout).toContain(
      '\n\nnot finished\n  clearing.1  npx unforget prove ./my-store.mjs --case clearing.1 --seed 1 --deadline 10\n',
    )
    expect(hung.stdout).not.toContain('broken  ')
    const page = await readFile(join(hangs.cwd, 'report.html'), 'utf8')
    expect(page).toContain('<td class="late">not finished</td>')
    expect(page).toContain('<h2>Not finished</h2>')
    expect(page).not.toContain('<h2>Broken clauses</h2>')
    const exits = await storeWith('clear: () => process.exit(4)')
    const died = await unforget(['prove', exits.file, '--case', clearing], { cwd: exits.cwd })
    expect(died.code).toBe(1)
    expect(died.stdout).toMatch(/happened +the process ended with exit code 4: a store must not end/)
  })

  test('exits with 2 and one sentence where the store cannot be opened', async () => {
    const throws = await moduleOf('export default { name: "x", open() { throw new Error("no\\u001b[31m server") } }')
    for (const [args, sentence] of [
      [[throws.file], 'the store could not be opened: open rejected with Error: no\\x1b[31m server'],
      [['./none.mjs'], 'there is no file ./none.mjs'],
      [
        ['agent.db'],
        '"agent.db" is neither a module (.js, .mjs, .ts, .mts) nor a URL such as sqlite:agent.db, redis://127.0.0.1, postgres://127.0.0.1/agents or memory:',
      ],
      [['mysql://localhost'], '"mysql://localhost" is neither a module'],
      [
        ['redis://:secret@127.0.0.1:1'],
        'the store could not be opened: open rejected with MemoryStoreBackendError (CANNOT_OPEN): Redis at 127.0.0.1:1 cannot be opened',
      ],
      [
        ['postgres://me:secret@127.0.0.1:1/agents'],
        'the store could not be opened: open rejected with MemoryStoreBackendError (CANNOT_OPEN): ',
      ],
      [['sqlite:'], '"sqlite:" names no file'],
      [['sqlite:nowhere/agent.db'], 'there is no folder '],
      [[], 'nothing to prove: pass a module, a store URL, or --goldfish'],
      [['memory:', '--goldfish', 'x'], 'pass either a store or --goldfish, not both'],
      [['--goldfish', 'shark'], 'there is no goldfish named "shark"; unforget goldfish lists them'],
      [['memory:', '--case', 'dreams.1'], 'there is no case and no clause "dreams.1"'],
      [['memory:', '--level', 'dream'], "option '--level <level>' argument 'dream' is invalid: expected one of core,"],
      [['memory:', '--seed', 'x'], "option '--seed <n>' argument 'x' is invalid: expected a whole number"],
      [['memory:', '--deadline', '0'], "option '--deadline <seconds>' argument '0' is invalid: expected seconds"],
      [['memory:', '--case', clearing, '--html', 'nowhere/report.html'], 'the page could not be written: '],
    ] as const) {
      const { stdout, stderr, code } = await unforget(['prove', ...args], { cwd: throws.cwd })
      expect({ stdout: stdout.replaceAll(/^(passed|still running:) .*\n/gm, ''), code }, args.join(' ')).toEqual({
        stdout: '',
        code: 2,
      })
      expect(stderr).toContain(`unforget: ${sentence}`)
      expect(stderr).not.toContain('secret')
      expect(stderr.split('\n').length, stderr).toBe(2)
    }
  })

  test('exits with 2 where nothing is offered, and with 3 where the fault is not the store’s', async () => {
    const { cwd, file } = await storeModule()
    const nothing = await unforget(['prove', file, '--level', 'snapshots'], { cwd })
    expect(nothing.code).toBe(2)
    expect(nothing.stdout).toContain('nothing was proved: the store qualifies for none of these cases')
    const env = { TMPDIR: join(cwd, 'nowhere') }
    const kit = await unforget(['prove', file], { cwd, env })
    expect({ stdout: kit.stdout, code: kit.code }).toEqual({ stdout: '', code: 3 })
    expect(kit.stderr).toMatch(
      /^unforget: no folder for the memories could be made: .*\nunforget: .*not of the store\n$/,
    )
  })

  test('--json prints the report', async () => {
    const { cwd, file } = await forgets()
    const { stdout, code } = await unforget(['prove', file, '--case', 'clearing.1', '--seed', '7', '--json'], { cwd })
    expect(code).toBe(1)
    const report = JSON.parse(stdout) as Report
    expect(report).toMatchObject({
      store: { name: 'my store', target: './my-store.mjs', capabilities: [] },
      seed: 7,
      deadline: 20_000,
      verdict: 'broken',
      notes: [],
    })
    expect(report.levels[0]).toEqual({
      level: 'core',
      offered: true,
      cases: 1,
      passed: 0,
      failed: 1,
      notFinished: 0,
      notOffered: 0,
      kitFailed: 0,
      missing: [],
    })
    const found = report.cases.find(({ id }) => id === clearing)
    expect(found).toMatchObject({ clause: 'clearing.1', level: 'core', status: 'failed', missing: [] })
    expect(found?.failure?.kind).toBe('broken')
    expect(report.cases.every(({ clause }) => clause === 'clearing.1')).toBe(true)
  })

  test('a SQLite URL is proved on new files next to the file, which is not touched', async () => {
    const cwd = await temporaryFolder()
    await writeFile(join(cwd, 'agent.db'), 'precious')
    const before = await lookAtFolder(cwd)
    const { stdout, code } = await unforget(['prove', 'sqlite:agent.db', '--case', clearing], { cwd })
    expect(code).toBe(0)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'in the folder of agent.db, which were removed; the file itself was not',
    )
    expect(await lookAtFolder(cwd)).toEqual(before)
    expect((await unforget(['prove', 'memory:', '--case', clearing], { cwd })).code).toBe(0)
  })

  test('nothing that a store says acts on a terminal, and what is piped has no control characters', async () => {
    const hostile = await storeWith('clear: async () => { throw new Error("\\u001b[2J\\u202e\\u0007<b>") }')
    await writeFile(
      join(hostile.cwd, 'my-store.mjs'),
      await readFile(hostile.url, 'utf8').then((code) => code.replace('my store', '\\u001b]0;owned\\u0007')),
    )
    const { stdout } = await unforget(['prove', hostile.file, '--case', clearing], { cwd: hostile.cwd })
    expect(stdout).toContain('\\x1b[2J\\u{202e}\\x07<b>')
    expect(stdout).toMatch(/^\\x1b\]0;owned\\x07 {2}unforget/m)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  })

  test.skipIf(!hasTerminal)(
    'shows on a terminal which case is run, and ends with Ctrl-C leaving nothing behind',
    async () => {
      const { cwd, file } = await storeWith(
        'clear: () => { process.getBuiltinModule("node:fs").writeFileSync("pid", String(process.pid)); for (;;); }',
      )
      const temporary = await temporaryFolder()
      const running = startOnTerminal(['prove', file, '--case', clearing], { cwd, env: { TMPDIR: temporary } }, 120)
      await running.says(/proving \[[#.]{20}\] core 0\/1: clearing\.1\/empty-and-goes-on 1 s/)
      const pid = Number(await readFile(join(cwd, 'pid'), 'utf8'))
      expect(process.kill(pid, 0)).toBe(true)
      running.child.stdin.write('\x03')
      expect((await running.ended).code).toBe(130)
      expect(() => process.kill(pid, 0)).toThrow('ESRCH')
      expect(await readdir(temporary)).toEqual([])
    },
  )
})

test('--html writes one page that loads nothing, in which what the store says is text', async () => {
  const hostile = await storeModule(`definition.name = '<script>alert(1)</script>'
definition.open = (request) => ({ ...openSound(request), clear: async () => { throw new Error('"><img src=x onerror=alert(2)>') } })`)
  const { code } = await unforget(['prove', hostile.file, '--level', 'core', '--html', 'report.html'], {
    cwd: hostile.cwd,
  })
  expect(code).toBe(1)
  const page = await readFile(join(hostile.cwd, 'report.html'), 'utf8')
  const [, script = ''] = /<script>([\s\S]*)<\/script>\n<\/body>/.exec(page) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'"`)
  expect(page).toContain('<meta name="viewport"')
  expect(page).toContain('prefers-color-scheme: dark')
  expect(page).toContain('@media print')
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).not.toMatch(/<(img|link|iframe)|\ssrc=(?!x)|\shref="(?!#)|url\(|@import|https?:/i)
  const anchors = [...page.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor)
  expect(anchors).toContain('clearing.1-empty-and-goes-on')
  for (const anchor of anchors) expect(page).toContain(`id="${anchor}"`)
  expect(page).toContain('<h2>Broken clauses</h2>')
  expect(page.match(/<button type="button" data-copy>/g)?.length).toBeGreaterThan(3)
  expect(page).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
  expect(page).toContain('&#34;&#62;&#60;img src=x onerror=alert(2)&#62;')
  expect(page.match(/<tr><td class="mark/g)?.length).toBe(23)
  expect(page).toContain(`npx unforget prove ./my-store.mjs --case ${clearing}`)
})

describe('unforget goldfish', () => {
  test('lists what is broken on purpose, and prove shows what that looks like', async () => {
    const cwd = await temporaryFolder()
    const { stdout, stderr, code } = await unforget(['goldfish'], { cwd })
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout).toMatch(/^snapshots\n/m)
    expect(stdout).toContain('  rollback-wipes-the-snapshots  breaks snapshots.2\n    A refactored rollback')
    const { goldfish } = JSON.parse((await unforget(['goldfish', '--json'], { cwd })).stdout) as {
      goldfish: { name: string; breaks: string[]; story: string; seen: string | null }[]
    }
    for (const { name, breaks, story, seen } of goldfish) {
      expect(stdout).toContain(`  ${name}  breaks ${breaks.join(', ')}\n`)
      expect(story).not.toBe('')
      if (seen !== null) expect(stdout.replaceAll(/\s+/g, '')).toContain(seen.replaceAll(/\s+/g, ''))
    }
    const proved = await unforget(['prove', '--goldfish', 'rollback-wipes-the-snapshots', '--case', 'snapshots.2'], {
      cwd,
    })
    expect(proved.code).toBe(1)
    expect(proved.stdout).toMatch(
      /alone +npx unforget prove --goldfish rollback-wipes-the-snapshots --case snapshots\.2\//,
    )
  })
})
