/** What has no index is looked through, too: nothing that the person asked for stays unseen. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LookPlace } from '../../src/core/objects/records/erasure.ts';
import { resources, shapes } from '../../src/core/registry.ts';
import { readSealer } from '../../src/core/sealing/sealer.ts';
import { issueKey } from '../../src/records/auth/issue-key.ts';
import type { Principal } from '../../src/records/auth/principal.ts';
import { createErasureService } from '../../src/services/erasures/erasures.ts';
import { lookAt, lookStart } from '../../src/services/erasures/everywhere/looking.ts';
import { mentionsOf } from '../../src/services/erasures/everywhere/mentions.ts';
import { createErasureJournal } from '../../src/services/erasures/journal.ts';
import { ERASED } from '../../src/store/promises/erasing/book.ts';
import { counts } from '../support/importing.ts';
import { opened } from '../support/opened.ts';
import { keyed, secretKeyFile } from '../support/secret-key.ts';
import type { Body } from '../support/service.ts';
import { folderGround } from '../support/service-ground.ts';
import { newAccount } from '../support/store-world.ts';
import { until } from '../support/until.ts';
import { world } from '../support/world.ts';

/** A store without a service, with a desk over it and two accounts. */
async function standing() {
  const { remove, folder, ...where } = await folderGround();
  const path = secretKeyFile();
  const sealer = readSealer(path);
  const store = await opened({
    ...{ ...where, shapes, create: true, serve: true },
    erasureKeys: sealer.derived(ERASED),
  });
  const parts = { resources, sealer, now: Date.now };
  const journal = createErasureJournal(store, { ...parts, folders: [] });
  const desk = createErasureService(store, { ...parts, journal });
  const keyless = createErasureService(store, { ...parts, journal, sealer: undefined });
  const [one, other] = [await newAccount(store), await newAccount(store)];
  const callerOf = (key: string, account: string): Principal => {
    const caller = { key, scope: { accounts: new Set([account]), anchors: undefined } };
    return caller as unknown as Principal;
  };
  const begin = async (key: string, account: string): Promise<string> => {
    const details = { names: ['Ida Thornbury'], phones: [], texts: [] };
    const begun = { account, reference: null, received_at: undefined, matches: [], details };
    return (await desk.begin(callerOf(key, account), begun)).unique_identifier;
  };
  return { store, journal, parts, desk, keyless, one, other, callerOf, begin };
}

it('goes on for each of those who asked in turn, and not first for who asked for most', async () => {
  const { store, desk, one, other, begin } = await standing();
  const many: string[] = [];
  for (let at = 0; at < 5; at += 1) many.push(await begin('key_a', one));
  const others = [await begin('key_b', one), await begin('key_c', other)];
  const looking = async (ids: readonly string[]): Promise<number> => {
    const found = await Promise.all(ids.map((id) => store.erasures.find(id)));
    return found.filter((erasure) => erasure?.looked === 'index').length;
  };
  while ((await looking(others)) > 0) assert.equal(await desk.looks.resume(), true);
  assert.ok((await looking(many)) >= 3);
  while (await desk.looks.resume());
  assert.equal(await looking(many), 0);
});

it('waits without a key, and goes on where it was once that is there again', async () => {
  const { store, desk, keyless, one, begin } = await standing();
  const erasure = await begin('key_a', one);
  assert.equal(await keyless.looks.resume(), false);
  assert.equal((await store.erasures.find(erasure))?.looked, 'index');
  while (await desk.looks.resume());
  assert.equal((await store.erasures.find(erasure))?.looked, 'everywhere');
});

it('goes on once for all who want it to at a time, also while the journal has not been written', async () => {
  const { store, journal, parts, one, callerOf, begin } = await standing();
  journal.isSynced = async () => false;
  const desk = createErasureService(store, { ...parts, journal });
  const erasure = await begin('key_a', one);
  const { status } = await desk.run(callerOf('key_a', one), erasure, []);
  assert.equal(status, 'running');
  let ended = false;
  void Promise.all([desk.resume(), desk.resume()]).then(() => {
    ended = true;
  });
  await until(() => ended);
});

it('leaves an interrupted erasure to the process that is at it, until that ends', async () => {
  const { store, desk, one: account, begin } = await standing();
  const object = await begin('key_a', account);
  const begun = await store.erasures.find(object);
  assert.ok(begun && (await store.erasures.replace({ ...begun, status: 'running' })));
  const statusAfter = async () => {
    await desk.resume();
    await desk.settled();
    return (await store.erasures.find(object))?.status;
  };
  const lease = { account, kind: 'erasure', object, owner: 'another process' };
  assert.ok(await store.jobs.take(lease));
  assert.equal(await statusAfter(), 'running');
  await store.jobs.release(lease);
  assert.equal(await statusAfter(), 'done');
});

