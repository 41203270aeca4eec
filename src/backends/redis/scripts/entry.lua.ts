/**
 * `entryFields` makes the fields of an entry in the log, from the arguments after `argument`, and tells how far it has read and whether it
 * is a summary. `special` is the entry's `EntryKind`.
 */
export const entryLua = `
local function entryFields(special, at, argument)
  local fields = { 't', at }
  if special then
    fields[3], fields[4], fields[5], fields[6] = 'k', special[1], 'f', special[2]
  end
  argument = argument + 1
  fields[#fields + 1] = special and 'b' or 'c'
  fields[#fields + 1] = ARGV[argument]
  if special and special[3] then
    argument = argument + 1
    fields[#fields + 1] = 'y'
    fields[#fields + 1] = ARGV[argument]
  end
  return argument, fields, special and (special[1] == 'summary' or special[1] == 'compaction')
end
`

/** How many entries and summaries of a copy are there, and how they become those of the session. Both are counted separately, so that a loss is noticed. */
export const stagedLua = `
local stagedLog, stagedSummaries, mark = KEYS[8], KEYS[9], KEYS[10]

local function stagedEntries()
  local counted = redis.call('HMGET', mark, 'entries', 'summaries')
  local entries, sums = tonumber(counted[1]) or 0, tonumber(counted[2]) or 0
  local missing = sums - redis.call('ZCARD', stagedSummaries)
  return math.max(0, math.min(entries, redis.call('XLEN', stagedLog) - 1) - missing), sums
end

local function publish(sums)
  redis.call('RENAME', stagedLog, log)
  redis.call('PERSIST', log)
  if sums > 0 then
    redis.call('RENAME', stagedSummaries, summaries)
    redis.call('PERSIST', summaries)
  end
  redis.call('UNLINK', mark)
end
`
