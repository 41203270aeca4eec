import { makeScript } from './script.ts'

/** A session may get an owner for this long after it was put on that owner's list, in milliseconds. */
export const listedFor = 10 * 60 * 1000

/** A member of an owner's list that is not that owner's session is removed if it was put there longer ago than this. It is much longer than `listedFor`, for the clocks of two servers may differ. */
export const staleAfter = 60 * 60 * 1000

/** `erasedMark` changes whenever the session is erased. */
export const ownerLua = `
local function erasedMark() return redis.call('HGET', gone, 'erased') or '' end
`

const nowLua = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** Puts a tag on the list of an owner, and returns when: later than ever before, so that nobody takes it for what they saw there. */
export const enlistScript = makeScript(
  nowLua,
  `
local before = redis.call('ZSCORE', KEYS[1], ARGV[1])
if before and tonumber(before) >= now then now = tonumber(before) + 1 end
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
return string.format('%.0f', now)
`,
)

/** Since when a tag is on the list of an owner. */
export const enlistedScript = makeScript("return redis.call('ZSCORE', KEYS[1], ARGV[1])")

/** `SORT` makes a short list larger for good, and there it gains nothing. */
const shortList = 128

/**
 * The server's time, the tags on the list of an owner, each with the time it was put there, and whether there are more. A short list is returned whole. Of a long one,
 * it returns the sessions last written, up to a number and none after a time, plus those written at the same time as the last one and those without a head. It takes the pattern of
 * the last commits (none: all), the number, and the time. `SORT` reads them many times as fast as a script can; a server that refuses it returns all.
 */
export const ownedScript = makeScript(
  nowLua,
  `
local pattern, count, upTo = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local function all() return { string.format('%.0f', now), redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'), 0 } end
if pattern == '' or redis.call('ZCARD', KEYS[1]) <= ${shortList} then return all() end
local tips = redis.pcall('SORT', KEYS[1], 'BY', 'nosort', 'DESC', 'GET', pattern)
if tips.err then return all() end

local match, times, newest = string.match, {}, {}
for index, tip in ipairs(tips) do
  local time = tip and tonumber(match(tip, '^%S+ %S+ (%d+)')) or 0
  times[index] = time
  if time <= upTo and (#newest < count or time > newest[count]) then
    local place = #newest
    while place > 0 and newest[place] < time do place = place - 1 end
    table.insert(newest, place + 1, time)
    newest[count + 1] = nil
  end
end
local least, members, more = newest[count] or 0, {}, 0
for index, time in ipairs(times) do
  if time == 0 or (time <= upTo and time >= least) then
    local member = redis.call('ZREVRANGE', KEYS[1], index - 1, index - 1, 'WITHSCORES')
    members[#members + 1], members[#members + 2] = member[1], member[2]
  elseif time < least then
    more = 1
  end
end
return { string.format('%.0f', now), members, more }
`,
)

/** Takes tags off the list of an owner, each only if nobody has put it there again since. */
export const delistScript = makeScript(`
for index = 1, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[index]) == ARGV[index + 1] then redis.call('ZREM', KEYS[1], ARGV[index]) end
end
return 1
`)

/** For each state and head: owner, id and when it was last written, `0` if the head cannot be read. `false` if there is none. */
export const peekScript = makeScript(`
local found = {}
for index = 1, #KEYS, 2 do
  local known = redis.pcall('HMGET', KEYS[index], 'owner', 'id')
  found[#found + 1] = false
  if known[1] and known[2] then
    local tip = redis.pcall('HGET', KEYS[index + 1], 'tip')
    local updated = type(tip) == 'string' and string.match(tip, '^%S+ %S+ (%d+)') or '0'
    found[#found] = { known[1], known[2], updated }
  end
end
return found
`)
