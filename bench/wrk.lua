-- The load: half new records, half updates of those that are there.
-- Arguments: authorization, content type, the body with @ID@ and @N@ in it, a prefix for new identifiers, how many records
-- are known, and "keyed" where every request is to have an Idempotency-Key.
-- Authorization and body may have several lines: requests take them in turn.
local authorizations, templates, prefix, known, keyed
local count = 0
local threads = 0

-- Each thread has a state of its own: what is set there is a global of it, and must not be hidden by a local.
function setup(worker)
  worker:set("thread", threads)
  threads = threads + 1
end

function init(args)
  prefix, known, keyed = args[4], tonumber(args[5]), args[6] ~= nil
  authorizations, templates = lines(args[1]), {}
  for i, line in ipairs(lines(args[3])) do
    templates[i] = {}
    for part in (line .. "@"):gmatch("(.-)@") do table.insert(templates[i], part) end
  end
  wrk.method = "POST"
  wrk.headers["Content-Type"] = args[2]
end

function lines(text)
  local found = {}
  for line in text:gmatch("[^\n]+") do found[#found + 1] = line end
  return found
end

function request()
  count = count + 1
  local id
  if count % 2 == 0 then
    id = "known-" .. (count * 7919 + thread * 104729) % known
  else
    id = prefix .. "-" .. thread .. "-" .. count
  end
  -- Each gets new records and known ones, two at a time.
  local turn = math.floor(count / 2) % #templates + 1
  wrk.headers["Authorization"] = authorizations[turn]
  local body = {}
  for i, part in ipairs(templates[turn]) do
    if part == "ID" then body[i] = id elseif part == "N" then body[i] = tostring(count % 100000) else body[i] = part end
  end
  if keyed then wrk.headers["Idempotency-Key"] = prefix .. "-" .. thread .. "-" .. count end
  return wrk.format(nil, nil, nil, table.concat(body))
end

function done(summary, latency, requests)
  io.write(string.format(
    'RESULT {"requests":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"maxUs":%d,"non2xx":%d,"socketErrors":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    summary.errors.status, summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
