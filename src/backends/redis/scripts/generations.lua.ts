import { operationsKept } from '../../../core/operation.ts'

/**
 * `nextGeneration` makes the newest operations the earlier ones, and forgets those that were, but for what callers named: if the newest hold fewer of those
 * than are remembered, the last of the earlier ones are carried on. The head says whether there are any of either sort, so only a mixture is looked through.
 */
export const generationsLua = `
local function isNamed(record)
  local digest = string.find(record, ' - ', 1, true)
  local answer = digest and string.find(record, '["=]')
  return not digest or (answer and answer < digest)
end

local function namedOf(key)
  local fields, records = redis.call('HGETALL', key), {}
  for index = 1, #fields, 2 do
    local field, record = fields[index], fields[index + 1]
    if string.sub(field, 1, 2) == 'o:' and isNamed(record) then
      records[#records + 1] = { field, record }
    end
  end
  return records
end

local function nextGeneration(head, time)
  local named = head.hasNamed and (head.hasUnnamed and #namedOf(headKey) or ${operationsKept}) or 0
  local carried, left = {}, ${operationsKept} - named
  if left > 0 and head.hasEarlier == '1' and redis.call('HGET', earlier, 'named') ~= '0' then
    local records = namedOf(earlier)
    for _, one in ipairs(records) do one[3] = tonumber(string.match(one[2], '^%d+')) end
    table.sort(records, function(a, b) return a[3] > b[3] end)
    for index = 1, math.min(#records, left) do
      carried[#carried + 1], carried[#carried + 2] = records[index][1], records[index][2]
    end
  end
  redis.call('RENAME', headKey, earlier)
  redis.call('HSET', earlier, 'named', text(named + #carried / 2), unpack(carried))
  redis.call('HSET', headKey, 'turned', text(time))
  head.hasEarlier, head.hasNamed, head.hasUnnamed = '1', false, false
end
`
