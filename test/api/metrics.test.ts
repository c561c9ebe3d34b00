/** What an operator scrapes is right: every answer is counted, histograms add up, and nothing private is in it; and the service does not depend on the port of it. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { before, describe, it } from 'node:test';
import { type CountedService, startCounted } from '../support/counted-service.ts';
import { countsOf, type Scrape } from '../support/scrape.ts';
import { locationBody, visitorBody } from '../support/sent.ts';
import { exchange } from '../support/wire.ts';

const PRIVATE = {
  name: 'Wilhelmina Quackenbush',
  phone: '+14155550199',
  email: 'wilhelmina@example.com',
  identifier: 'tablet-marker-7741',
};

describe('after some requests', () => {
  let service: CountedService;
  let scraped: Scrape;
  let atFirst: Scrape;
  /** How many drafts went to the store. */
  const DRAFTS = 46;

  before(async () => {
    service = await startCounted();
    atFirst = await service.scrape();
    const location = await service.location();
    await service.location();
    const event = await service.event(location);
    const checkIn = (id: string, more: object = {}) =>
      service.json('/v1/event_check_in_records/upsert', {
        ...visitorBody(event, id, { visitor_full_name: PRIVATE.name }),
        ...{ visitor_phone_number: PRIVATE.phone, visitor_email_address: PRIVATE.email },
        ...more,
      });
    await checkIn(PRIVATE.identifier);
    await checkIn(PRIVATE.identifier, { visitor_full_name: `${PRIVATE.name} II` });
    await checkIn(PRIVATE.identifier, { visitor_full_name: `${PRIVATE.name} II` });
    await Promise.all(Array.from({ length: 40 }, (_, index) => checkIn(`many-${index}`)));
    // Refused before they are drafts.
    await checkIn('bad', { visitor_full_name: 7 });
    await checkIn('bad', { [PRIVATE.name]: PRIVATE.email });
    await checkIn('bad', { event_unique_identifier: PRIVATE.identifier });
    await service.json('/v1/events/upsert_many?dry_run=true', [{ [PRIVATE.name]: 1 }, {}]);
    await service.get('/v1/locations');
    await service.get('/v1/locations?limit=0');
    await service.get('/v1/accounts', { key: `sk_test_${PRIVATE.identifier}` });
    await service.get(`/v1/${PRIVATE.identifier}/${encodeURIComponent(PRIVATE.name)}`);
    await service.get(`/v1/%zz${PRIVATE.identifier}`);
    await service.send('PUT', '/v1/events/upsert');
    await service.get('/healthz');
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await service.get('/docs/errors.md', { headers: { traceparent } });
    await exchange(service.url, `${PRIVATE.identifier}\r\n\r\n`);
    scraped = await service.scrape();
  });

  it('they are counted by resource, outcome and status', () => {
    assert.deepEqual(countsOf(scraped), {
      'location created 200': 1,
      'location unchanged 200': 1,
      'location ok 200': 1,
      'location number_out_of_range 400': 1,
      'event created 200': 1,
      'event ok 200': 1,
      'event_check_in_record created 200': 41,
      'event_check_in_record updated 200': 1,
      'event_check_in_record unchanged 200': 1,
      'event_check_in_record type_invalid 400': 1,
      'event_check_in_record parameter_unknown 400': 1,
      'event_check_in_record resource_missing 404': 1,
      'account api_key_missing 401': 1,
      'none path_unknown 404': 2,
      'none method_not_allowed 405': 1,
      'none request_malformed 400': 1,
      'none ok 200': 2,
    });
  });

  it('rows of one request are counted by outcome, or by the code of their error', () => {
    const rows = scraped.samples('ledgerstone_rows_total').filter(({ value }) => value > 0);
    assert.deepEqual(
      rows.map(({ labels: { resource, outcome }, value }) => [resource, outcome, value]),
      [['event', 'parameter_missing', 2]],
    );
  });

  it('faults of ours are there from the start, at zero, so that the first one is a rise', () => {
    assert.deepEqual(countsOf(atFirst), {});
    const faults = (resource: string) => [
      { resource, outcome: 'internal_error', status: '500' },
      { resource, outcome: 'store_refused', status: '500' },
      { resource, outcome: 'service_unavailable', status: '503' },
    ];
    for (const labels of [...faults('none'), ...faults('event_check_in_record')])
      assert.equal(atFirst.value('ledgerstone_requests_total', labels), 0);
    for (const outcome of ['internal_error', 'store_refused'])
      assert.equal(atFirst.value('ledgerstone_rows_total', { resource: 'event', outcome }), 0);
  });

  it('every histogram is cumulative and adds up', () => {
    const histograms = [...scraped.families.values()].filter(({ type }) => type === 'histogram');
    assert.ok(histograms.length >= 5);
    for (const { name, samples } of histograms) {
      const series = Map.groupBy(samples, ({ labels: { le, ...rest } }) => JSON.stringify(rest));
      for (const [labels, own] of series) {
        const where = `${name} ${labels}`;
        const buckets = own.filter((one) => one.name === `${name}_bucket`);
        const bounds = buckets.map(({ labels: { le = '' } }) =>
          Number(le.replace('+Inf', 'Infinity')),
        );
        const counts = buckets.map(({ value }) => value);
        for (const rising of [bounds, counts])
          assert.deepEqual(rising, Array.from(Float64Array.from(rising).sort()), where);
        assert.equal(new Set(bounds).size, bounds.length, where);
        assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, where);
        const count = own.find((one) => one.name === `${name}_count`)?.value;
        const sum = own.find((one) => one.name === `${name}_sum`)?.value ?? Number.NaN;
        assert.equal(count, counts.at(-1), where);
        assert.ok(sum >= 0 && (count !== 0 || sum === 0), where);
      }
    }
  });

  it('each request has a duration, but bytes that are none', () => {
    const perResource = Map.groupBy(
      scraped
        .samples('ledgerstone_requests_total')
        .filter(({ labels: { outcome } }) => outcome !== 'request_malformed'),
      ({ labels: { resource = '' } }) => resource,
    );
    const durations = scraped.samples('ledgerstone_request_duration_seconds_count');
    assert.equal(durations.length, perResource.size);
    for (const { labels, value } of durations) {
      const counted = (perResource.get(labels.resource ?? '') ?? []).reduce(
        (sum, one) => sum + one.value,
        0,
      );
      // A path that cannot be decoded is refused before the clock starts.
      assert.equal(value, labels.resource === 'none' ? counted - 1 : counted, `${labels.resource}`);
    }
  });

  it('the six stages are there, each counted where it was entered', () => {
    const entered = Object.fromEntries(
      scraped
        .samples('ledgerstone_stage_duration_seconds_count')
        .map(({ labels, value }) => [labels.stage, value]),
    );
    const stages = ['parse', 'authorize', 'resolve', 'merge', 'commit', 'present'];
    assert.deepEqual(Object.keys(entered), stages);
    assert.equal(entered.commit, DRAFTS);
    assert.equal(entered.merge, DRAFTS);
    // The list, too.
    assert.equal(entered.present, DRAFTS + 1);
    for (const { labels, value } of scraped.samples('ledgerstone_stage_duration_seconds_sum'))
      assert.ok(value > 0 && value < 60, `${labels.stage}`);
  });

  it('commits are counted with their sizes, and nothing waits', () => {
    const commits = scraped.value('ledgerstone_commit_drafts_count') ?? 0;
    assert.equal(scraped.value('ledgerstone_commit_drafts_sum'), DRAFTS);
    assert.ok(commits > 0 && commits <= DRAFTS);
    assert.equal(scraped.value('ledgerstone_commit_duration_seconds_count'), commits);
    assert.equal(scraped.value('ledgerstone_queue_drafts'), 0);
  });

  it('it says which version runs, and how the process and Node fare', async () => {
    const { default: about } = await import('../../package.json', { with: { type: 'json' } });
    assert.equal(scraped.value('ledgerstone_build_info', { version: about.version }), 1);
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'process_open_fds',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes',
    ])
      assert.ok((scraped.value(name) ?? -1) >= 0, name);
  });

  it('names follow the conventions', () => {
    for (const { name, type, help } of scraped.families.values()) {
      if (!name.startsWith('ledgerstone_')) continue;
      assert.match(name, /^[a-z]+(?:_[a-z]+)+$/);
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      assert.match(help, /^[A-Z].*\.$/);
    }
  });

  it('nothing of a caller is in it: no name, number, key, path or identifier', () => {
    const own = [...Object.values(PRIVATE), ...PRIVATE.name.split(' '), service.key];
    for (const text of [...own, service.account.unique_identifier, 'acct_', 'loc_', 'req_'])
      assert.ok(!scraped.text.includes(text), text);
    for (const text of ['/v1', 'aaaa']) assert.ok(!scraped.text.includes(text), text);
  });

  it('names no label value that was not foreseen', () => {
    const values = scraped
      .samples('ledgerstone_requests_total')
      .flatMap(({ labels: { resource = '', outcome = '' } }) => [resource, outcome]);
    for (const value of values) assert.match(value, /^[a-z_]+$/);
  });
});

