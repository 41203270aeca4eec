import type { Committed, OperationRecord, SnapshotRecord } from '../../core/backend.ts'
import { MemoryLostError } from '../../core/errors.ts'
import { headFields, headOfValues, valuesOfHead } from '../../core/head-values.ts'
import { shortDigest } from '../../core/operation.ts'
import { epochOf, type SessionHead, type SessionState, versionOf } from '../../core/session-state.ts'
import { textFromJson, textToJson } from '../../core/text-json.ts'

/** As the scripts read it. */
export function headToText(head: SessionHead): string {
  return valuesOfHead(head)
    .map((value) => (typeof value === 'boolean' ? Number(value) : (value ?? '-')))
    .join(' ')
}

const texts: ReadonlySet<keyof SessionHead> = new Set(['birth', 'nonce', 'epochNonce', 'takenBackNonce'])

/** The scripts have checked its form. The log comes last. */
export function headFromText(text: string): Omit<SessionState, 'path'> {
  const parts = text.split(' ')
  const values = headFields.map((field, index) => {
    const part = parts[index] ?? ''
    if (texts.has(field)) return part
    if (field === 'ownTtl') return part === '1'
    return part === '-' ? null : Number(part)
  })
  return { ...headOfValues(values), log: parts[headFields.length] ?? '' }
}

export function snapshotToText({ number, epoch, end, at, automatic, label }: SnapshotRecord): string {
  return [number, epoch, end, at, automatic ? 1 : 0, lastToText(label)].join(' ')
}

export function snapshotFromText(session: string, id: string, text: string): SnapshotRecord {
  const [, number, epoch, end, at, automatic, label] = /^(\d+) (\d+) (\d+) (\d+) ([01]) (.*)$/s.exec(text) ?? []
  if (label === undefined) throw new MemoryLostError(session, [], `snapshot ${JSON.stringify(id)} cannot be read`)
  return {
    id,
    label: lastFromText(session, label),
    automatic: automatic === '1',
    epoch: Number(epoch),
    end: Number(end),
    at: Number(at),
    number: Number(number),
  }
}

/** At the end of a record: a label or an answer, the empty text if there is none. */
export function lastToText(text: string | null): string {
  return textToJson(text) ?? ''
}

function lastFromText(session: string, text: string): string | null {
  return text === '' ? null : textFromJson(session, text)
}

/** 0.1 wrote an answer as it was, after a mark that no JSON starts with. */
function answerFromText(session: string, text: string): string | null {
  return text.startsWith('=') ? text.slice(1) : lastFromText(session, text)
}

/** Only the short digest is kept, for the session may end without anyone there to shorten it. */
export function digestToText(digest: string): string {
  return digest === '' ? '-' : digest.slice(0, shortDigest)
}

export function operationFromText(session: string, text: string): Omit<OperationRecord, 'ended'> {
  const { digest, committed } = readRecord(session, text)
  return { digest: digest === '-' ? '' : digest, committed }
}

/** What plain appends to one session did that were written together, from the record of the first. */
export function appendsFromText(
  session: string,
  text: string,
  appends: readonly { readonly nonce: string; readonly answer: string | null }[],
): Committed[] {
  const { head, committed } = readRecord(session, text)
  const { epoch, first, count, at } = committed
  const all = [committed]
  for (let index = 1; index < appends.length; index++) {
    const { nonce, answer } = appends[index] as (typeof appends)[number]
    const version = versionOf({ ...head, counter: head.counter + index, nonce })
    all.push({ version, epoch, first: first + index * count, count, at, answer })
  }
  return all
}

function readRecord(
  session: string,
  text: string,
): { digest: string; head: Parameters<typeof versionOf>[0]; committed: Committed } {
  const match = /^(\d+) (\d+) (\d+) (\S+) (\d+) (\S+) (\S+) (\S+) (\d+) (.*)$/s.exec(text)
  if (match === null) throw new MemoryLostError(session, [], 'an operation cannot be read')
  const [
    ,
    counter,
    first,
    at,
    birth = '',
    takenBack,
    takenBackNonce = '',
    nonce = '',
    digest = '',
    count,
    answer = '',
  ] = match
  const taken = { takenBack: Number(takenBack), takenBackNonce: takenBackNonce.split('.')[0] }
  const head = { birth, counter: Number(counter), nonce, ...taken } as SessionHead
  const committed: Committed = {
    version: versionOf(head),
    epoch: epochOf(head),
    first: Number(first),
    count: Number(count),
    at: Number(at),
    answer: answerFromText(session, answer),
  }
  return { digest, head, committed }
}
