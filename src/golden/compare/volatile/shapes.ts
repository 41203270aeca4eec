import { InvalidText, type SqlValue } from '../rows/values.ts'

/**
 * A column whose values change on every run. `uuid` and `random` values are replaced by numbered placeholders that keep their identity: the
 * same value is the same placeholder wherever it occurs. `time` values are replaced without one, as clocks may or may not tick in between.
 * A value of another shape stays as it is and is shown. NULL stays NULL.
 *
 * A function returns true to replace a value as `random` does, false to leave it, or the value to compare instead.
 */
export type Volatility = VolatileKind | ((value: SqlValue) => boolean | SqlValue)

export type VolatileKind = 'uuid' | 'time' | 'random'

/** By `table.column`. */
export type VolatileColumns = Readonly<Record<string, Volatility>>

/** What stands for a value: a name that is the same for all values of the shape, and whether identity is kept. */
export interface Shape {
  readonly name: string
  readonly keepsIdentity: boolean
}

/** The shape of a value in a volatile column, the value to compare in its place, or null if it stays as it is. */
export function shapeOf(value: SqlValue, volatility: Volatility): Shape | { readonly standIn: SqlValue } | null {
  if (typeof volatility === 'function') {
    const answer = volatility(value)
    if (answer === false) return null
    return answer === true ? identified('random', value) : { standIn: answer }
  }
  if (value === null || value instanceof InvalidText) return null
  if (volatility === 'random') return identified('random', value)
  if (volatility === 'uuid') return isUuid(value) ? identified('uuid', value) : null
  const format = timeFormat(value)
  return format === null ? null : { name: `time ${format}`, keepsIdentity: false }
}

/** The kind that a value looks like. */
export function guessKind(value: SqlValue): VolatileKind | null {
  if (value === null || value instanceof InvalidText) return null
  if (isUuid(value)) return 'uuid'
  if (timeFormat(value) !== null) return 'time'
  return typeof value === 'string' && /^(?=.*\d)(?=.*[A-Za-z])[\w-]{16,}$/.test(value) ? 'random' : null
}

function identified(kind: string, value: SqlValue): Shape {
  const type =
    typeof value === 'string'
      ? ''
      : ` ${typeof value === 'bigint' ? 'integer' : typeof value === 'number' ? 'real' : 'blob'}`
  return { name: `${kind}${type}`, keepsIdentity: true }
}

const uuidPattern = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[1-8][0-9a-f]{3}\1[89ab][0-9a-f]{3}\1[0-9a-f]{12}$/i

function isUuid(value: Exclude<SqlValue, null | InvalidText>): boolean {
  if (typeof value === 'string') return uuidPattern.test(value)
  if (typeof value !== 'object' || value.length !== 16) return false
  return uuidPattern.test(Buffer.from(value).toString('hex'))
}

const year2000 = 946_684_800
const year2100 = 4_102_444_800
const epochUnits: readonly (readonly [unit: string, perSecond: number])[] = [
  ['s', 1],
  ['ms', 1e3],
  ['µs', 1e6],
  ['ns', 1e9],
]
/** `String` of a number, or a REAL that SQLite converted to text. */
const textNumber = /^\d{9,19}(\.\d+)?$/
/** `toUTCString` and `toString` of a Date. */
const wordTime =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)(, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT| \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4}(?: \(.*\))?)$/
const textTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

function timeFormat(value: Exclude<SqlValue, null | InvalidText>): string | null {
  if (typeof value === 'string') {
    const number = textNumber.exec(value)
    if (number !== null) return textEpoch(Number(value), number[1] !== undefined)
    const words = wordTime.exec(value)
    if (words !== null)
      return Number.isNaN(Date.parse(value)) ? null : `text ${words[1]?.[0] === ',' ? 'UTC' : 'words'}`
    const found = textTime.exec(value)
    if (found === null || Number.isNaN(Date.parse(value.slice(0, 10)))) return null
    return value.length === 10 ? 'date' : `text${value[10] === 'T' ? ' T' : ''}${found[1] === undefined ? '' : ' zone'}`
  }
  if (typeof value === 'object') return null
  const unit = epochUnit(Number(value))
  if (unit !== null) return `${typeof value === 'bigint' ? '' : 'real '}${unit}`
  const isJulianDay = typeof value === 'number' && value > 2_451_544 && value < 2_488_070
  return isJulianDay ? 'julian day' : null
}

function textEpoch(number: number, hasFraction: boolean): string | null {
  const unit = epochUnit(number)
  return unit === null ? null : `text ${hasFraction ? 'real ' : ''}${unit}`
}

function epochUnit(number: number): string | null {
  const found = epochUnits.find(([, perSecond]) => number >= year2000 * perSecond && number < year2100 * perSecond)
  return found?.[0] ?? null
}
