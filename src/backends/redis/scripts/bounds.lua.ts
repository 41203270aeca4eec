/**
 * Bounds are ranges, first and last seq by turns. `pathBounds` are those of the text of a path whose open range ends at `last`; `epochBounds` those of the path
 * that `epochRows` make. `firstOf` keeps the first entries, `pageOf` what lies before or after the seq that is asked for, nothing if it is not there. What cannot be read has
 * no bounds: the caller finds that the path is lost.
 */
export const boundsLua = `
local function pathBounds(path, last)
  local isJson, steps = pcall(cjson.decode, path or '')
  local bounds, before = {}, 0
  if not isJson or type(steps) ~= 'table' then return bounds end
  for index = 1, #steps, 2 do
    local from = before + steps[index]
    local to = steps[index + 1] == cjson.null and last or from + steps[index + 1]
    before = to
    if to >= from then bounds[#bounds + 1], bounds[#bounds + 2] = from, to end
  end
  return bounds
end

local function firstOf(bounds, count)
  local first, missing = {}, count
  for index = 1, #bounds, 2 do
    if missing <= 0 then break end
    local from, to = bounds[index], math.min(bounds[index + 1], bounds[index] + missing - 1)
    first[index], first[index + 1] = from, to
    missing = missing - (to - from + 1)
  end
  return first
end

local function epochBounds(rows, last)
  local parts, needed = {}, math.huge
  for index = 2, #rows, 2 do
    local whole, kept, own = string.match(rows[index], '^(%S+) %S+ %S+ %S+ (%d+) (%S+)$')
    whole = whole or string.match(rows[index], '^%S+')
    if whole ~= '-' then
      parts[#parts + 1] = firstOf(pathBounds(whole, last), needed)
      break
    end
    if not kept then return {} end
    kept = tonumber(kept)
    if needed > kept then parts[#parts + 1] = firstOf(pathBounds(own, last), needed - kept) end
    needed, last = math.min(needed, kept), ${Number.MAX_SAFE_INTEGER}
  end
  local bounds = {}
  for index = #parts, 1, -1 do
    for _, bound in ipairs(parts[index]) do bounds[#bounds + 1] = bound end
  end
  return bounds
end

local function pageOf(bounds, want)
  local seq = want.before or want.after
  if not seq then return bounds end
  local before, after = {}, nil
  for index = 1, #bounds, 2 do
    local from, to = bounds[index], bounds[index + 1]
    if after then
      after[#after + 1], after[#after + 2] = from, to
    elseif from <= seq and seq <= to then
      if seq > from then before[#before + 1], before[#before + 2] = from, seq - 1 end
      if want.before then return before end
      after = seq < to and { seq + 1, to } or {}
    else
      before[#before + 1], before[#before + 2] = from, to
    end
  end
  return after or {}
end
`
