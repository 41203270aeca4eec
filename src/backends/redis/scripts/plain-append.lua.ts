import { operationsKept, rememberedFor } from '../../../core/operation.ts'
import { besides } from './session.lua.ts'

/**
 * The way of nearly every commit, straight on and with few strings, for it is run for every turn: messages and nothing else, to sessions
 * that are there, are whole and never expire. What one session is asked for at the same time is written together.
 *
 * The arguments are how many bodies each operation has, then for each session its id and how many operations follow, and for each of these
 * its field, the end of its record (a nonce of twelve characters, the digest, how many bodies, the answer) and the bodies. The reply is the record of the first operation, and for
 * several sessions a list of these. Sessions about which something is odd are left to what comes after, with nothing written; once in many operations that is so because the earlier ones are due to be forgotten.
 */
export const plainAppendLua = `
local bodies, replies, odd = tonumber(ARGV[1]), {}, {}
if bodies then
  local call, pcall, format, byte = redis.call, redis.pcall, string.format, string.byte
  local time = call('TIME')
  local stamp = time[1] .. string.sub('00000' .. time[2], -6, -4)

  local function knowsNone(key, fields, isWanted)
    local known = pcall('HMGET', key, unpack(fields, 4))
    if known.err or (isWanted and not known[1]) then return false end
    for index = 2, #fields - 3 do if known[index] then return false end end
    return true
  end

  local function append(keys, first, count)
    local log, headKey, earlier = KEYS[keys + 1], KEYS[keys + 3], KEYS[keys + 4]
    local fields = { 'last', 'epoch', 'beside', 'counter', ARGV[first] }
    for index = 2, count do fields[index + 4] = ARGV[first + (index - 1) * (bodies + 2)] end
    local known = pcall('HMGET', headKey, unpack(fields))
    for index = 5, count + 4 do if known[index] then return false end end
    local epoch, beside = known[2], tonumber(known[3])
    if not beside or beside >= ${besides.odd} or pcall('HGET', KEYS[keys], 'epoch') ~= epoch then return false end
    if beside % 2 == ${besides.earlier} and not knowsNone(earlier, fields, true) then return false end
    if beside % 4 >= ${besides.gone} and not knowsNone(KEYS[keys + 5], fields, false) then return false end

    local counter, last = tonumber(known[4]), tonumber(known[1])
    if not (counter and last and epoch) then return false end
    if counter % ${operationsKept} + count >= ${operationsKept} and stamp - (call('HGET', headKey, 'turned') or 0) >= ${rememberedFor} then
      return false
    end
    local middle = ' ' .. stamp .. ' ' .. epoch .. ' '
    local changes, reply = { 'counter', '', 'last', '', 'tip', '', '', '' }, nil
    local argument, named, unnamed = first, false, false
    for index = 1, count do
      local from = format('%d', last + 1)
      local seq = from
      for body = 1, bodies do
        last = last + 1
        if body > 1 then seq = format('%d', last) end
        local added = pcall('XADD', log, 'NOMKSTREAM', '1-' .. seq, 't', stamp, 'c', ARGV[argument + 1 + body])
        if type(added) ~= 'string' then return false end
      end
      local number = format('%d', counter + index)
      local record = number .. ' ' .. from .. middle .. ARGV[argument + 1]
      reply = reply or record
      changes[2], changes[4], changes[6] = number, seq, record
      changes[index * 2 + 5], changes[index * 2 + 6] = ARGV[argument], record
      local digest, after = byte(ARGV[argument + 1], 14, 15)
      if digest == 45 and after == 32 then unnamed = true else named = true end
      argument = argument + bodies + 2
    end
    local flags = beside
    if named and flags % 8 < ${besides.named} then flags = flags + ${besides.named} end
    if unnamed and flags < ${besides.unnamed} then flags = flags + ${besides.unnamed} end
    if flags ~= beside then changes[#changes + 1], changes[#changes + 2] = 'beside', flags end
    call('HSET', headKey, unpack(changes))
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
