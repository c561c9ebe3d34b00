/** What arrives opens follow-ups, and people and programs claim, try and close them. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, mock } from 'node:test';
import { promisify } from 'node:util';
import { ownFolder } from '../../support/cli-program.ts';
import { pages } from '../../support/doc-pages.ts';
import { filesFolder, take } from '../../support/importing.ts';
import { pluck } from '../../support/pluck.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { refused, world } from '../../support/world.ts';

const PATH = '/v1/follow_ups';
const INTERESTED = { visitor_interested_in_pre_planning: true };
const phone = (number: string) => ({ ...INTERESTED, visitor_phone_number: number });
const files = filesFolder();
const CARD = { additional_metadata: { 'Please call me': 'yes' } };

describe('Follow-ups', () => {
  const clock = { now: Date.parse('2027-01-13T15:00:00Z') };
  const on = world({ settings: keyed(), now: () => clock.now }, async () => void (await list()));
  const { service } = on;
  const list = async (query = '', key = on.officer): Promise<readonly Body[]> =>
    (await on.read(`${PATH}?limit=1000${query}`, key)).data;
  const act = (id: string, verb: string, body: object = {}, key = on.officer, headers = {}) =>
    service.json(`${PATH}/${id}/${verb}`, body, { key, headers });
  const done = async (id: string, verb: string, body: object = {}): Promise<Body> => {
    const answer = await act(id, verb, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const ofRecord = (record: string) => list(`&record=${record}`);
  /** The follow-up that a record has soon. */
  const opened = async ({ unique_identifier: record }: Body): Promise<Body> => {
    let found: readonly Body[] = [];
    await until(async () => {
      found = await ofRecord(record);
      return found.length > 0;
    });
    return found[0] as Body;
  };
  const interested = (name: string, more: object = {}) =>
    on.visit(name, { ...INTERESTED, ...more });
  let other = '';
  const another = async () => {
    other ||= (await service.newKey({ permissions: ['read'], allow: ['follow_up'] })).secret;
    return other;
  };
  const keyAt = async (location: string) => {
    const limits = { permissions: ['read'], allow: ['follow_up'], anchors: [location] } as const;
    return (await service.newKey(limits)).secret;
  };
  /** Until all that was sent before has been looked at. */
  const settled = async () => void (await opened(await interested(`settled ${Math.random()}`)));

  it('are opened once by each signal, and by no repeat', async () => {
    const card = await on.made('direct_mail_replies', 'card', CARD);
    const begun = await on.made('online_arrangements', 'arrangement');
    const visitor = await on.visit('Jane');
    assert.deepEqual(
      pluck([await opened(card), await opened(begun)], 'reason', 'state', 'due_at'),
      [
        ['asked_for_call', 'open', '2027-01-14T15:00:00Z'],
        ['arrangement_begun', 'open', '2027-01-13T16:00:00Z'],
      ],
    );
    await settled();
    assert.deepEqual(await ofRecord(visitor.unique_identifier), []);
    await interested('Jane');
    const one = await opened(visitor);
    assert.deepEqual([one.reason, one.due_at], ['interested', '2027-01-18T15:00:00Z']);
    await done(one.unique_identifier, 'close', { outcome: 'no' });
    await interested('Jane', { visitor_relationship_to_deceased: 'friend' });
    await settled();
    assert.equal((await ofRecord(visitor.unique_identifier)).length, 1);
    await on.visit('Jane', { visitor_interested_in_pre_planning: false });
    await interested('Jane');
    await until(async () => (await ofRecord(visitor.unique_identifier)).length === 2);
  });

  it('are claimed by one of two, tried, scheduled and closed', async () => {
    const { unique_identifier: id } = await opened(await interested('Claimed'));
    const key = await another();
    const both = await Promise.all([act(id, 'claim'), act(id, 'claim', {}, key)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    const [lost] = both.filter(({ status }) => status === 409);
    assert.match(lost?.body.error.message, /has claimed this follow-up/);
    await done(id, 'release');
    const tried = await done(id, 'attempt', {
      channel: 'call',
      outcome: 'no_answer',
      note: 'busy',
    });
    assert.deepEqual(
      [tried.state, pluck(tried.attempts, 'at', 'channel', 'outcome', 'note')],
      ['claimed', [['2027-01-13T15:00:00Z', 'call', 'no_answer', 'busy']]],
    );
    refused(
      await act(id, 'attempt', { channel: 'call', outcome: 'reached' }, key),
      409,
      'follow_up_claimed',
    );
    refused(
      await act(id, 'schedule', { next_at: '2020-01-01T00:00:00Z' }),
      400,
      'value_invalid',
      'next_at',
    );
    const later = await done(id, 'schedule', { next_at: '2027-01-15T15:00:00Z' });
    assert.deepEqual([later.state, later.next_at], ['scheduled', '2027-01-15T15:00:00Z']);
    refused(await act(id, 'close', { outcome: 'not_now' }), 400, 'parameter_missing', 'next_at');
    const closed = await done(id, 'close', { outcome: 'appointment' });
    assert.deepEqual([closed.state, closed.owner, closed.outcome], ['closed', null, 'appointment']);
    refused(await act(id, 'claim'), 409, 'follow_up_closed');
    assert.equal((await done(id, 'reopen', { reason: 'called back' })).state, 'open');
  });

  it('are changed once by a repeated request, and only at the version that is named', async () => {
    const { unique_identifier: id, version } = await opened(await interested('Repeated'));
    const attempt = { channel: 'call', outcome: 'reached' };
    const send = (headers: object, body: object = attempt) =>
      act(id, 'attempt', body, on.officer, headers);
    const stale = { 'If-Match': `"${version + 7}"` };
    refused(await send(stale), 412, 'record_changed');
    const key = { 'Idempotency-Key': 'one' };
    await send(key);
    const again = await send(key);
    assert.equal(again.body.attempts.length, 1);
    refused(await send(key, { ...attempt, outcome: 'sent' }), 422, 'idempotency_key_reused');
    const matched = await send({ 'If-Match': `"${again.body.version}"` });
    assert.equal(matched.body.attempts.length, 2);
  });

  it('are begun by hand, one of a record', async () => {
    const visitor = await on.visit('By hand');
    const body = { record: visitor.unique_identifier, note: 'ask for the daughter' };
    const made = await on.ok(PATH, body, on.officer);
    assert.deepEqual([made.reason, made.state, made.note], ['by_hand', 'claimed', body.note]);
    const again = await service.json(PATH, body, { key: on.officer });
    refused(again, 409, 'follow_up_open');
    const { unique_identifier: record } = await on.visit('By hand once');
    const headers = { 'Idempotency-Key': 'begun-once' };
    const send = () => service.json(PATH, { record }, { key: on.officer, headers });
    const first: string = (await send()).body.unique_identifier;
    await done(first, 'close', { outcome: 'done' });
    assert.equal((await send()).body.unique_identifier, first);
    assert.equal((await ofRecord(record)).length, 1);
    assert.match(again.body.error.message, new RegExp(made.unique_identifier));
    refused(
      await service.json(PATH, { record: on.event }, { key: on.officer }),
      404,
      'resource_missing',
      'record',
    );
  });

  it('are in the copy for the person, and go with the erasure, however far behind the log is read', async () => {
    const visitor = await on.visit('Erased');
    const { unique_identifier: record } = visitor;
    const { unique_identifier: id } = await on.ok(PATH, { record, note: 'cannot pay' }, on.officer);
    await done(id, 'attempt', { channel: 'call', outcome: 'reached', note: 'was drunk' });
    const { unique_identifier: erasure } = await on.begin([record]);
    const copy = (await service.get(`/v1/erasures/${erasure}/copy`, { key: on.officer })).text;
    const lines = copy
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Body);
    const [about] = lines.flatMap((line) => line.about ?? []);
    assert.deepEqual([about?.unique_identifier, about?.note], [id, 'cannot pay']);
    assert.deepEqual(pluck(about?.attempts, 'note'), ['was drunk']);
    // Nothing of the log is read on: what is gone went in the commit of the erasure.
    const { followUp: book } = service.app.store;
    const reading = mock.method(Object.getPrototypeOf(Object.getPrototypeOf(book)), 'read', () => {
      throw new Error('the log is not read');
    });
    const { status, places } = await on.run(erasure, [record]);
    const there = await book.ofRecords(on.account, [record]);
    reading.mock.restore();
    assert.deepEqual([status, there], ['done', []]);
    assert.deepEqual(pluck(places, 'place', 'checked', 'found')[3], ['notes', 1, 0]);
    refused(await service.get(`${PATH}/${id}`, { key: on.officer }), 404, 'resource_missing');
  });

  it('go with what their record belongs to, and come back with it', async () => {
    const event = await on.funeral('removed');
    const below = await on.made('event_check_in_records', 'below', {
      event_unique_identifier: event.unique_identifier,
      visitor_interested_in_pre_planning: true,
    });
    await opened(below);
    const count = async () => (await ofRecord(below.unique_identifier)).length;
    await service.send('DELETE', `/v1/events/${event.unique_identifier}?cascade=true`);
    await until(async () => (await count()) === 0);
    const { data } = await on.read('/v1/removals', service.key);
    const path = `/v1/removals/${data[0].unique_identifier}/restore`;
    assert.equal((await service.send('POST', path)).status, 200);
    await until(async () => (await count()) === 1);
  });

  it('is remembered for a number: others are closed, and none is opened, until it is lifted', async () => {
    const [one, same, other] = [
      await on.visit('one', phone('+14155550101')),
      await on.visit('same', phone('+14155550101')),
      await on.visit('other', phone('+14155550102')),
    ];
    const { unique_identifier: id } = await opened(one);
    await Promise.all([same, other].map(opened));
    assert.equal((await act(id, 'close', { outcome: 'do_not_contact' })).status, 200);
    await until(async () => (await opened(same)).state === 'closed');
    assert.deepEqual(pluck([await opened(same), await opened(other)], 'state', 'outcome'), [
      ['closed', 'do_not_contact'],
      ['open', null],
    ]);
    const later = await on.visit('later', phone('+14155550101'));
    await settled();
    assert.deepEqual(await ofRecord(later.unique_identifier), []);
    const said = async (): Promise<readonly (readonly unknown[])[]> => {
      const path = '/v1/event_check_in_records';
      const { data } = await on.read(`${path}?expand[]=do_not_contact`, service.key);
      const found = await on.read('/v1/search?q=0101&expand[]=do_not_contact', service.key);
      const headers = { Accept: 'text/csv' };
      const [head = '', ...rows] = (await service.get(path, { headers })).text.trim().split('\r\n');
      assert.equal(head.split(',').at(-1), '_do_not_contact');
      const has = (one: string) => rows.some((row) => row.includes(one) && row.endsWith(',true'));
      return [same, later, other].map(({ unique_identifier: one }) => [
        data.find((it: Body) => it.unique_identifier === one).do_not_contact,
        has(one),
        found.data[0].data.find(({ record }: Body) => record.unique_identifier === one)?.record
          .do_not_contact,
      ]);
    };
    assert.deepEqual(await said(), [
      [true, true, true],
      [true, true, true],
      [false, false, undefined],
    ]);
    const begun = await service.json(
      PATH,
      { record: later.unique_identifier },
      { key: on.officer },
    );
    refused(begun, 409, 'do_not_contact');
    assert.equal((await act(id, 'reopen', { reason: 'they called' })).status, 200);
    assert.ok((await said()).flat().every((one) => !one));
    assert.equal(
      (await on.ok(PATH, { record: later.unique_identifier }, on.officer)).state,
      'claimed',
    );
  });

  it('is remembered of a record that has no number', async () => {
    const card = await on.made('direct_mail_replies', 'no number', CARD);
    const { unique_identifier: id } = await opened(card);
    await done(id, 'close', { outcome: 'do_not_contact' });
    const path = `/v1/direct_mail_replies/${card.unique_identifier}?expand[]=do_not_contact`;
    assert.equal((await on.read(path, service.key)).do_not_contact, true);
  });

  it('opens nothing that is imported or sent in a first sync, and says how many', async () => {
    const header = `event_unique_identifier,external_identifier,visitor_full_name,visitor_phone_number,visitor_interested_in_pre_planning`;
    const row = `${on.event},imported,Imported,+14155550199,true`;
    await take(service.app.store, on.account, [
      files.write('event_check_in_records.csv', `${header}\n${row}\n`),
    ]);
    const sync = await on.ok('/v1/syncs', { resource: 'direct_mail_reply', location: on.location });
    const headers = { 'Ledgerstone-Sync': sync.unique_identifier };
    const json = { additional_metadata: { 'Call me': 'x' } };
    await on.upsert('direct_mail_replies', { json, headers });
    await settled();
    await until(async () => {
      const { left_out } = await on.read(PATH);
      return left_out.import === 1 && left_out.sync === 1;
    });
  });

  it('is seen by keys of their locations alone, who report to them and are notified', async () => {
    const receiver = await startReceiver();
    const elsewhere = await service.location('elsewhere');
    const { secret } = await service.newKey({ allow: ['webhooks', 'follow_up'] });
    const notifications = ['follow_up.*'];
    await on.ok('/v1/webhook_endpoints', { url: receiver.url, notifications }, secret);
    const { unique_identifier: id } = await opened(await on.visit('scoped', INTERESTED));
    const [here, there] = [await keyAt(on.location), await keyAt(elsewhere)];
    assert.ok((await list('&state=open', here)).some((one: Body) => one.unique_identifier === id));
    assert.deepEqual(await list('', there), []);
    refused(await service.get(`${PATH}/${id}`, { key: there }), 404, 'resource_missing');
    await on.ok(`${PATH}/${id}/close`, { outcome: 'done' }, here);
    const types = () => receiver.received.filter(({ body }) => body.data.unique_identifier === id);
    await until(() => types().length >= 2);
    assert.deepEqual(
      types().map(({ body }) => [body.type, body.data.object]),
      [
        ['follow_up.opened', 'follow_up'],
        ['follow_up.closed', 'follow_up'],
      ],
    );
  });

  it('are counted as they are listed, of what a caller sees', async () => {
    const elsewhere = await service.location('counted elsewhere');
    await opened(
      await on.made('online_arrangements', 'counted', { location_unique_identifier: elsewhere }),
    );
    const [here, there] = [await keyAt(on.location), await keyAt(elsewhere)];
    const { secret } = await service.newKey({
      ...{ permissions: ['read'], allow: ['follow_up'], resources: ['online_arrangements'] },
    });
    const tally = (some: readonly Body[]) =>
      [...Map.groupBy(some, ({ location, reason }) => `${location} ${reason}`)]
        .map(([name, { length }]) => [name, length])
        .toSorted();
    for (const key of [on.officer, here, there, secret])
      for (const query of ['', `&location=${elsewhere}`, `&account=${on.account}`]) {
        const answer = await service.get(`${PATH}/counts?${query.slice(1)}`, { key });
        if (key === here && query.startsWith('&location')) {
          assert.notEqual(answer.status, 500);
          continue;
        }
        assert.equal(answer.status, 200, answer.text);
        const found = answer.body.counts.map(({ location, reason, open }: Body) => {
          return [`${location} ${reason}`, open];
        });
        assert.deepEqual(found, tally(await list(`&state=unfinished${query}`, key)), query);
      }
    assert.equal((await on.read(`${PATH}/counts`, there)).counts.length, 1);
  });

  it('tell nothing to a key of other resources, by request or by webhook', async () => {
    const receiver = await startReceiver();
    const allow = ['webhooks', 'follow_up'];
    const { secret } = await service.newKey({ allow, resources: ['events'] });
    const notifications = ['follow_up.*', 'event.*'];
    await on.ok('/v1/webhook_endpoints', { url: receiver.url, notifications }, secret);
    const { unique_identifier: id } = await opened(await interested('Not for all'));
    assert.deepEqual(await list('', secret), []);
    refused(await service.get(`${PATH}/${id}`, { key: secret }), 404, 'resource_missing');
    await service.event(on.location, 'later');
    await until(() => receiver.received.length > 0);
    assert.deepEqual(
      receiver.received.map(({ body }) => body.type),
      ['event.created'],
    );
  });

  it('are worked on from another list, by the program of the page', async () => {
    const folder = ownFolder();
    const [program] = pages()
      .filter(({ path }) => path === 'docs/follow-ups.md')
      .flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'file'));
    writeFileSync(join(folder, 'call-list.ts'), program?.text ?? '');
    const KEY = await keyAt(on.location);
    const env = { PATH: process.env.PATH, API: service.url, KEY };
    const run = () => promisify(execFile)(process.execPath, ['call-list.ts'], { cwd: folder, env });
    const [mine, theirs] = [await interested('Called'), await interested('Claimed')];
    const [{ unique_identifier: id }, taken] = [await opened(mine), await opened(theirs)];
    await done(taken.unique_identifier, 'claim');
    await run();
    using crm = new DatabaseSync(join(folder, 'call-list.db'));
    const called = () => pluck(crm.prepare('SELECT * FROM call').all() as Body[], 'follow_up');
    assert.ok(called().includes(id));
    const report = crm.prepare('INSERT INTO report (follow_up, act, body) VALUES (?, ?, ?)');
    const noted = { channel: 'call', outcome: 'reached', note: 'on Friday' };
    report.run(id, 'attempt', JSON.stringify(noted));
    report.run(id, 'close', '{"outcome":"appointment"}');
    report.run(taken.unique_identifier, 'close', '{"outcome":"no"}');
    await run();
    // It was killed before it had stored what was answered.
    crm.exec('UPDATE report SET status = NULL');
    await run();
    const reports = crm.prepare('SELECT status, message FROM report').all() as Body[];
    assert.deepEqual(pluck(reports, 'status'), [200, 200, 409]);
    assert.match(reports[2].message, /has claimed/);
    const { attempts, outcome } = await on.read(`${PATH}/${id}`);
    assert.deepEqual(pluck(attempts, 'channel', 'note'), [['call', 'on Friday']]);
    assert.equal(outcome, 'appointment');
    assert.ok(!called().includes(id));
  });

  it('end claims after a day, and open what was put off', async () => {
    const claimed = await opened(await interested('Lapses'));
    const put = await opened(await interested('Put off'));
    await done(claimed.unique_identifier, 'claim');
    await done(put.unique_identifier, 'close', {
      outcome: 'not_now',
      next_at: '2027-01-14T09:00:00Z',
    });
    clock.now += 25 * 3_600_000;
    const now = async ({ unique_identifier }: Body) => on.read(`${PATH}/${unique_identifier}`);
    await until(
      async () => (await now(claimed)).owner === null && (await now(put)).state === 'open',
    );
  });
});