const PHONE = '+14155550177';

describe('A look everywhere', () => {
  const note = 'Eulogy by Ida Thornbury, call (415) 555-0177';
  const on = world({ settings: keyed() }, async ({ funeral }) => {
    await funeral('service', { additional_event_metadata: { note } });
  });
  const { service, ok, visit, erasure: read } = on;
  const begin = (selectors: object) =>
    ok('/v1/erasures', { account: on.account, ...selectors }, on.officer);
  const through = async (id: string): Promise<Body> => {
    await until(async () => (await read(id)).looked !== 'index', 60_000);
    return read(id);
  };
  const reasons = ({ matches }: Body) =>
    Object.fromEntries(matches.map((one: Body) => [one.record, one.reasons]));

  /** A run of an import that has ended. */
  const imported = async (unique_identifier: string, name: string, failed = 0) => {
    const run = {
      ...{ unique_identifier, fingerprint: name, by: null, status: 'finished' as const, chunk: 64 },
      ...{ files: [{ name, resource: 'events', rejected: '' }], accounts: [on.account] },
      ...{ began: {}, position: { file: 0, rows: 0, rejected: [] } },
      ...{ counts: counts(0, 0, 0, failed), inserted_at: Date.now(), updated_at: Date.now() },
    };
    await service.app.store.imports.put(run);
    return run;
  };

  /** One of each kind that is named after her, and of each that is not; gives the former. */
  const named = async (): Promise<string[]> => {
    const { unique_identifier: account } = service.account;
    const { keys, webhooks, sources, staff } = service.app.store;
    const ids: string[] = [];
    for (const [nth, name] of ['ida-thornbury', 'other'].entries()) {
      const note = (...made: readonly { readonly unique_identifier: string }[]): void => {
        if (nth === 0) ids.push(...made.map(({ unique_identifier }) => unique_identifier));
      };
      const { key } = await issueKey(keys, service.account.livemode, { accounts: [account], name });
      note(key);
      await sources.assign(account, key.unique_identifier, name);
      note(...(await sources.list([account])).filter((one) => one.name === name));
      note(await imported(`imp_named_${nth}`, `/tmp/${name}.csv`));
      note(
        await webhooks.create({
          ...{ unique_identifier: `whk_${nth}`, account, key: 'key_1', position: null },
          settings: {
            ...{ url: `https://example.com/${name}`, description: null, notifications: ['*'] },
            ...{ locations: null, payload: 'thin' },
          },
          ...{ secrets: [], status: 'paused', reason: null, failing_since: null },
        }),
      );
      const grant = { role: 'viewer' as const, accounts: [account], anchors: null, region: null };
      const hash = name.padStart(43, 'x');
      note(
        await staff.invite({
          ...{ ...grant, allow: [], email: `${name}@example.com`, name: null, hash },
          expires_at: Date.now() + 60_000,
        }),
      );
      const matter = { matter: 'Case 7', reason: `asked for by ${name}` };
      const hold = await ok('/v1/holds', { account, record: on.event, ...matter }, on.officer);
      await ok(`/v1/holds/${hold.unique_identifier}/release`, { reason: 'over' }, on.officer);
      const rule = { account, resource: 'event', since: 'event_datetime', after_days: 9_000 };
      note(hold, await ok('/v1/retention_rules', { ...rule, basis: name }, on.officer));
    }
    return ids;
  };

  it('finds earlier versions, removed records, free-form text and refused rows, and keeps nothing of the person', async () => {
    const earlier = await visit('Corrected', { visitor_phone_number: PHONE });
    await visit('Corrected');
    const removed = await visit('Ida Thornbury');
    await service.send('DELETE', `/v1/event_check_in_records/${removed.unique_identifier}`);
    const now = await visit('Thornbury, Ida');
    await visit('Ida Voss');
    const { imports, erasures } = service.app.store;
    await imported('imp_1', '/tmp/visitors.csv', 2);
    await imports.keepRejected('imp_1', 'name,error\nIDA THORNBURY,bad\nLeo,bad\n');
    while (await service.app.store.search.feed());

    const own = await named();

    const begun = await begin({ phone_numbers: [PHONE], names: ['Ida Thornbury'] });
    assert.equal(begun.looked, 'index');
    assert.deepEqual(reasons(begun), { [now.unique_identifier]: ['name'] });
    const found = await through(begun.unique_identifier);
    assert.deepEqual([found.looked, found.refused_rows, found.status], ['everywhere', 1, 'ready']);
    assert.deepEqual(found.named_in.toSorted(), own.toSorted());
    assert.deepEqual(reasons(found), {
      [now.unique_identifier]: ['name'],
      [on.event]: ['mentioned'],
      [earlier.unique_identifier]: ['earlier_version'],
      [removed.unique_identifier]: ['removed'],
    });
    const stored = await erasures.find(found.unique_identifier);
    assert.ok(stored?.selectors);
    assert.doesNotMatch(JSON.stringify(stored), /thornbury|5550177/i);
    const path = `/v1/erasures/${found.unique_identifier}`;
    const ran = await ok(`${path}/run`, { records: [removed.unique_identifier] }, on.officer);
    assert.deepEqual([ran.status, ran.erased], ['done', 1]);
    assert.equal((await erasures.find(found.unique_identifier))?.selectors, null);
    assert.equal(await imports.rejected('imp_1'), 'name,error\nLeo,bad\n');
    const again = await begin({ names: ['Ida Thornbury'] });
    assert.ok(!(removed.unique_identifier in reasons(await through(again.unique_identifier))));
  });

  it('gives a copy of what was found, with what it held before', async () => {
    const now = await visit('Wren Ashby', { visitor_relationship_to_deceased: 'niece' });
    await visit('Wren Ashby', { visitor_relationship_to_deceased: 'cousin' });
    const removed = await visit('Ashby, Wren');
    await service.send('DELETE', `/v1/event_check_in_records/${removed.unique_identifier}`);
    while (await service.app.store.search.feed());
    const records = [removed.unique_identifier];
    const begun = await begin({ names: ['Wren Ashby'], records });
    const path = `/v1/erasures/${begun.unique_identifier}`;
    const lines = async () => {
      const answer = await service.get(`${path}/copy`, { key: on.officer });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
      return answer.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const found = await lines();
    assert.deepEqual(
      found.map(({ record, change }) => [record, change?.outcome]),
      [
        [now.unique_identifier, undefined],
        [now.unique_identifier, 'updated'],
        [now.unique_identifier, 'created'],
        [removed.unique_identifier, undefined],
        [removed.unique_identifier, 'deleted'],
        [removed.unique_identifier, 'created'],
      ],
    );
    assert.equal(found[0].data.visitor_full_name, 'Wren Ashby');
    assert.deepEqual(found[0].reasons, ['name']);
    assert.match(JSON.stringify(found[1].change), /niece.*cousin/);
    assert.equal(found[3].data, null);
    assert.match(JSON.stringify(found[4].change), /Ashby, Wren/);
    await ok(`${path}/run`, { records }, on.officer);
    const later = await lines();
    assert.equal(later.filter(({ record }) => record === removed.unique_identifier).length, 1);
    const denied = await service.get(`${path}/copy`);
    assert.deepEqual([denied.status, denied.body.error.code], [403, 'permission_denied']);
  });

  it('tells the person with a date from others of the same name', async () => {
    const there = await visit('Common Name');
    while (await service.app.store.search.feed());
    const named = (dates: object) => begin({ names: [{ full_name: 'Common Name', ...dates }] });
    for (const [dates, reason] of [
      [{}, 'name'],
      [{ service_date: '2027-03-20' }, 'name_and_date'],
      [{ service_date: '2026-03-20' }, 'name'],
      [{ birth_date: '1950-02-03' }, 'name'],
    ] as const)
      assert.deepEqual(reasons(await named(dates)), { [there.unique_identifier]: [reason] });
  });

  it('ends when the erasure is closed', async () => {
    const { erasures } = service.app.store;
    const { unique_identifier: id } = await begin({ names: ['Ida Thornbury'] });
    await ok(`/v1/erasures/${id}/close`, { basis: 'kept' }, on.officer);
    const stored = await erasures.find(id);
    assert.deepEqual([stored?.selectors, stored?.place], [null, null]);
  });

  it('stops at more than a thousand records, and goes on after each piece as another process would', async () => {
    const relation = { visitor_relationship_to_deceased: 'came with Zoe Quill' };
    const rows = Array.from({ length: 1_001 }, (_, at) => on.visitor(`Visitor ${at}`, relation));
    await ok('/v1/event_check_in_records/upsert_many', rows.slice(0, 501));
    await ok('/v1/event_check_in_records/upsert_many', rows.slice(501));
    const begun = await begin({ names: ['Zoe Quill'] });
    const found = await through(begun.unique_identifier);
    assert.deepEqual([found.looked, found.matches.length], ['too_many', 1_000]);

    const mentions = mentionsOf({ names: ['Zoe Quill'], phones: [], texts: [] });
    const all: string[] = [];
    const { account, app } = service;
    const parts = { store: app.store, resources };
    let place: LookPlace | null = lookStart(resources);
    while (place !== null) {
      const stored = JSON.parse(JSON.stringify(place));
      const looked = await lookAt(parts, stored, account.unique_identifier, mentions);
      all.push(...looked.found.map(({ record }) => record));
      place = looked.place;
    }
    assert.equal(all.length, 1_001);
    assert.equal(new Set(all).size, 1_001);
  });
});
