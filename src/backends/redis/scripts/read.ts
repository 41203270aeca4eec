import { slice } from '../../../core/slice.ts'
import { boundsLua } from './bounds.lua.ts'
import { makeScript, type Script } from './script.ts'
import { eachEntryLua, sessionLua } from './session.lua.ts'

/**
 * `presentPath` returns the path that the session reads. `epochRows` returns, number and text by turns, the row of an epoch and all that it is a difference
 * from, directly or not, down to one with a whole path: together they make its path.
 */
const epochsLua = `
local function presentPath(head)
  local row = redis.call('HGET', state, 'e:' .. text(head.epoch))
  return row and string.match(row, '^%S+') or false
end

local function epochRows(number)
  local rows = {}
  while number do
    local row = redis.call('HGET', state, 'e:' .. number)
    if not row then break end
    rows[#rows + 1], rows[#rows + 2] = number, row
    local base = string.match(row, '^%- %S+ %S+ (%d+) ')
    number = base and tonumber(base) < tonumber(number) and base
  end
  return rows
end
`

/**
 * The state and what was asked for: `OK`, the head, its path, the operation, the snapshot and what makes its path, the ids of the automatic
 * ones, entries, summaries, their seqs, whether there are more, owner, title and metadata. `NONE` and the operation if there is no session.
 */
export const readScript: Script = {
  ...makeScript(
    sessionLua,
    epochsLua,
    boundsLua,
    eachEntryLua,
    `
local want = cjson.decode(ARGV[1])
local head, problem = load()
if problem then return { 'LOST', problem } end
local operation = false
if want.operation then
  local record, isEarlier = findOperation(want.operation)
  operation = record and { record, (isEarlier or not head) and 1 or 0 }
end
if not head then return { 'NONE', operation } end
local path = presentPath(head)
local snapshot, snapshotPath, automatic = false, false, false
if want.snapshot then
  snapshot = redis.call('HGET', state, 's:' .. want.snapshot)
  automatic = redis.call('HGET', state, 'automatic')
  if snapshot then snapshotPath = epochRows(string.match(snapshot, '^%d+ (%d+)')) end
end

local function wantedBounds()
  if want.ranges then return want.ranges end
  if not want.snapshot then return pageOf(pathBounds(path, head.last), want) end
  if not snapshot then return {} end
  return pageOf(epochBounds(snapshotPath, tonumber(string.match(snapshot, '^%d+ %d+ (%d+)'))), want)
end

local left, more = want.maxBytes or math.huge, false
local entries, found, seqs = {}, {}, {}

local function takeInto(list)
  return function(entry, size)
    if #list > 0 and size > left then
      more = true
      return false
    end
    left = left - size
    list[#list + 1] = entry
    return true
  end
end

if want.last then
  local bounds, missing, take = wantedBounds(), want.last, takeInto(entries)
  for index = #bounds - 1, 1, -2 do
    if missing <= 0 or more then break end
    local to = bounds[index + 1]
    local from = math.max(bounds[index], to - missing + 1)
    if to >= from then
      eachEntry(from, to, true, take)
      missing = missing - (to - from + 1)
    end
  end
  local count = #entries
  for index = 1, math.floor(count / 2) do
    entries[index], entries[count - index + 1] = entries[count - index + 1], entries[index]
  end
elseif want.first or want.ranges then
  local bounds, take = wantedBounds(), takeInto(entries)
  if want.first then bounds = firstOf(bounds, want.first) end
  for index = 1, #bounds, 2 do
    if more then break end
    eachEntry(bounds[index], bounds[index + 1], false, take)
  end
end
local about = want.about and redis.call('HMGET', state, 'owner', 'title', 'metadata') or false

if want.summariesAfter then
  if redis.call('ZCARD', summaries) < head.sums then return { 'LOST', 'the list of its summaries is cut short' } end
  local limit = want.maxBytes and ${slice.entries} or math.huge
  local listed = redis.call(
    'ZRANGEBYSCORE', summaries, '(' .. text(want.summariesAfter), '+inf', 'LIMIT', 0, want.maxBytes and limit + 1 or -1)
  local take = takeInto(found)
  for index, seq in ipairs(listed) do
    if index > limit then more = true end
    if not more then eachEntry(tonumber(seq), tonumber(seq), false, take) end
    if more then break end
    seqs[index] = seq
  end
end
return { 'OK', headText(head), path, operation, snapshot, snapshotPath, automatic, entries, found, seqs, more and 1 or 0, about }
`,
  ),
  repliesBytes: true,
}

/** The id, the head, the path, and owner, title and metadata of a session that was found by its state; by its log (the argument says) only if it has no state. */
export const listScript = makeScript(
  sessionLua,
  epochsLua,
  `
if ARGV[1] == 'log' and redis.call('EXISTS', state) > 0 then return { 'NONE' } end
local head, problem = load()
if problem then return { 'LOST', problem, redis.call('HGET', state, 'id'), redis.call('XRANGE', log, '0-1', '0-1') } end
if not head then return { 'NONE' } end
local id, owner, title, metadata = unpack(redis.call('HMGET', state, 'id', 'owner', 'title', 'metadata'))
return { 'OK', id, headText(head), presentPath(head), { owner, title, metadata } }
`,
)

/** The head and all fields of the state. */
export const snapshotsScript = makeScript(
  sessionLua,
  `
local head, problem = load()
if problem then return { 'LOST', problem } end
if not head then return { 'NONE' } end
return { 'OK', headText(head), redis.call('HGETALL', state) }
`,
)

/** How many entries of the ranges exist and their bytes, some at a time; then the range and the seq to continue from. */
export const measureScript = makeScript(
  sessionLua,
  eachEntryLua,
  `
local request = cjson.decode(ARGV[1])
local entries, bytes, last = 0, 0, 0
local function add(entry, size)
  entries, bytes = entries + 1, bytes + size
  last = tonumber(string.match(entry[1], '%d+$'))
  return entries < ${slice.entries} and bytes < ${slice.bytes}
end
local from = request.from
for index = request.index, #request.ranges, 2 do
  if not eachEntry(from or request.ranges[index], request.ranges[index + 1], false, add) then
    return { text(entries), text(bytes), text(index), text(last + 1) }
  end
  from = nil
end
return { text(entries), text(bytes) }
`,
)
