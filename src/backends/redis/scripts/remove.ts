import { erasedOperationsKept } from '../../../core/operation.ts'
import { slice } from '../../../core/slice.ts'
import { makeScript } from './script.ts'
import { buryLua, eachEntryLua, sessionLua } from './session.lua.ts'

/** Erases a session at once, as the operation that is given; `1` if there was any of it. */
export const eraseScript = makeScript(
  sessionLua,
  buryLua,
  `
if findOperation(ARGV[1]) then return 1 end
local time = now()
local existed = redis.call('EXISTS', state, log) > 0
bury(time)
if not existed then return 0 end
redis.call('HSET', gone, 'o:' .. ARGV[1], text(time + ${erasedOperationsKept}) .. ' erased')
redis.call('PEXPIRE', gone, ${erasedOperationsKept})
return 1
`,
)

/** Removes every key of a session, also what is remembered after its end. */
export const forgetScript = makeScript("return redis.call('UNLINK', unpack(KEYS))")

/** Drops a slice: how many entries, and whether that was all. `false` if the session is in another epoch. */
export const dropScript = makeScript(
  sessionLua,
  eachEntryLua,
  `
local request = cjson.decode(ARGV[1])
local head, problem = load()
if problem then return { 'LOST', problem } end
if not head or epochToken(head) ~= request.ifEpoch then return { 'MOVED' } end
for _, epoch in ipairs(request.epochs) do redis.call('HDEL', state, 'e:' .. text(epoch)) end
local dropped, isDone, sums = 0, true, head.sums
local taken, bytes = 0, 0
local function remove(ids, seqs)
  if #ids == 0 then return end
  dropped = dropped + redis.call('XDEL', log, unpack(ids))
  if sums > 0 then sums = sums - redis.call('ZREM', summaries, unpack(seqs)) end
end
for index = 1, #request.ranges, 2 do
  local ids, seqs = {}, {}
  isDone = taken < request.limit and bytes < ${slice.bytes} and eachEntry(request.ranges[index], request.ranges[index + 1], false, function(entry, size)
    taken, bytes = taken + 1, bytes + size
    ids[#ids + 1], seqs[#seqs + 1] = entry[1], string.match(entry[1], '%d+$')
    return taken < request.limit and bytes < ${slice.bytes}
  end)
  remove(ids, seqs)
  if not isDone then break end
end
if sums ~= head.sums then
  head.sums = sums
  writeHead(head)
end
return { 'OK', dropped, isDone and 1 or 0 }
`,
)
