import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { renderTable } from '../../src/cli/terminal/table.ts'
import { cut, pad, widthOf, wrap } from '../../src/cli/terminal/text-layout.ts'
import { visibleJson } from '../../src/cli/terminal/visible-json.ts'
import { visibleLine } from '../../src/plain/visible-text.ts'
import { plantedStore } from './support/planted-store.ts'
import { hasTerminal, startOnTerminal } from './support/run-cli.ts'

const family = '👨‍👩‍👧‍👦'

describe('text', () => {
  test('is as wide as it is seen', () => {
    for (const [text, width] of [
      ['abc', 3],
      ['王小明', 6],
      [family, 2],
      ['🇺🇳', 2],
      ['e\u0301', 1],
      ['한국어', 6],
      ['ﾊﾝｶｸ', 4],
    ] as const) {
      expect(widthOf(text), text).toBe(width)
    }
  })

  test('is cut between two characters, never inside one', () => {
    expect(cut('王小明', 6)).toBe('王小明')
    expect(cut('王小明', 5)).toBe('王小…')
    expect(cut('王小明', 4)).toBe('王…')
    expect(cut(`${family}${family}`, 3)).toBe(`${family}…`)
    expect(cut('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…')
    expect(cut('abc', 0)).toBe('')
    expect(pad('王', 4)).toBe('王  ')
    expect(pad('7', 3, 'right')).toBe('  7')
  })

  test('is wrapped at spaces, or anywhere where there is none', () => {
    expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox'])
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
    expect(wrap('我住在北京市', 5)).toEqual(['我住', '在北', '京市'])
    expect(wrap('abcd efgh', 4)).toEqual(['abcd', 'efgh'])
    expect(wrap('', 4)).toEqual([''])
    expect(wrap(`${family}${family}`, 1)).toEqual([family, family])
  })

  test('shows what would not be seen', () => {
    expect(visibleLine('a\x1b[31m\u202e\u200b\ud800\u2028\x7f\u009b')).toBe(
      'a\\x1b[31m\\u{202e}\\u{200b}\\u{d800}\\u{2028}\\x7f\\x9b',
    )
    expect(visibleLine('\n\r\t')).toBe('\\n\\r\\t')
    expect(visibleLine(`${family} 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم`)).toBe(`${family} 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم`)
    const value = { text: '\u009b\u202e\u2028\u{e0001}\x7f', list: [1] }
    expect(JSON.parse(visibleJson(value, 2))).toEqual(value)
    expect(visibleJson(value)).toBe('{"text":"\\u009b\\u202e\\u2028\\udb40\\udc01\\u007f","list":[1]}')
  })
})

test('a table narrows the widest column, and becomes blocks where that is not enough', () => {
  const columns = [
    { title: 'name', least: 6 },
    { title: 'n', align: 'right' as const },
  ]
  const rows = [
    ['王小明王小明', '1'],
    ['short', '1,000'],
  ]
  const render = (width: number) => renderTable(columns, rows, width, (text) => text)
  expect(render(19)).toBe('name              n\n王小明王小明      1\nshort         1,000\n')
  expect(render(14)).toBe('name         n\n王小明…      1\nshort    1,000\n')
  expect(render(12)).toBe('name  王小明\n      王小明\nn     1\n\nname  short\nn     1,000\n')
})

describe.skipIf(!hasTerminal).each([40, 60, 80, 120])('on a terminal of %i columns', (columns) => {
  test.each([
    ['sessions', 'agent.db'],
    ['snapshots', 'agent.db', 'user-42'],
    ['stats', 'agent.db'],
    ['history', 'agent.db', 'user-42', '--all'],
    ['history', 'agent.db', '会话 🐟'],
    ['rollback', 'agent.db', 'user-42', 'before', '--yes'],
  ])('%s %s %s fits', async (...args) => {
    const { cwd } = await plantedStore()
    const { stdout, code } = await startOnTerminal(args.filter(Boolean), { cwd }, columns).ended
    expect(code).toBe(0)
    const lines = stdout.split('\r\n').filter((line) => !line.startsWith('rolled back'))
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(columns)
  })
})
