import { erasedOperationsKept } from '../../../core/operation.ts'
import { headLua } from './head.lua.ts'

/**
 * Where else to look for an operation: among the `earlier` ones, and those of sessions that are `gone`. Whether callers `named` any of the newest
 * operations, and whether there are `unnamed` ones. `odd`: the session takes no plain appends.
 */
export const besides = { earlier: 1, gone: 2, named: 4, unnamed: 8, odd: 16 } as const

/**
 * What every script begins with: the keys, and `load`, which returns the session's head, or `nil` if there is no session, or `nil` and
 * the reason if some of it is lost.
 *
 * A head is some fields of a hash, so that a plain append need not take a line apart. `-` is none.
 * - `counter`, and `last`, the last seq
 * - `epoch`: birth, the epoch that last took something back, its nonce; if the path has changed since, the present epoch and its nonce after dots. 0.1 wrote the present epoch,
 *   for every one counted
 * - `tip`: a record whose time and nonce are those of the last commit
 * - `rest`: created, ttl, whether that is its own, its end, how many summaries there are, whether operations of an earlier session were known
 *   when it began, whether there are earlier operations of its own
 * - `turned`: when the newest operations last became the earlier ones, and the earlier ones were forgotten
 * - `beside`: what a plain append needs to know, as the sum of `besides`; 0.1 wrote a word
 *
 * The state repeats `epoch`, so that a head that was set back is noticed; where 0.1 wrote it last it may be missing, or be that of an earlier epoch.
 *
 * All keys but the head and the earlier operations expire at the same moment, so a part that is missing was lost. Those two stay a day longer; the end
 * in the head says whether the session has ended.
 */
export const sessionLua = `
local state, log, summaries, headKey, earlier, gone = unpack(KEYS)

local function text(number) return string.format('%.0f', number) end

local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function readEpoch(packed)
  local birth, takenBack, takenNonce = string.match(packed, '^(%S+) (%d+) ([^%s.]+)')
  local number, nonce = string.match(packed, '%.(%d+)%.(%S+)$')
  return birth, takenBack, takenNonce, number or takenBack, nonce or takenNonce
end

local function readHead(fields)
  local counter, last, epoch, tip, rest, beside = unpack(fields)
  if not (tonumber(counter) and tonumber(last) and epoch and tip and rest) then return nil end
  local birth, takenBack, takenNonce, number, epochNonce = readEpoch(epoch)
  local updated, nonce = string.match(tip, '^%S+ %S+ (%d+) %S+ %S+ %S+ (%S+) ')
  local created, ttl, own, ends, sums, buried, hasEarlier = string.match(
    rest, '^(%d+) (%S+) ([01]) (%S+) (%d+) ([01]) ([01])$')
  if not (birth and updated and created) then return nil end
  local flags = tonumber(beside) or ${besides.named + besides.unnamed}
  return {
    birth = birth, counter = tonumber(counter), nonce = nonce, epoch = tonumber(number), epochNonce = epochNonce,
    last = tonumber(last), created = created, updated = updated, ttl = ttl, own = own, ends = ends,
    takenBack = tonumber(takenBack), takenNonce = takenNonce,
    hasNamed = flags % 8 >= ${besides.named}, hasUnnamed = flags % 16 >= ${besides.unnamed},
    sums = tonumber(sums), buried = buried, hasEarlier = hasEarlier,
  }
end

${headLua}
local function epochText(head)
  local taken = head.birth .. ' ' .. text(head.takenBack) .. ' ' .. head.takenNonce
  if head.epoch == head.takenBack and head.epochNonce == head.takenNonce then return taken end
  return taken .. '.' .. text(head.epoch) .. '.' .. head.epochNonce
end

local function recordText(head, first, time, ending)
  return table.concat({ text(head.counter), text(first), time, epochText(head), head.nonce, ending }, ' ')
end

local function besideOf(head)
  local isOdd = head.ttl ~= '-' or head.ends ~= '-' or head.sums > 0
  return text(
    (head.hasEarlier == '1' and ${besides.earlier} or 0) + (head.buried == '1' and ${besides.gone} or 0)
    + (head.hasNamed and ${besides.named} or 0) + (head.hasUnnamed and ${besides.unnamed} or 0) + (isOdd and ${besides.odd} or 0))
end

local function writeHead(head, ...)
  redis.call(
    'HSET', headKey, 'counter', text(head.counter), 'last', text(head.last), 'epoch', epochText(head),
    'tip', recordText(head, head.last, head.updated, '- 0 '),
    'rest', table.concat({ head.created, head.ttl, head.own, head.ends, text(head.sums), head.buried, head.hasEarlier }, ' '),
    'beside', besideOf(head), ...)
end

local function newestEpoch()
  local newest = 0
  for _, name in ipairs(redis.call('HKEYS', state)) do
    newest = math.max(newest, tonumber(string.match(name, '^e:(%d+)$') or 0))
  end
  return newest
end

local function setBack(head)
  local newest = head.newest and tonumber((select(4, readEpoch(head.newest)))) or newestEpoch()
  local later = redis.call('XRANGE', log, '(1-' .. text(head.last), '+', 'COUNT', 1)
  if newest <= head.epoch and #later == 0 then return nil end
  return 'its head says that entry ' .. text(head.last) .. ' is the last and epoch ' .. text(head.epoch)
    .. ' the newest, but there are later ones'
end

local function partLost(head)
  local id, newest = unpack(redis.call('HMGET', state, 'id', 'epoch'))
  if not id then return 'the server no longer has its key ' .. state end
  head.newest = newest
  local wanted = { log }
  if head.sums > 0 then wanted[#wanted + 1] = summaries end
  if head.hasEarlier == '1' then wanted[#wanted + 1] = earlier end
  if redis.call('EXISTS', unpack(wanted)) == #wanted then return nil end
  for _, key in ipairs(wanted) do
    if redis.call('EXISTS', key) == 0 then return 'the server no longer has its key ' .. key end
  end
end

local function load()
  local fields = redis.call('HMGET', headKey, 'counter', 'last', 'epoch', 'tip', 'rest', 'beside')
  local head = readHead(fields)
  if head then
    if head.ends ~= '-' and tonumber(head.ends) <= now() then return nil end
    local problem = partLost(head) or setBack(head)
    if problem then return nil, problem end
    return head
  end
  if redis.call('EXISTS', headKey) > 0 then return nil, 'its head cannot be read' end
  if redis.call('EXISTS', state, log, summaries) > 0 then return nil, 'its head is missing, but other keys remain' end
  if redis.call('EXISTS', earlier) > 0 then return nil, 'the server has only its earlier operations left' end
end

local function epochToken(head) return head.birth .. '.' .. text(head.takenBack) .. '.' .. head.takenNonce end
local function pathToken(head) return head.birth .. '.' .. text(head.epoch) .. '.' .. head.epochNonce end
local function versionToken(head) return head.birth .. '.' .. text(head.counter) .. '.' .. head.nonce end

-- The record, and whether it is of an earlier session.
local function findOperation(id)
  local field = 'o:' .. id
  local record = redis.call('HGET', headKey, field) or redis.call('HGET', earlier, field)
  if record then return record, false end
  local buried = redis.call('HGET', gone, field)
  if not buried then return false end
  local ends, rest = string.match(buried, '^(%d+) (.*)$')
  return tonumber(ends) > now() and rest, true
end
`

