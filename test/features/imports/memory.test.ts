/** What was chosen for a file is known for the next one with the same columns, and what a location is called for every file. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { resources } from '../../../src/core/registry.ts';
import { importRun } from '../../../src/features/imports/declares/import-run.ts';
import { headingsOf } from '../../../src/features/imports/serves/memory.ts';
import { placesOf } from '../../../src/features/imports/serves/places.ts';
import { backUp, openAt, parts, restore } from '../../support/backups.ts';
import { bring as bringing } from '../../support/bring.ts';
import { counts, filesFolder, type Importing, take } from '../../support/importing.ts';
import { pluck } from '../../support/pluck.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Service } from '../../support/service.ts';
import { sqliteGround } from '../../support/store-sqlite.ts';
import { newAccount } from '../../support/store-world.ts';
import { world } from '../../support/world.ts';
import { fill, REMEMBERED } from './fill.ts';

const stage = world({ settings: keyed() });
const files = filesFolder();
let made = 0;

/** A file whose columns no word says, each time with other names of columns. */
const table = (own: string, date: string, id: string, header = ['Nr', 'Wann', 'Wer', 'Was']) =>
  [header.map((name) => `${own} ${name}`).join(','), `${id},${date},"Example, Dana",Wake`].join(
    '\n',
  );
const mapFor = (own: string) => ({
  [`${own} Nr`]: 'external_identifier',
  [`${own} Wann`]: 'event_datetime',
  [`${own} Wer`]: 'person.full_name',
  [`${own} Was`]: 'event_name',
});

async function bring(text: string, how: Importing = {}) {
  made += 1;
  const path = files.write(`${made}.csv`, text);
  const { account } = stage.parents;
  const options = { resource: 'events', remembers: true, ...how };
  return take(stage.service.app.store, account, [path], options);
}

const choices = (own: string) => ({
  map: mapFor(own),
  set: { location_unique_identifier: stage.parents.location },
  dates: 'dmy' as const,
  time_zone: 'America/Chicago',
  names: 'last_first' as const,
});

async function serviceNamed(id: string) {
  const { data } = await stage.read(`/v1/events?external_identifier=${id}`);
  return data[0];
}

describe('the next file with the same columns', () => {
  it('is imported without a question, as the one before', async () => {
    const { run } = await bring(table('one', '03/04/2026 10:00', 'm1'), choices('one'));
    const next = await bring(table('one', '05/04/2026 10:00', 'm2'));
    assert.deepEqual([next.run.counts, next.like], [counts(1, 0, 0, 0), run.unique_identifier]);
    const stored = await serviceNamed('m2');
    assert.equal(stored.event_datetime, '2026-04-05T15:00:00Z');
    assert.equal(stored.public_data.person.full_name, 'Dana Example');
  });

  it('is known in any order, however its columns are written', () => {
    const [resource, other] = resources.filter(({ parent }) => parent?.anchor);
    assert.ok(resource && other);
    const names = fc.uniqueArray(fc.stringMatching(/^[A-Za-z]{4,8}$/), {
      ...{ minLength: 1, maxLength: 8 },
      selector: (name) => name.toLowerCase(),
    });
    fc.assert(
      fc.property(names, fc.nat(7), (header, turn) => {
        const same = headingsOf(resource, header);
        const moved = [...header.slice(turn), ...header.slice(0, turn)];
        const written = moved.map((name) => ` ${name.toUpperCase()}: `);
        assert.equal(headingsOf(resource, written), same);
        assert.equal(headingsOf(resource, [...header, '_row', '_error']), same);
        assert.notEqual(headingsOf(resource, [...header, 'one more']), same);
        assert.notEqual(headingsOf(other, header), same);
      }),
    );
  });

  it('goes by what is said now, and by what it proves itself', async () => {
    await bring(table('two', '03/04/2026 10:00', 'p1'), choices('two'));
    await bring(table('two', '03/25/2026 10:00', 'p2'));
    assert.equal((await serviceNamed('p2')).event_datetime, '2026-03-25T15:00:00Z');
    const said = { dates: 'mdy' as const, map: { 'two Was': null }, set: { event_name: 'Vigil' } };
    await bring(table('two', '03/04/2026 10:00', 'p3'), said);
    const stored = await serviceNamed('p3');
    assert.deepEqual([stored.event_datetime, stored.event_name], ['2026-03-04T16:00:00Z', 'Vigil']);
  });

  it('leaves names as they are written, where that was said of the one before or is said now', async () => {
    const nameOf = async (id: string) => (await serviceNamed(id)).public_data.person.full_name;
    const as = (names: 'last_first' | 'as_written') => ({ names });
    await bring(table('six', '03/04/2026 10:00', 'n1'), { ...choices('six'), ...as('as_written') });
    await bring(table('six', '05/04/2026 10:00', 'n2'));
    await bring(table('six', '06/04/2026 10:00', 'n3'), as('last_first'));
    await bring(table('six', '07/04/2026 10:00', 'n4'));
    await bring(table('six', '08/04/2026 10:00', 'n5'), as('as_written'));
    assert.deepEqual(await Promise.all(['n1', 'n2', 'n3', 'n4', 'n5'].map(nameOf)), [
      'Example, Dana',
      'Example, Dana',
      'Dana Example',
      'Dana Example',
      'Example, Dana',
    ]);
  });

  it('is asked about where nothing was taken in, or was only tried', async () => {
    const bad = { ...choices('three'), dates: 'ymd' as const };
    assert.equal((await bring(table('three', 'none', 'x1'), bad)).run.counts.failed, 1);
    await bring(table('three', '03/04/2026 10:00', 'x2'), { ...choices('three'), dry_run: true });
    await assert.rejects(bring(table('three', '03/04/2026 10:00', 'x3')), /nothing says/);
  });

  it('is not known to another account, nor to a key that does not see the import', async () => {
    const { run } = await bring(table('four', '03/04/2026 10:00', 'k1'), choices('four'));
    const other = await stage.service.another();
    const location = await stage.service.location('memory-limited');
    const limited = await stage.service.newKey({ anchors: [location] } as never);
    const look = async (service: Service, key: string) => {
      const send = (method: string, at: string, body: unknown, headers: Record<string, string>) =>
        service.send(method, at, {
          body: typeof body === 'string' ? body : JSON.stringify(body),
          ...{ headers, key },
        });
      const file = table('four', '03/04/2026 10:00', 'k2');
      return (await bringing(send, 'look', { name: 'k.csv', resource: 'events' }, file)).body;
    };
    const own = await look(stage.service, stage.service.key);
    assert.equal(own.like.import, run.unique_identifier);
    assert.deepEqual(own.mapping, mapFor('four'));
    assert.deepEqual([own.choices.dates, own.choices.names], ['dmy', 'last_first']);
    for (const body of [await look(stage.service, limited.secret), await look(other, other.key)])
      assert.deepEqual([body.like, body.choices], [undefined, undefined]);
  });

  it('is forgotten with a person whom its choices mention', async () => {
    const set = { ...choices('five').set, event_name: 'Service for Zebulon Quartermain' };
    const map = { ...mapFor('five'), 'five Was': null };
    await bring(table('five', '03/04/2026 10:00', 'z1'), { ...choices('five'), set, map });
    const { unique_identifier: visitor } = await stage.visit('Zebulon Quartermain');
    assert.ok((await bring(table('five', '05/04/2026 10:00', 'z2'))).like);
    await stage.erase(visitor);
    await assert.rejects(bring(table('five', '05/04/2026 10:00', 'z3')), /nothing says/);
  });
});

