/** The self-test: a program that does all that it should passes every check, and one that is wrong in one way fails that check alone. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { issueKey } from '../../../src/records/auth/issue-key.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { served } from '../../support/world.ts';
import { runSelfTestProgram } from './program.ts';

const settings = keyed();
const PATH = '/v1/self_tests';

const service = served({ settings });

/** A test account and a key of it, and what opens a self-test and reads its report. */
async function partner(livemode = false) {
  const { unique_identifier: account } = await service.app.store.accounts.create({
    name: 'A partner',
    livemode,
  });
  const { secret: key } = await issueKey(service.app.store.keys, livemode, {
    ...{ accounts: [account], allow: ['webhooks'] },
  });
  const open = () => service.send('POST', PATH, { key });
  const read = async (id: string): Promise<Body> =>
    (await service.get(`${PATH}/${id}`, { key })).body;
  return { account, key, open, read };
}

const NAMES = [
  ...['nested_fields', 'text_kept', 'time_zone', 'resend_unchanged', 'bad_row_skipped'],
  ...['error_not_retried', 'rate_limit_retried', 'unavailable_retried', 'idempotency_key_repeated'],
  ...['signature_verified', 'feed_followed', 'feed_resumed'],
];

describe('a self-test', { concurrency: true }, () => {
  for (const wrong of [undefined, ...NAMES]) {
    it(
      wrong === undefined
        ? 'is passed by a program that does everything right'
        : `finds that a program fails ${wrong}, and no other check`,
      async () => {
        const { key, open, read } = await partner();
        const { body: opened } = await open();
        assert.deepEqual(
          opened.checks.map(({ name, status }: Body) => [name, status]),
          NAMES.map((name) => [name, 'missing']),
        );
        await runSelfTestProgram(key, service.url, wrong);
        const report = await read(opened.unique_identifier);
        const others = report.checks.filter(({ status }: Body) => status !== 'passed');
        assert.deepEqual(
          others.map(({ name }: Body) => name),
          wrong === undefined ? [] : [wrong],
          JSON.stringify(report.checks, null, 1),
        );
        assert.deepEqual(
          [report.status, report.passed],
          wrong === undefined ? ['passed', 12] : ['open', 11],
        );
      },
    );
  }

  it('is a page for people, and a list for callers that may see the account', async () => {
    const { key, account, open } = await partner();
    const { body: opened } = await open();
    const path = `${PATH}/${opened.unique_identifier}`;
    const page = await service.get(path, { key, headers: { Accept: 'text/html' } });
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.text, /<h1>0 of 12 checks passed<\/h1>/);
    for (const name of NAMES) assert.ok(page.text.includes(name), name);
    // Below a path prefix of its host, too.
    for (const [, href = ''] of page.text.matchAll(/href="([^"]+)"/g)) {
      const { pathname } = new URL(href, `https://example.com/records${path}`);
      assert.match(pathname, /^\/records\/docs/);
      const found = await service.send('GET', pathname.replace('/records', ''), { key: null });
      assert.equal(found.status, 200, href);
    }
    const { body: list } = await service.get(PATH, { key });
    assert.deepEqual(
      list.data.map((one: Body) => [one.unique_identifier, one.account]),
      [[opened.unique_identifier, account]],
    );
  });

  it('ends the one before it, looks at no other key, and is bounded', async () => {
    const { key, account, open, read } = await partner();
    const { body: first } = await open();
    const { body: second } = await open();
    assert.equal((await read(first.unique_identifier)).status, 'ended');
    const { secret: beside } = await service.newKey({ accounts: [account] });
    const location = { account_unique_identifier: account, external_identifier: 'self-test' };
    const upsert = { ...location, location_name: 'Self-test' };
    assert.equal((await service.json('/v1/locations/upsert', upsert, { key: beside })).status, 200);
    const refused = await service.json('/v1/locations/upsert', upsert, { key });
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '2']);
    for (let at = 0; at < 30; at += 1) await open();
    const { body: list } = await service.get(PATH, { key });
    assert.equal(list.data.length, 20);
    assert.equal((await service.get(`${PATH}/${second.unique_identifier}`, { key })).status, 404);
  });

  it('is refused to live keys, which lose nothing by it', async () => {
    const { key, open } = await partner(true);
    const { status, body } = await open();
    assert.deepEqual([status, body.error.code], [403, 'permission_denied']);
    assert.match(body.error.message, /test account/);
    const headers = { 'Ledgerstone-Provoke': '429' };
    const provoked = await service.get('/v1/events', { key, headers });
    assert.deepEqual([provoked.status, provoked.body.error.code], [400, 'header_invalid']);
  });
});

it('Ledgerstone-Provoke refuses requests of a test account as told', async () => {
  const { key } = await partner();
  for (const [wish, status, code] of [
    ['429', 429, 'rate_limited'],
    ['503', 503, 'service_unavailable'],
    ['404', 400, 'header_invalid'],
  ] as const) {
    const headers = { 'Ledgerstone-Provoke': wish };
    const { body, ...answer } = await service.get('/v1/events', { key, headers });
    assert.deepEqual([answer.status, body.error.code], [status, code]);
    assert.equal(answer.headers.has('retry-after'), status !== 400);
  }
});
