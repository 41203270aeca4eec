import { erasedOperationsKept } from '../../../core/operation.ts'
import { slice } from '../../../core/slice.ts'
import { makeScript } from './script.ts'
import { buryLua, eachEntryLua, sessionLua, turnLua } from './session.lua.ts'

/**
 * Erases a session at once, as the operation that is given: `OK` and `1` if there was any of it, or why not. A session with an owner is erased only
 * by those who know the owner, for they take it off that list afterwards; otherwise it is `OWNER` and the owner.
 */
export const eraseScript = makeScript(
  sessionLua,
  turnLua,
  buryLua,
  `
local request = cjson.decode(ARGV[1])
if findOperation(request.operation) then return { 'OK', 1 } end
if request.ifTurn and not holdsTurn(request.ifTurn) then return { 'TURN' } end
if request.ifVersion then
  local head, problem = load()
  if problem then return { 'LOST', problem } end
  local actual = head and versionToken(head) or ''
  if actual ~= request.ifVersion then return { 'VERSION', actual } end
end
local owner = redis.pcall('HGET', state, 'owner')
if type(owner) == 'string' and owner ~= request.owner then return { 'OWNER', owner } end
local time = now()
local existed = redis.call('EXISTS', state, log) > 0
bury(time)
if not existed then return { 'OK', 0 } end
local ends = text(time + ${erasedOperationsKept})
redis.call('HSET', gone, 'o:' .. request.operation, ends .. ' erased', 'erased', ends .. ' ' .. request.nonce)
redis.call('PEXPIRE', gone, ${erasedOperationsKept})
return { 'OK', 1 }
`,
)

/** Removes every key of a session, also what is remembered after its end. */
export const forgetScript = makeScript("return redis.call('UNLINK', unpack(KEYS))")

/** Drops a slice: how many entries, and whether that was all. `MOVED` if the session has another path. */
export const dropScript = makeScript(
  sessionLua,
  eachEntryLua,
  `
local request = cjson.decode(ARGV[1])
local head, problem = load()
if problem then return { 'LOST', problem } end
if not head or pathToken(head) ~= request.ifPath then return { 'MOVED' } end
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