it('what was chosen comes back with a restored backup, and for one of before there is nothing', async () => {
  const [home, copy] = [await sqliteGround(), await sqliteGround()];
  const store = await openAt(home);
  const account = await newAccount(store, 'Kept');
  await fill(store, { account });
  const { bytes } = await backUp(store);
  await restore(copy, bytes);
  const { imports } = await openAt(copy);
  assert.equal(await imports.remembered('imp_kept'), REMEMBERED);
  assert.deepEqual(pluck(await imports.alike('headings', 9), 'unique_identifier').flat(), [
    'imp_kept',
  ]);
  const part = parts.find(({ name }) => name === importRun.backup);
  const [row] = await Array.fromAsync(part?.read(await store.snapshot()) ?? []).then((all) =>
    all.flat(),
  );
  const { headings: _, remembered: __, ...before } = row as Record<string, unknown>;
  assert.deepEqual(part?.asNow?.(before), { ...before, headings: null, remembered: null });
});

it('what a location is called is known for every later file', async () => {
  const { store } = stage.service.app;
  const { account, location } = stage.parents;
  const scope = { accounts: new Set([account]), anchors: undefined };
  const chosen = { 'Oak Grove': location };
  const head = 'Case #,Service,Date and time,Chapel';
  const path = files.write('places.csv', `${head}\ng1,Wake,2027-03-20T10:00:00Z,Oak Grove\n`);
  const how = { resource: 'events', chosen };
  const places = () => placesOf(store, resources, scope, chosen);
  await take(store, account, [path], { ...how, places });
  const { memoryOf } = await import('../../../src/features/imports/serves/memory.ts');
  const known = await memoryOf(store, { accounts: scope.accounts }).chosen();
  assert.equal(known['Oak Grove'], location);
  const file = 'Reference,Images,Name,Chapel\nr1,https://example.com/a.jpg,Dana,OAK GROVE\n';
  const send = (method: string, at: string, body: unknown, headers: Record<string, string>) =>
    stage.service.send(method, at, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers,
    });
  const asked = { name: 'r.csv', resource: 'direct_mail_replies' };
  const done = await bringing(send, 'run', asked, file);
  const { data } = await stage.read('/v1/direct_mail_replies?external_identifier=r1');
  assert.deepEqual(pluck(data, 'location_unique_identifier'), [location], done.text);
});
