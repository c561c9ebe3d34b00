-- The load: half new records, half updates of ten thousand that are there.
-- Arguments: authorization, content type, the body with @ID@ and @N@ in it, a prefix for new identifiers,
-- and "keyed" where every request is to have an Idempotency-Key.
local authorization, contentType, template, prefix, keyed
local count = 0
local threads = 0

-- Each thread has a state of its own: what is set there is a global of it, and must not be hidden by a local.
function setup(worker)
  worker:set("thread", threads)
  threads = threads + 1
end

function init(args)
  authorization, contentType, prefix, keyed = args[1], args[2], args[4], args[5] ~= nil
  local parts = {}
  for part in (args[3] .. "@"):gmatch("(.-)@") do parts[#parts + 1] = part end
  template = parts
  wrk.method = "POST"
  wrk.headers["Authorization"] = authorization
  wrk.headers["Content-Type"] = contentType
end

function request()
  count = count + 1
  local id
  if count % 2 == 0 then
    id = "known-" .. (count * 7919 + thread * 104729) % 10000
  else
    id = prefix .. "-" .. thread .. "-" .. count
  end
  local body = {}
  for i, part in ipairs(template) do
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
