/**
 * What every script begins with: the keys, and `load`, which returns the session's head, or `nil` if there is no session, or `nil` and
 * the reason if some of it is lost.
 *
 * A head is one line: birth, counter, nonce, epoch, its nonce, the last seq, created, updated, ttl, whether that is its own, its end, how many
 * operations and how many summaries it has, and whether operations of an earlier session were known when it began. `-` is none.
 *
 * All keys but the operations expire at the same moment, so a part that is missing was lost. The operations stay a day longer; `until`
 * says whether the session they belong to has ended.
 */
export const sessionLua = `
local state, log, summaries, operations, earlier, gone = unpack(KEYS)
local generation = 256

local function text(number) return string.format('%.0f', number) end

local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function unpackHead(packed)
  local birth, counter, nonce, epoch, epochNonce, last, created, updated, ttl, own, ends, ops, sums, buried = string.match(
    packed, '^(%S+) (%d+) (%S+) (%d+) (%S+) (%d+) (%d+) (%d+) (%S+) ([01]) (%S+) (%d+) (%d+) ([01])$')
  if not birth then return nil end
  return {
    birth = birth, counter = tonumber(counter), nonce = nonce, epoch = tonumber(epoch), epochNonce = epochNonce,
    last = tonumber(last), created = created, updated = updated, ttl = ttl, own = own, ends = ends,
    ops = tonumber(ops), sums = tonumber(sums), buried = buried, packed = packed,
  }
end

local function packHead(head)
  return table.concat({
    head.birth, text(head.counter), head.nonce, text(head.epoch), head.epochNonce, text(head.last), head.created,
    head.updated, head.ttl, head.own, head.ends, text(head.ops), text(head.sums), head.buried,
  }, ' ')
end

local function partLost(head)
  local wanted = { log, operations }
  if head.sums > 0 then wanted[#wanted + 1] = summaries end
  if head.ops > generation then wanted[#wanted + 1] = earlier end
  if redis.call('EXISTS', unpack(wanted)) == #wanted then return nil end
  for _, key in ipairs(wanted) do
    if redis.call('EXISTS', key) == 0 then return 'the server no longer has its key ' .. key end
  end
end

local function allLost()
  if redis.call('EXISTS', log, summaries) > 0 then return 'its state is missing, though entries are there' end
  local ends = redis.call('HGET', operations, 'until')
  if ends then
    if ends == '-' or tonumber(ends) > now() then return 'the server has only its operations left' end
  elseif redis.call('EXISTS', earlier) > 0 then
    return 'the server has only its earlier operations left'
  end
end

local function load()
  local packed = redis.call('HGET', state, 'head')
  if not packed then
    if redis.call('EXISTS', state) > 0 then return nil, 'its head is missing' end
    return nil, allLost()
  end
  local head = unpackHead(packed)
  if not head then return nil, 'its head cannot be read' end
  local problem = partLost(head)
  if problem then return nil, problem end
  return head
end

local function epochToken(head) return head.birth .. '.' .. text(head.epoch) .. '.' .. head.epochNonce end
local function versionToken(head) return head.birth .. '.' .. text(head.counter) .. '.' .. head.nonce end

local function findOperation(id)
  local field = 'o:' .. id
  local record = redis.call('HGET', operations, field) or redis.call('HGET', earlier, field)
  if record then return record end
  local buried = redis.call('HGET', gone, field)
  if not buried then return false end
  local ends, rest = string.match(buried, '^(%d+) (.*)$')
  return tonumber(ends) > now() and rest
end
`

/** `bury` puts the operations of a session that has ended where they stay for a day. */
export const buryLua = `
local function bury(time)
  local day = 24 * 60 * 60 * 1000
  local kept = redis.call('HGETALL', gone)
  for index = 1, #kept, 2 do
    if tonumber(string.match(kept[index + 1], '^%d+')) <= time then redis.call('HDEL', gone, kept[index]) end
  end
  for _, key in ipairs({ earlier, operations }) do
    local fields = redis.call('HGETALL', key)
    for index = 1, #fields, 2 do
      if string.sub(fields[index], 1, 2) == 'o:' then
        redis.call('HSET', gone, fields[index], text(time + day) .. ' ' .. fields[index + 1])
      end
    end
  end
  redis.call('PEXPIRE', gone, day)
  redis.call('UNLINK', state, log, summaries, operations, earlier)
end
`
