import { erasedOperationsKept } from '../../../core/operation.ts'
import { makeScript } from './script.ts'
import { buryLua, sessionLua } from './session.lua.ts'

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
  `
local request = cjson.decode(ARGV[1])
local head, problem = load()
if problem then return { 'LOST', problem } end
if not head or epochToken(head) ~= request.ifEpoch then return { 'MOVED' } end
for _, epoch in ipairs(request.epochs) do redis.call('HDEL', state, 'e:' .. text(epoch)) end
local dropped, isDone, sums = 0, true, head.sums
for index = 1, #request.ranges, 2 do
  while isDone do
    local slice = math.min(request.limit - dropped, 1000)
    if slice <= 0 then isDone = false break end
    local found = redis.call(
      'XRANGE', log, '1-' .. text(request.ranges[index]), '1-' .. text(request.ranges[index + 1]), 'COUNT', slice)
    if #found == 0 then break end
    local ids, seqs = {}, {}
    for place, entry in ipairs(found) do
      ids[place] = entry[1]
      seqs[place] = string.match(entry[1], '%d+$')
    end
    dropped = dropped + redis.call('XDEL', log, unpack(ids))
    if sums > 0 then sums = sums - redis.call('ZREM', summaries, unpack(seqs)) end
    if #found < slice then break end
  end
end
if sums ~= head.sums then
  head.sums = sums
  writeHead(head)
end
return { 'OK', dropped, isDone and 1 or 0 }
`,
)
