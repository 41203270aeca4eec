import type { EpochCause } from '../../../core/backend.ts'
import { erasedOperationsKept, operationsKept, rememberedFor } from '../../../core/operation.ts'
import { entryLua, stagedLua } from './entry.lua.ts'
import { generationsLua } from './generations.lua.ts'
import { listedFor, ownerLua } from './owner.ts'
import { plainAppendLua } from './plain-append.lua.ts'
import { makeScript } from './script.ts'
import { buryLua, sessionLua, turnLua } from './session.lua.ts'

/**
 * Applies a change as `advance` would and returns the record of the operation, or says why not. Takes a `CommitRequest` as JSON, then the
 * body of each entry and, if it has any, its bytes; or the arguments of `plainAppendLua`, whose special cases it applies one by one, and returns a list. Everything that could fail is checked before the first write, because a script that fails later is not rolled back.
 */
export const commitScript = makeScript(
  plainAppendLua,
  sessionLua,
  generationsLua,
  turnLua,
  ownerLua,
  buryLua,
  entryLua,
  stagedLua,
  `
local function commit(request, argument)
  local time = now()
  local head, problem = load()
  if problem then return { 'LOST', problem } end

  local known = findOperation(request.operation)
  if known then
    if string.match(known, '^%S+ %S+ %S+ %S+ %S+ %S+ %S+ (%S+)') ~= request.digest then return { 'OPERATION' } end
    if request.touch then
      redis.call('HSET', gone, 'touched', '0')
      redis.call('PEXPIRE', gone, ${erasedOperationsKept})
    end
    return known
  end

  if request.ifTurn and not holdsTurn(request.ifTurn) then return { 'TURN' } end
  if request.ifVersion then
    local actual = head and versionToken(head) or ''
    if actual ~= request.ifVersion then return { 'VERSION', actual } end
  end
  if request.ifEpoch then
    local actual = head and epochToken(head) or ''
    local holds = actual == request.ifEpoch
    if request.ifEpoch == '' then holds = not head or head.takenBack == 1 end
    if not holds then return { 'EPOCH', actual } end
  end
  if request.ifPath then
    local actual = head and pathToken(head) or ''
    if actual ~= request.ifPath then return { 'PATH', actual } end
  end
  local function snapshotNumber(id)
    local packed = head and redis.call('HGET', state, 's:' .. id)
    return packed and tonumber(string.match(packed, '^%d+'))
  end
  if request.ifSnapshot then
    local number = snapshotNumber(request.ifSnapshot)
    if not number or number ~= (request.ifSnapshotNumber or number) then return { 'NO_SNAPSHOT' } end
  end
  local put = request.putSnapshot
  if put and snapshotNumber(put[1]) then return { 'SNAPSHOT_EXISTS' } end

  local staged = request.staged
  local stagedSums = 0
  if staged then
    local found
    found, stagedSums = stagedEntries()
    if found ~= staged then return { 'COPY', text(found) } end
  end

  local about = {}
  if not head then
    for index = 1, #(request.begin or {}), 2 do about[request.begin[index]] = request.begin[index + 1] end
  end
  for index = 1, #(request.describe or {}), 2 do about[request.describe[index]] = request.describe[index + 1] end
  if (about.owner or '') ~= '' and not (head and redis.call('HGET', state, 'owner') == about.owner) then
    local mark = erasedMark()
    local since = request.listed and math.abs(time - request.listed) or math.huge
    if since > ${listedFor} or request.mark ~= mark then return { 'OWNER', mark } end
  end

  local function nextEntry(index, at)
    local fields, isSummary
    argument, fields, isSummary = entryFields(request.kinds and request.kinds[index], at, argument)
    return fields, isSummary
  end

  local function place(where, last, count)
    if where == 'end' then return last end
    if where == 'appended' then return last + 1 end
    if where == 'next' then return last + count + 1 end
    return where
  end

  local function pathText(plan, last, count)
    local ranges = {}
    for index = 1, #plan, 2 do
      local from, to = place(plan[index], last, count), place(plan[index + 1], last, count)
      local size = #ranges
      if to == 'open' or to >= from then
        if size > 0 and ranges[size] ~= 'open' and ranges[size] == from - 1 then
          ranges[size] = to
        else
          ranges[size + 1], ranges[size + 2] = from, to
        end
      end
    end
    local steps, before = {}, 0
    for index = 1, #ranges, 2 do
      local from, to = ranges[index], ranges[index + 1]
      steps[index] = text(from - before)
      steps[index + 1] = to == 'open' and 'null' or text(to - from)
      before = to == 'open' and from or to
    end
    return '[' .. table.concat(steps, ',') .. ']'
  end

  local function setEnd(after)
    if request.expire == 'never' then
      after.ttl, after.own, after.ends = '-', '1', '-'
    elseif request.expireAt then
      after.ttl, after.own, after.ends = '-', '1', text(math.ceil(request.expireAt))
    elseif request.expireTtl then
      after.ttl, after.own, after.ends = request.expireTtl, '1', text(math.ceil(time + tonumber(request.expireTtl)))
    else
      local ttl = after.own == '0' and request.ttl or after.ttl
      if ttl ~= '-' then
        local ends = math.ceil(time + tonumber(ttl))
        if tonumber(ttl) == tonumber(after.ttl) then ends = math.max(ends, tonumber(after.ends) or ends) end
        after.ttl, after.ends = ttl, text(ends)
      end
    end
  end

  local fields = {}
  local function set(name, value) fields[#fields + 1], fields[#fields + 2] = name, value end

  local function begin()
    if redis.call('EXISTS', headKey, earlier) > 0 then bury(time) end
    if staged then publish(stagedSums) else redis.call('XADD', log, '0-1', 'id', request.session) end
    set('id', request.session)
    set('log', request.nonce)
  end

  local function setAutomatic(dropped, added)
    local packed = head and redis.call('HGET', state, 'automatic')
    local kept = {}
    for _, id in ipairs(packed and cjson.decode(packed) or {}) do
      if not dropped[id] then kept[#kept + 1] = id end
    end
    if added then kept[#kept + 1] = added end
    if #kept > 0 then set('automatic', cjson.encode(kept)) elseif packed then redis.call('HDEL', state, 'automatic') end
  end

  local after, first
  local count = request.count
  local restore = request.restore
  if restore then
    begin()
    after = headOf(restore.head)
    first = 1
    after.sums = stagedSums
    for index = 1, count do
      local entry, isSummary = nextEntry(index, restore.times[index])
      redis.call('XADD', log, '1-' .. text(restore.seqs[index]), unpack(entry))
      if isSummary then after.sums = after.sums + redis.call('ZADD', summaries, restore.seqs[index], text(restore.seqs[index])) end
    end
    if staged then count = staged end
    for index = 1, #restore.fields, 2 do set(restore.fields[index], restore.fields[index + 1]) end
  else
    local stamp = text(time)
    after = {
      birth = request.birth, counter = 0, nonce = request.birth, epoch = 1, epochNonce = request.birth, last = 0,
      created = stamp, ttl = '-', own = '0', ends = '-', takenBack = 1, takenNonce = request.birth, sums = 0, buried = '0', hasEarlier = '0',
    }
    for name, value in pairs(head or {}) do after[name] = value end
    local last = after.last
    local before = after.epoch
    first = last + 1
    if not head then begin() end
    for index = 1, count do
      local entry, isSummary = nextEntry(index, stamp)
      local seq = text(last + index)
      local added = redis.pcall('XADD', log, '1-' .. seq, unpack(entry))
      if type(added) == 'table' and added.err then
        if string.find(added.err, 'equal or smaller', 1, true) then
          return { 'LOST', 'its log continues after entry ' .. text(last) .. ', which is the last one in its head' }
        end
        return added
      end
      if isSummary then after.sums = after.sums + redis.call('ZADD', summaries, seq, seq) end
    end
    if staged then count, after.sums = staged, stagedSums end
    setEnd(after)
    after.counter = after.counter + 1
    after.nonce = request.nonce
    after.last = last + count
    after.updated = stamp
    if request.path then
      after.epoch = before + 1
      after.epochNonce = request.nonce
      if request.takesBack then after.takenBack, after.takenNonce = after.epoch, request.nonce end
      local left = head and redis.call('HGET', state, 'e:' .. text(before))
      local difference = left and string.match(left, '^%[%S* (%S+ %S+ %d+ %d+ %S+)$')
      if difference then set('e:' .. text(before), '- ' .. difference) end
      local row = { pathText(request.path, last, count), request.cause, stamp }
      if request.base then
        row[4], row[5], row[6] = text(request.base[1]), text(request.base[2]), pathText(request.own, last, count)
      end
      set('e:' .. text(after.epoch), table.concat(row, ' '))
    elseif not head then
      set('e:1', '[1,null] begin ' .. stamp)
    end
    if request.dropSnapshots or put then
      local dropped = {}
      for _, id in ipairs(request.dropSnapshots or {}) do
        dropped[id] = true
        redis.call('HDEL', state, 's:' .. id)
      end
      if put then
        set('s:' .. put[1], table.concat({ text(after.counter), text(before), text(last), stamp, put[2], put[3] }, ' '))
      end
      setAutomatic(dropped, put and put[2] == '1' and put[1])
    end
  end

  for name, value in pairs(about) do
    if value ~= '' then set(name, value) elseif head then redis.call('HDEL', state, name) end
  end

  if head and after.counter % ${operationsKept} == 0 and time - (redis.call('HGET', headKey, 'turned') or 0) >= ${rememberedFor} then
    nextGeneration(after, time)
  end
  if request.digest == '-' then after.hasUnnamed = true else after.hasNamed = true end
  if not head then after.buried = text(redis.call('EXISTS', gone)) end
  if after.newest ~= epochText(after) then set('epoch', epochText(after)) end
  for index = 1, #fields, 1000 do redis.call('HSET', state, unpack(fields, index, math.min(index + 999, #fields))) end
  local record = recordText(after, first, text(time), request.digest .. ' ' .. text(count) .. ' ' .. request.answer)
  writeHead(after, 'o:' .. request.operation, record)

  if after.ends ~= '-' then
    local day = ${erasedOperationsKept}
    for _, key in ipairs({ state, log, summaries }) do redis.call('PEXPIREAT', key, after.ends) end
    for _, key in ipairs({ headKey, earlier }) do redis.call('PEXPIREAT', key, text(math.max(tonumber(after.ends), time) + day)) end
  elseif head and head.ends ~= '-' then
    for _, key in ipairs({ state, log, summaries, headKey, earlier }) do redis.call('PERSIST', key) end
  end
  return record
end

if not bodies then return commit(cjson.decode(ARGV[1]), 1) end

local function tried(...)
  local isDone, reply = pcall(commit, ...)
  if isDone and not (type(reply) == 'table' and reply.err) then return reply end
  return { 'FAILED', type(reply) == 'table' and reply.err or tostring(reply) }
end

for _, left in ipairs(odd) do
  state, log, summaries, headKey, earlier, gone = unpack(KEYS, left.keys, left.keys + 5)
  local each = {}
  for index = 1, left.count do
    local argument = left.argument + 3 + (index - 1) * (bodies + 2)
    local nonce, digest, answer = string.match(ARGV[argument], '^(%S+) (%S+) %d+ (.*)$')
    each[index] = tried({
      session = ARGV[left.argument], operation = string.sub(ARGV[argument - 1], 3), digest = digest, answer = answer,
      nonce = nonce, birth = nonce, count = bodies,
    }, argument)
  end
  replies[left.place] = each
end
return #replies > 1 and replies or replies[1]
`,
)

