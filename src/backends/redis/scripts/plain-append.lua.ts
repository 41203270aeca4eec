/**
 * The way of nearly every commit, straight on and without a function, for it is run for every turn: messages and nothing else, to a session
 * that is there and is whole. Everything else, and everything odd, falls through to what comes after.
 *
 * The arguments are `+`, the field of the operation, its digest, its answer, a nonce, a birth, the session, the store's ttl, then the bodies.
 */
export const plainAppendLua = `
if ARGV[1] == '+' then
  local packed = redis.call('HGET', KEYS[1], 'head')
  local birth, counter, epoch, epochNonce, last, created, ttl, own, ends, ops
  if packed then
    birth, counter, epoch, epochNonce, last, created, ttl, own, ends, ops = string.match(
      packed, '^(%S+) (%d+) %S+ (%d+) (%S+) (%d+) (%d+) %d+ (%S+) ([01]) (%S+) (%d+) 0 0$')
  end
  if birth and ttl == '-' and (own == '1' or ARGV[8] == '') and ops % 256 ~= 0 then
    local known = redis.call('HMGET', KEYS[4], ARGV[2], 'until')
    if known[2] and not known[1] and tonumber(ops) > 256 then
      known = redis.call('HMGET', KEYS[5], ARGV[2], 'until')
    end
    if known[2] and not known[1] then
      local time = redis.call('TIME')
      local stamp = time[1] .. string.sub(time[2] + 1000000, 2, 4)
      local seq = last + 1
      local added = redis.pcall('XADD', KEYS[2], 'NOMKSTREAM', '1-' .. seq, 't', stamp, 'b', ARGV[9])
      if type(added) == 'string' then
        for index = 10, #ARGV do
          seq = seq + 1
          redis.call('XADD', KEYS[2], '1-' .. seq, 't', stamp, 'b', ARGV[index])
        end
        local count = #ARGV - 8
        local tip = birth .. ' ' .. counter + 1 .. ' ' .. ARGV[5] .. ' ' .. epoch .. ' ' .. epochNonce .. ' '
        redis.call('HSET', KEYS[1], 'head', tip .. seq .. ' ' .. created .. ' ' .. stamp .. ' - ' .. own .. ' ' .. ends .. ' ' .. ops + 1 .. ' 0 0')
        local record = tip .. seq - count + 1 .. ' ' .. count .. ' ' .. stamp .. ' ' .. ARGV[3] .. ' ' .. ARGV[4]
        redis.call('HSET', KEYS[4], ARGV[2], record)
        return record
      end
    end
  end
end
`