/** Whether the turn is held under a token. The server itself forgets a lease that has ended. */
export const turnLua = `
local function holdsTurn(token) return redis.call('GET', KEYS[7]) == token end
`

/** `bury` moves the operations of an ended session to where they stay for a day. */
export const buryLua = `
local function bury(time)
  local day = ${erasedOperationsKept}
  local kept = redis.call('HGETALL', gone)
  for index = 1, #kept, 2 do
    if tonumber(string.match(kept[index + 1], '^%d+')) <= time then redis.call('HDEL', gone, kept[index]) end
  end
  for _, key in ipairs({ earlier, headKey }) do
    local fields = redis.call('HGETALL', key)
    for index = 1, #fields, 2 do
      if string.sub(fields[index], 1, 2) == 'o:' then
        redis.call('HSET', gone, fields[index], text(time + day) .. ' ' .. fields[index + 1])
      end
    end
  end
  redis.call('PEXPIRE', gone, day)
  redis.call('UNLINK', state, log, summaries, headKey, earlier)
end
`

/**
 * `eachEntry` visits the entries of a range, in their order or backwards, until `visit` returns false; it returns whether it came to the end. It loads few at
 * a time, and fewer where they are large, for what is loaded and not needed holds up the server.
 */
export const eachEntryLua = `
local function sizeOf(entry)
  local fields = entry[2]
  if #fields == 4 then return #fields[4] end
  local size = 0
  for index = 1, #fields, 2 do
    if fields[index] == 'b' or fields[index] == 'c' or fields[index] == 'y' then size = size + #fields[index + 1] end
  end
  return size
end

local function eachEntry(from, to, backwards, visit)
  local count = 1
  while from <= to do
    local first, last = '1-' .. text(from), '1-' .. text(to)
    local found
    if backwards then
      found = redis.call('XREVRANGE', log, last, first, 'COUNT', count)
    else
      found = redis.call('XRANGE', log, first, last, 'COUNT', count)
    end
    local largest = 1
    for _, entry in ipairs(found) do
      local size = sizeOf(entry)
      if not visit(entry, size) then return false end
      if size > largest then largest = size end
    end
    if #found < count then return true end
    local reached = tonumber(string.match(found[#found][1], '%d+$'))
    if backwards then to = reached - 1 else from = reached + 1 end
    count = math.max(1, math.min(4 * count, 32, math.floor(1000000 / largest)))
  end
  return true
end
`