/** `[kind, format, whether bytes follow]`, or `false` for a plain message. */
export type EntryKind = readonly [kind: string, format: string, hasBytes: boolean] | false

/** Optional parts are left out; a meaningful `null` is the empty text. */
export interface CommitRequest {
  readonly session: string
  readonly operation: string
  readonly digest: string
  readonly answer: string
  readonly birth: string
  readonly nonce: string
  readonly count: number
  /** Left out if all are plain. */
  readonly kinds?: readonly EntryKind[]
  readonly ifVersion?: string
  readonly ifEpoch?: string
  readonly ifPath?: string
  readonly ifTurn?: string
  readonly ifSnapshot?: string
  readonly ifSnapshotNumber?: number
  /** The ranges one after the other; `open` for no end. */
  readonly path?: readonly (number | string)[]
  readonly cause?: EpochCause
  readonly takesBack?: boolean
  /** The number of the epoch that the path is based on, and how many of its entries come first; those of `own` follow. */
  readonly base?: readonly [epoch: number, entries: number]
  readonly own?: readonly (number | string)[]
  readonly putSnapshot?: readonly [id: string, automatic: '0' | '1', label: string]
  readonly dropSnapshots?: readonly string[]
  readonly ttl?: string
  readonly expire?: 'never'
  readonly expireAt?: number
  readonly expireTtl?: string
  readonly restore?: {
    /** As `headToText` writes it. */
    readonly head: string
    readonly seqs: readonly number[]
    readonly times: readonly string[]
    /** Names and values of the state. */
    readonly fields: readonly string[]
  }
  /** Names and values of owner, title and metadata: for a session that the change creates, and for any session. The empty text means none. */
  readonly begin?: readonly string[]
  readonly describe?: readonly string[]
  /** When the session was put on the list of the owner that it gets, and the mark of its last erasure just before. Without them, it is `OWNER` and the mark. */
  readonly listed?: number
  readonly mark?: string
  /** The number of staged entries, under the copy whose keys follow those of the session. */
  readonly staged?: number
  /** Writes something even if the operation was applied before, so that replicas can be waited for. */
  readonly touch?: true
}
