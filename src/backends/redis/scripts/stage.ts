import { stagedFor } from '../../../core/operation.ts'
import type { EntryKind } from './commit.ts'
import { entryLua, stagedLua } from './entry.lua.ts'
import { makeScript } from './script.ts'
import { sessionLua } from './session.lua.ts'

/**
 * Writes a slice of a copy, in the keys listed after those of the session. Slices ascend, so entries up to the last one are already there.
 * Takes a `StageRequest` as JSON, then the body of each entry and, where it has any, its bytes.
 */
export const stageScript = makeScript(
  sessionLua,
  entryLua,
  stagedLua,
  `
local request = cjson.decode(ARGV[1])
local stamp = text(now())
local counted = redis.call('HMGET', mark, 'entries', 'summaries', 'last')
local entries, sums, last = tonumber(counted[1]) or 0, tonumber(counted[2]) or 0, tonumber(counted[3]) or 0
if not counted[1] then
  redis.call('UNLINK', stagedLog, stagedSummaries)
  redis.call('XADD', stagedLog, '0-1', 'id', request.session)
end
local argument = 1
for index, seq in ipairs(request.seqs) do
  local fields, isSummary
  argument, fields, isSummary = entryFields(request.kinds[index], request.times[index] or stamp, argument)
  if seq > last then
    redis.call('XADD', stagedLog, '1-' .. text(seq), unpack(fields))
    entries, last = entries + 1, seq
    if isSummary then sums = sums + redis.call('ZADD', stagedSummaries, seq, text(seq)) end
  end
end
redis.call('HSET', mark, 'entries', text(entries), 'summaries', text(sums), 'last', text(last))
for _, key in ipairs({ stagedLog, stagedSummaries, mark }) do redis.call('PEXPIRE', key, ${stagedFor}) end
return 1
`,
)

export interface StageRequest {
  readonly session: string
  readonly seqs: readonly number[]
  /** `false` for now. */
  readonly times: readonly (string | false)[]
  readonly kinds: readonly EntryKind[]
}

/** Removes what was written of a copy; `1` if there was any. */
export const unstageScript = makeScript("return redis.call('UNLINK', KEYS[8], KEYS[9], KEYS[10]) > 0 and 1 or 0")
