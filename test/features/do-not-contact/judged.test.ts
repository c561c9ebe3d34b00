/** Who is in the register is left out wherever a reader asks for that: of lists, rows, searches and webhooks. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { world } from '../../support/world.ts';

const PATH = '/v1/event_check_in_records';
const SOME = 25;

describe('Who is in the register', () => {
  const isNo = (at: number) => at % 3 === 0 || at > SOME - 6;
  const names: string[] = [];
  const numberOf = (at: number) => `+14155550${String(300 + at)}`;
  const on = world({ settings: keyed() }, async ({ visit, ok, officer }) => {
    for (const at of Array(SOME).keys()) {
      const made = await visit(`Judged ${at}`, { visitor_phone_number: numberOf(at) });
      names.push(made.unique_identifier);
      if (isNo(at)) await ok('/v1/do_not_contact', { phone_number: numberOf(at) }, officer);
    }
  });
  const wanted = (no: boolean) => names.filter((_, at) => isNo(at) === no).toReversed();
  const ids = (some: readonly Body[]) => some.map(({ unique_identifier }) => unique_identifier);

  it('is left out of pages of any size, forwards and backwards, and of their total', async () => {
    for (const no of [false, true])
      for (const limit of [1, 4, 1_000]) {
        const query = `do_not_contact=${no}&limit=${limit}`;
        const found: Body[] = [];
        for (let after = '', isMore = true; isMore; ) {
          const page = await on.read(`${PATH}?${query}${after}`);
          found.push(...page.data);
          isMore = page.has_more && page.data.length > 0;
          after = `&starting_after=${page.data.at(-1)?.unique_identifier}`;
        }
        assert.deepEqual(ids(found), wanted(no), query);
        const back: Body[] = [];
        for (let before = found.at(-1)?.unique_identifier; before; ) {
          const page = await on.read(`${PATH}?${query}&ending_before=${before}`);
          back.unshift(...page.data);
          before = page.data[0]?.unique_identifier;
        }
        assert.deepEqual(ids(back), wanted(no).slice(0, -1), query);
      }
    const { total } = await on.read(`${PATH}?do_not_contact=false&include[]=total`);
    assert.deepEqual(total, { count: wanted(false).length, more: false });
  });

  it('is left out of rows, as exports are made', async () => {
    const headers = { Accept: 'application/x-ndjson' };
    const { text } = await on.service.send('GET', `${PATH}?do_not_contact=false`, {
      headers,
      key: on.service.key,
    });
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      rows.map((row) => row._unique_identifier ?? row.unique_identifier),
      wanted(false),
    );
    assert.ok(rows.every((row) => !('_do_not_contact' in row)));
  });

  it('is left out of searches', async () => {
    const found = async (more: string) => {
      const { data } = await on.read(`/v1/search?q=judged&limit=50${more}`);
      const own = data.find(({ resource }: Body) => resource === 'event_check_in_record');
      return (own?.data ?? []).map(({ record }: Body) => record.unique_identifier).toSorted();
    };
    await until(async () => (await found('')).length === SOME);
    assert.deepEqual(await found('&do_not_contact=false'), wanted(false).toSorted());
    assert.deepEqual(await found('&do_not_contact=true'), wanted(true).toSorted());
  });

  it('is left out of webhooks of an endpoint that asks for it, but for what is gone', async () => {
    const receiver = await startReceiver();
    const { secret } = await on.service.newKey({ allow: ['webhooks'] });
    const endpoint = await on.ok(
      '/v1/webhook_endpoints',
      { url: receiver.url, notifications: ['event_check_in_record.*'], do_not_contact: false },
      secret,
    );
    assert.equal(endpoint.do_not_contact, false);
    const told = (id: string) =>
      receiver.received.flatMap(({ body }) => (body.data.record === id ? body.type : []));
    const [no, yes] = [wanted(true)[0] ?? '', wanted(false)[0] ?? ''];
    for (const id of [no, yes])
      await on.ok(`${PATH}/${id}`, { visitor_full_name: 'Changed' }, on.service.key, 'PATCH');
    await until(() => told(yes).length > 0);
    assert.deepEqual(told(no), []);
    await on.service.send('DELETE', `${PATH}/${no}`);
    await until(() => told(no).length > 0);
    assert.deepEqual(told(no), ['event_check_in_record.deleted']);
    const patched = await on.ok(
      `/v1/webhook_endpoints/${endpoint.unique_identifier}`,
      { do_not_contact: null },
      secret,
      'PATCH',
    );
    assert.equal(patched.do_not_contact, null);
  });
});
