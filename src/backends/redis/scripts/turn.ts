import { makeScript } from './script.ts'

/** Takes the turn for a token, for some milliseconds; otherwise returns how long the holder's lease still lasts. */
export const takeTurnScript = makeScript(`
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return math.max(1, redis.call('PTTL', KEYS[1])) end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 0
`)

/** Starts the lease anew, and returns `1`, if the turn is held under the token. */
export const renewTurnScript = makeScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`)

/** Gives up the turn if it is held under the token. */
export const endTurnScript = makeScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('UNLINK', KEYS[1])
`)
