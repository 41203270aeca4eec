import { makeScript, type Script } from './script.ts'
import { sessionLua } from './session.lua.ts'

/**
 * The state and what was asked for: `OK`, the head, its path, the operation, the snapshot and its path, the ids of the automatic
 * ones, entries, summaries, their seqs. `NONE` and the operation if there is no session.
 */
export const readScript: Script = {
  ...makeScript(
    sessionLua,
    `
local want = cjson.decode(ARGV[1])
local head, problem = load()
if problem then return { 'LOST', problem } end
local operation = want.operation and findOperation(want.operation) or false
if not head then return { 'NONE', operation } end
local path = redis.call('HGET', state, 'e:' .. text(head.epoch))

local function range(from, to) return redis.call('XRANGE', log, '1-' .. text(from), '1-' .. text(to)) end

local ranges = want.ranges or {}
if want.last and path then
  local steps = cjson.decode(path)
  local bounds, before = {}, 0
  for index = 1, #steps, 2 do
    local from = before + steps[index]
    local to = steps[index + 1] == cjson.null and head.last or from + steps[index + 1]
    before = to
    bounds[index], bounds[index + 1] = from, to
  end
  local missing, tail = want.last, {}
  for index = #bounds - 1, 1, -2 do
    if missing <= 0 then break end
    local from, to = bounds[index], bounds[index + 1]
    from = math.max(from, to - missing + 1)
    if to >= from then
      tail[#tail + 1] = { from, to }
      missing = missing - (to - from + 1)
    end
  end
  ranges = {}
  for index = #tail, 1, -1 do
    ranges[#ranges + 1] = tail[index][1]
    ranges[#ranges + 1] = tail[index][2]
  end
end
local entries = {}
for index = 1, #ranges, 2 do entries[#entries + 1] = range(ranges[index], ranges[index + 1]) end

local snapshot, snapshotPath, automatic = false, false, false
if want.snapshot then
  snapshot = redis.call('HGET', state, 's:' .. want.snapshot)
  automatic = redis.call('HGET', state, 'automatic')
  if snapshot then snapshotPath = redis.call('HGET', state, 'e:' .. string.match(snapshot, '^%d+ (%d+)')) end
end

local seqs, found = {}, {}
if want.summariesAfter then
  seqs = redis.call('ZRANGEBYSCORE', summaries, '(' .. text(want.summariesAfter), '+inf')
  if #seqs < head.sums and want.summariesAfter == 0 then return { 'LOST', 'the list of its summaries is cut short' } end
  for _, seq in ipairs(seqs) do found[#found + 1] = range(seq, seq) end
end
return { 'OK', headText(head), path, operation, snapshot, snapshotPath, automatic, entries, found, seqs }
`,
  ),
  repliesBytes: true,
}

/** The id, the head and the path of a session that was found by its state; by its log (the argument says) only if it has no state. */
export const listScript = makeScript(
  sessionLua,
  `
if ARGV[1] == 'log' and redis.call('EXISTS', state) > 0 then return { 'NONE' } end
local head, problem = load()
if problem then return { 'LOST', problem, redis.call('HGET', state, 'id'), redis.call('XRANGE', log, '0-1', '0-1') } end
if not head then return { 'NONE' } end
return { 'OK', redis.call('HGET', state, 'id'), headText(head), redis.call('HGET', state, 'e:' .. text(head.epoch)) }
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

/** How many entries of the ranges there are and their bytes, some at a time: then the range and the seq where to go on. */
export const measureScript = makeScript(
  sessionLua,
  `
local request = cjson.decode(ARGV[1])
local left, entries, bytes = 1000, 0, 0
local index, from = request.index, request.from
while index <= #request.ranges do
  from = from or request.ranges[index]
  local found = redis.call('XRANGE', log, '1-' .. text(from), '1-' .. text(request.ranges[index + 1]), 'COUNT', left)
  for _, entry in ipairs(found) do
    entries = entries + 1
    for field = 1, #entry[2], 2 do
      local name = entry[2][field]
      if name == 'b' or name == 'y' then bytes = bytes + #entry[2][field + 1] end
    end
  end
  left = left - #found
  if left <= 0 then
    return { text(entries), text(bytes), text(index), text(tonumber(string.match(found[#found][1], '%d+$')) + 1) }
  end
  index, from = index + 2, nil
end
return { text(entries), text(bytes) }
`,
)
