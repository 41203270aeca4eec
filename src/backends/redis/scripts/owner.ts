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

/** The server's time, and the tags on the list of an owner, each with when it was put there. */
export const ownedScript = makeScript(
  nowLua,
  "return { string.format('%.0f', now), redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES') }",
)

/** Takes tags off the list of an owner, each only if nobody has put it there again since. */
export const delistScript = makeScript(`
for index = 1, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[index]) == ARGV[index + 1] then redis.call('ZREM', KEYS[1], ARGV[index]) end
end
return 1
`)

/** For each state and head: owner, id and when it was last written, `0` if the head cannot be read. `false` if there is none of it. */
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