describe('the port of the metrics', () => {
  let service: CountedService;
  before(async () => {
    service = await startCounted();
  });

  it('takes GET /metrics and nothing else', async () => {
    const at = (path: string, method = 'GET') => fetch(new URL(path, service.metrics), { method });
    assert.equal((await at('/metrics')).status, 200);
    assert.equal((await at('/metrics?now=1')).status, 200);
    for (const path of ['/', '/metrics/', '/healthz', '/v1/accounts', '/../metrics/x'])
      assert.equal((await at(path)).status, 404, path);
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
      const answer = await at('/metrics', method);
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers.get('allow'), 'GET');
    }
  });

  it('is no part of the service: its scrapes are not counted, and the service has no /metrics', async () => {
    await service.scrape();
    assert.equal((await service.get('/metrics')).status, 404);
    assert.deepEqual(countsOf(await service.scrape()), { 'none path_unknown 404': 1 });
  });
});

describe('when things go wrong', () => {
  it('what the store cannot take is counted as unavailable, and the metrics stay', async () => {
    const service = await startCounted();
    await service.location();
    await service.app.store.close();
    const late = locationBody(service.account.unique_identifier, 'late');
    const { status } = await service.json('/v1/locations/upsert', late);
    assert.equal(status, 503);
    assert.equal((await service.get('/readyz')).status, 503);
    const counts = countsOf(await service.scrape());
    assert.equal(counts['location service_unavailable 503'], 1);
    assert.equal(counts['none service_unavailable 503'], 1);
  });

  it('a scraper that stays connected does not hold up the end', async () => {
    const service = await startCounted();
    const { hostname, port } = new URL(service.metrics);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.once('connect', resolve));
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.on('error', () => {});
    const began = performance.now();
    await service.stop();
    await gone;
    assert.ok(performance.now() - began < 5000);
  });
});
