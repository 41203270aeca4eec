import { operationsKept } from '../../../core/operation.ts'

/**
 * `nextGeneration` makes the newest operations the earlier ones, and forgets those that were. What callers named stays: if the newest hold fewer than are
 * remembered, the last of the earlier ones are carried on. Nothing is counted for operations that nobody named.
 */
export const generationsLua = `
local function isNamed(record) return string.match(record, '^%S+ %S+ %S+ %S+ %S+ %S+ %S+ (%S+)') ~= '-' end

local function nextGeneration(headKey, earlier, named, stamp)
  local carried, records = {}, {}
  local left = ${operationsKept} - named
  if left > 0 and tonumber(redis.call('HGET', earlier, 'named') or 0) > 0 then
    local fields = redis.call('HGETALL', earlier)
    for index = 1, #fields, 2 do
      local field, record = fields[index], fields[index + 1]
      if string.sub(field, 1, 2) == 'o:' and isNamed(record) then
        records[#records + 1] = { tonumber(string.match(record, '^%d+')), field, record }
      end
    end
    table.sort(records, function(a, b) return a[1] > b[1] end)
  end
  for index = 1, math.min(#records, left) do
    carried[#carried + 1], carried[#carried + 2] = records[index][2], records[index][3]
  end
  redis.call('RENAME', headKey, earlier)
  if #carried > 0 then
    redis.call('HSET', earlier, 'named', string.format('%d', named + #carried / 2), unpack(carried))
  end
  redis.call('HSET', headKey, 'turned', stamp)
end
`
