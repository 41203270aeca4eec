import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import { messageOf } from '../../plain/message-of.ts'
import { escapeHidden } from '../../plain/visible-text.ts'
import { diffGoldens } from '../compare/diff-goldens.ts'
import type { VolatileColumns, VolatileKind } from '../compare/volatile/shapes.ts'
import { GoldenError } from '../errors.ts'
import { renderDiff } from '../render/render-diff.ts'
import { removeFile, replaceText } from '../system/replace-file.ts'
import { reportPath } from './golden-names.ts'

/** The subject of a golden's report. Its first lines have everything needed to write it again. */
export interface ReportSubject {
  readonly test: string
  readonly step: string | null
  /** The start golden, or null for a test that starts with nothing. */
  readonly start: string | null
  /** Without functions: their columns are reported unchanged. */
  readonly volatile: Readonly<Record<string, VolatileKind>>
  /** The columns with functions, if there are any. Only the test has the functions, so nobody else can apply them. */
  readonly functions?: readonly string[]
}

const rowLimit = 50
const valueWidth = 120

export function reportSubject(
  test: string,
  step: string | null,
  start: string | null,
  volatile: VolatileColumns,
): ReportSubject {
  const kinds = Object.entries(volatile).filter(
    (entry): entry is [string, VolatileKind] => typeof entry[1] === 'string',
  )
  const functions = Object.keys(volatile).filter((column) => typeof volatile[column] === 'function')
  const subject = { test, step, start, volatile: Object.fromEntries(kinds) }
  return functions.length === 0 ? subject : { ...subject, functions }
}

/** Writes the report next to a golden: how it differs from the start, in words. */
export function writeReport(golden: string, subject: ReportSubject): void {
  replaceText(renderReport(golden, subject), reportPath(golden))
}

export const removeReport = (golden: string): void => removeFile(reportPath(golden))

/** Whether the report next to a golden is missing, is about something else, or does not match the golden. */
export function isReportStale(golden: string, expected?: ReportSubject): boolean {
  if (!existsSync(reportPath(golden))) return true
  const text = readFileSync(reportPath(golden), 'utf8').replaceAll('\r\n', '\n')
  const parts = splitReport(text)
  const subject = readSubject(golden)
  if (parts === null || subject === null) return true
  if (expected !== undefined && !isDeepStrictEqual(expected, subject)) return true
  if (parts.check === checksum(golden, subject, parts.body)) return false
  return parts.body !== renderBody(golden, subject)
}

/** The subject of the report next to a golden or a pending one; null if there is no readable one. */
export function readSubject(golden: string): ReportSubject | null {
  try {
    const parts = splitReport(readFileSync(reportPath(golden), 'utf8').replaceAll('\r\n', '\n'))
    if (parts === null) return null
    const subject = JSON.parse(parts.subject) as ReportSubject
    if (typeof subject.test !== 'string' || typeof subject.volatile !== 'object' || subject.volatile === null)
      return null
    return { ...subject, start: subject.start === null ? null : resolve(dirname(golden), subject.start) }
  } catch {
    return null
  }
}

function renderReport(golden: string, subject: ReportSubject): string {
  const body = renderBody(golden, subject)
  const start = subject.start === null ? null : relative(dirname(golden), subject.start).split(sep).join('/')
  const header = escapeHidden(JSON.stringify({ ...subject, start }))
  return `${header}\ncheck ${checksum(golden, subject, body)}\n\n${body}`
}

function renderBody(golden: string, { test, step, start, volatile }: ReportSubject): string {
  try {
    const diff = diffGoldens(start, golden, { volatile, rowLimit })
    const text = renderDiff(diff, { valueWidth })
    const title = escapeHidden(step === null ? test : `${test}, ${step}`)
    return `${title}\n\n${text === '' ? 'Nothing differs from the start.' : text}\n`
  } catch (error) {
    if (error instanceof GoldenError) throw error
    throw new GoldenError('CANNOT_READ', `${golden} cannot be reported: ${messageOf(error)}.`, { cause: error })
  }
}

function splitReport(text: string): { subject: string; check: string; body: string } | null {
  const found = /^(\{[^\n]*\})\ncheck ([^\n]*)\n\n(.*)$/s.exec(text)
  return found === null ? null : { subject: found[1] ?? '', check: found[2] ?? '', body: found[3] ?? '' }
}

/** Caches start goldens, which many tests share, by a key that changes when they do. */
const startSums = new Map<string, { readonly state: string; readonly sum: string }>()

/** Detects without comparing that nothing changed since the report was written. */
function checksum(golden: string, { start }: ReportSubject, body: string): string {
  return [start === null ? sumOf('-') : startSum(start), sumOfFile(golden), sumOf(body)].join(' ')
}

function startSum(start: string): string {
  const found = statSync(start, { throwIfNoEntry: false })
  const state = `${found?.ino} ${found?.size} ${found?.mtimeMs}`
  const known = startSums.get(start)
  if (known?.state === state) return known.sum
  const sum = sumOfFile(start)
  startSums.set(start, { state, sum })
  return sum
}

const sumOfFile = (file: string) => sumOf(existsSync(file) ? readFileSync(file) : '-')

const sumOf = (content: string | Buffer) => crc32(content).toString(16).padStart(8, '0')
