/**
 * The way of nearly every commit, straight on and with few functions, for it is run for every turn: messages and nothing else, to sessions
 * that are there and are whole. What one session is asked for at the same time is written together.
 *
 * The arguments are `+`, the store's ttl, then for each session its id and how many operations follow, and for each of these its field, a line
 * (a nonce, the digest, how many bodies, the answer) and the bodies. The reply is a list: for each session its records, or `false` if
 * something about it is odd and nothing of it was written. One that is alone and odd is left to what comes after.
 */
export const plainAppendLua = `
local function appendPlainly(keys, first, count)
  local state, log, operations, earlier = KEYS[keys], KEYS[keys + 1], KEYS[keys + 3], KEYS[keys + 4]
  local packed = redis.call('HGET', state, 'head')
  if not packed then return false end
  local birth, counter, epoch, epochNonce, last, created, own, ops, buried = string.match(
    packed, '^(%S+) (%d+) %S+ (%d+) (%S+) (%d+) (%d+) %d+ %- ([01]) %- (%d+) 0 ([01])$')
  if not birth or (own == '0' and ARGV[2] ~= '') then return false end
  ops = tonumber(ops)

  local fields, argument = { 'until' }, first
  for index = 1, count do
    fields[index + 1] = ARGV[argument]
    argument = argument + 2 + string.match(ARGV[argument + 1], '^%S+ %S+ (%d+)')
  end
  for generation = 1, ops > 256 and 2 or 1 do
    local known = redis.call('HMGET', generation == 1 and operations or earlier, unpack(fields))
    if not known[1] then return false end
    for index = 2, count + 1 do if known[index] then return false end end
  end
  if buried == '1' then
    for _, known in ipairs(redis.call('HMGET', KEYS[keys + 5], unpack(fields))) do if known then return false end end
  end

  local time = redis.call('TIME')
  local stamp = time[1] .. string.sub(time[2] + 1000000, 2, 4)
  local epochText = ' ' .. epoch .. ' ' .. epochNonce .. ' '
  local records, remembered, tip = {}, { 'until', '-' }, nil
  argument = first
  for index = 1, count do
    local nonce, digest, bodies, answer = string.match(ARGV[argument + 1], '^(%S+) (%S+) (%d+) (.*)$')
    local from = last + 1
    for body = argument + 2, argument + 1 + bodies do
      last = last + 1
      local added = redis.pcall('XADD', log, 'NOMKSTREAM', '1-' .. last, 't', stamp, 'b', ARGV[body])
      if type(added) ~= 'string' then return false end
    end
    counter = counter + 1
    tip = birth .. ' ' .. counter .. ' ' .. nonce .. epochText
    local record = tip .. from .. ' ' .. bodies .. ' ' .. stamp .. ' ' .. digest .. ' ' .. answer
    records[index] = record
    remembered[index * 2 + 1], remembered[index * 2 + 2] = ARGV[argument], record
    argument = argument + 2 + bodies
  end
  if (ops - 1) % 256 + 1 + count > 256 then
    redis.call('RENAME', operations, earlier)
    ops = math.ceil(ops / 256) * 256
  end
  redis.call('HSET', state, 'head', tip .. last .. ' ' .. created .. ' ' .. stamp .. ' - ' .. own .. ' - ' .. ops + count .. ' 0 ' .. buried)
  redis.call('HSET', operations, unpack(remembered))
  return records
end

if ARGV[1] == '+' then
  local replies, keys, argument = {}, 1, 3
  while argument <= #ARGV do
    local count = tonumber(ARGV[argument + 1])
    local first = argument + 2
    replies[#replies + 1] = appendPlainly(keys, first, count)
    keys, argument = keys + 6, first
    for _ = 1, count do argument = argument + 2 + string.match(ARGV[argument + 1], '^%S+ %S+ (%d+)') end
  end
  if replies[1] or #replies > 1 or ARGV[4] ~= '1' then return replies end
end
`
