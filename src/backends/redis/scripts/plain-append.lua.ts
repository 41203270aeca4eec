import { operationsKept, rememberedFor } from '../../../core/operation.ts'
import { besides } from './session.lua.ts'

/**
 * The way of nearly every commit, straight on and with few strings, for it is run for every turn: messages and nothing else, to sessions
 * that exist, are complete and never expire. Appends to one session are written together.
 *
 * The arguments are how many bodies each operation has, then for each session its id and how many operations follow, and for each of these
 * its field, the end of its record (a nonce of twelve characters, the digest, how many bodies, the answer) and the bodies. The reply is the record of the first operation, and for
 * several sessions a list of these. Sessions about which something is odd are left to what comes after, with nothing written; once in many operations that is so because the earlier ones are due to be forgotten.
 *
 * Counted in instructions: an append on its own makes no table, and other tables are first filled with any arguments, because growing them costs more. The most frequent
 * values of `beside` are compared as text, which is cheaper than making numbers of them. Each local that a function captures costs memory.
 */
export const plainAppendLua = `
local bodies, replies, odd = tonumber(ARGV[1]), {}, {}
if bodies then
  local time = redis.call('TIME')
  local stamp = time[1] .. string.sub('00000' .. time[2], -6, -4)

  local function fieldsFrom(first, count)
    if count == 1 then return ARGV[first] end
    local fields = { unpack(ARGV, first, first + count - 1) }
    for index = 2, count do fields[index] = ARGV[first + (index - 1) * (bodies + 2)] end
    return unpack(fields)
  end

  local function append(keys, first, count)
    local given, pcall, format, byte = ARGV, redis.pcall, string.format, string.byte
    local log, headKey = KEYS[keys + 1], KEYS[keys + 3]
    local known = pcall('HMGET', headKey, 'last', 'epoch', 'beside', 'counter', fieldsFrom(first, count))
    for index = 5, count + 4 do if known[index] then return false end end
    local epoch, beside = known[2], known[3]
    if beside == '${besides.unnamed}' then beside = ${besides.unnamed}
    elseif beside == '${besides.unnamed + besides.earlier}' then beside = ${besides.unnamed + besides.earlier}
    else beside = tonumber(beside) end
    if not beside or beside >= ${besides.odd} or pcall('HGET', KEYS[keys], 'epoch') ~= epoch then return false end
    if beside % 2 == ${besides.earlier} then
      local before = pcall('HMGET', KEYS[keys + 4], 'counter', fieldsFrom(first, count))
      if not before[1] then return false end
      for index = 2, count + 1 do if before[index] then return false end end
    end
    if beside % 4 >= ${besides.gone} then
      local before = pcall('HMGET', KEYS[keys + 5], fieldsFrom(first, count))
      if before.err then return false end
      for index = 1, count do if before[index] then return false end end
    end

    local counter, last = tonumber(known[4]), tonumber(known[1])
    if not (counter and last and epoch) then return false end
    if counter % ${operationsKept} + count >= ${operationsKept} and stamp - (redis.call('HGET', headKey, 'turned') or 0) >= ${rememberedFor} then
      return false
    end
    local middle = ' ' .. stamp .. ' ' .. epoch .. ' '
    local argument, named, unnamed = first, false, false
    local changes = count > 1 and { unpack(given, first, first + 2 * count - 3) }
    local reply, number, seq, record
    for index = 1, count do
      local ending, from = given[argument + 1], format('%d', last + 1)
      seq = from
      for body = 1, bodies do
        last = last + 1
        if body > 1 then seq = format('%d', last) end
        local id = '1-' .. seq
        if pcall('XADD', log, 'NOMKSTREAM', id, 't', stamp, 'c', given[argument + 1 + body]) ~= id then return false end
      end
      number = format('%d', counter + index)
      record = number .. ' ' .. from .. middle .. ending
      if index == 1 then reply = record else
        changes[index * 2 - 3], changes[index * 2 - 2] = given[argument], record
      end
      local digest, after = byte(ending, 14, 15)
      if digest == 45 and after == 32 then unnamed = true else named = true end
      argument = argument + bodies + 2
    end
    local flags = beside
    if named and flags % 8 < ${besides.named} then flags = flags + ${besides.named} end
    if unnamed and flags < ${besides.unnamed} then flags = flags + ${besides.unnamed} end
    if flags ~= beside then
      changes = changes or {}
      changes[#changes + 1], changes[#changes + 2] = 'beside', flags
    end
    if changes then
      redis.call('HSET', headKey, 'counter', number, 'last', seq, 'tip', record, given[first], reply, unpack(changes))
    else
      redis.call('HSET', headKey, 'counter', number, 'last', seq, 'tip', record, given[first], reply)
    end
    return reply
  end

  local keys, argument = 1, 2
  while argument < #ARGV do
    local count = tonumber(ARGV[argument + 1])
    local reply = append(keys, argument + 2, count)
    replies[#replies + 1] = reply
    if not reply then odd[#odd + 1] = { place = #replies, keys = keys, argument = argument, count = count } end
    keys, argument = keys + 6, argument + 2 + count * (bodies + 2)
  end
  if #odd == 0 then return #replies > 1 and replies or replies[1] end
end
`
