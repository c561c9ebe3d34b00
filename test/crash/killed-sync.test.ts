/** `kill -9` after every statement with which rows of a sync are saved, or a sync is finished or undone: all goes once, and comes back once. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { killedAtEachStep } from '../support/killed-steps.ts';
import { inShort } from '../support/rows.ts';
import { eventBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';

/** More than are removed in one slice, and than a sync names. */
const SERVICES = Array.from({ length: 106 }, (_, at) => at);
const NAMED = 100;
const KEPT = 2;

interface Change {
  readonly record: string;
  readonly outcome: string;
}

await killedAtEachStep('The end of a sync', [], async ({ home, visit, ok, send }) => {
  const location = await home();
  const { position: from } = await ok('/v1/changes?starting_after=now');
  const service = (at: number) => eventBody(location, `service ${at}`);
  const { data } = await ok('/v1/events/upsert_many', SERVICES.map(service));
  const services = data.map((one: { unique_identifier: string }) => one.unique_identifier);
  const guests: string[] = [];
  for (const event of services.slice(KEPT - 1, KEPT + 1)) guests.push(await visit(event, 'guest'));
  const { unique_identifier: sync } = await ok('/v1/syncs', {
    ...{ resource: 'event', location, at_most: '100%' },
  });
  for (const at of SERVICES.slice(0, KEPT)) {
    const sent = await send('/v1/events/upsert', service(at), {
      headers: { 'Ledgerstone-Sync': sync },
    });
    assert.equal(sent.status, 200, sent.text);
  }
  const path = `/v1/syncs/${sync}`;
  const now = () => ok(path);
  const finish = () => send(`${path}/finish`, {});
  const isFinished = () => until(async () => (await now()).status === 'finished');
  const [goes, stays] = [services.slice(KEPT), services.slice(0, KEPT)];
  const statusOf = async (resource: string, id: string) =>
    (await send(`/v1/${resource}/${id}`)).status;

  return {
    async act() {
      await finish();
      await isFinished();
    },
    async check() {
      // Nobody sees who was below a service that is gone.
      const [, guest = ''] = guests;
      if ((await statusOf('events', goes[0])) === 404)
        assert.equal(await statusOf('event_check_in_records', guest), 404);
      if ((await now()).status === 'open') await finish();
      await isFinished();
      const { removed, left_count, records } = await now();
      assert.deepEqual(
        [removed, left_count, records.length],
        [{ event: goes.length, event_check_in_record: 1 }, 0, NAMED],
      );
      const there = await ok(`/v1/events?location_unique_identifier=${location}`);
      assert.deepEqual(
        there.data.map((one: { unique_identifier: string }) => one.unique_identifier).toSorted(),
        stays.toSorted(),
      );
      assert.equal(await statusOf('event_check_in_records', guests[0] ?? ''), 200);
      const changes = await ok(`/v1/changes?limit=1000&starting_after=${from}`);
      const told = changes.data.filter(({ outcome }: Change) => outcome === 'deleted');
      const found = told.map(({ record }: Change) => record).toSorted();
      assert.deepEqual(found, [...goes, guest].toSorted(), 'each is told once');
    },
  };
});

const UNDONE = [0, 1, 2];

await killedAtEachStep('The undoing of a sync', [], async ({ home, funeral, visit, ok, send }) => {
  const location = await home();
  const records: [string, string][] = [];
  for (const at of UNDONE) {
    const event = await funeral(`service ${at}`, {}, location);
    records.push(['events', event], ['event_check_in_records', await visit(event, 'guest')]);
  }
  const { unique_identifier: sync } = await ok('/v1/syncs', {
    ...{ resource: 'event', location, at_most: '100%' },
  });
  const path = `/v1/syncs/${sync}`;
  await send(`${path}/finish`, {});
  await until(async () => (await ok(path)).status === 'finished');
  const undo = () => send(`${path}/undo`, undefined, { method: 'POST' });
  const isUndone = () => until(async () => (await ok(path)).status === 'undone');

  return {
    async act() {
      await undo();
      await isUndone();
    },
    async check() {
      if ((await ok(path)).status === 'finished') await undo();
      await isUndone();
      for (const [resource, id] of records) {
        const { status } = await send(`/v1/${resource}/${id}`);
        assert.equal(status, 200, `${resource} is there again`);
      }
      assert.equal((await ok(path)).restored, records.length);
    },
  };
});

await killedAtEachStep('The rows of a sync', [], async ({ home, ok, send }) => {
  const location = await home();
  const { unique_identifier: sync } = await ok('/v1/syncs', { resource: 'event', location });
  const row = (name: string, event_name: string) => eventBody(location, name, { event_name });
  const names = ['a', 'b', 'c'];
  const rows = [...names.map((name) => row(name, 'First')), row('a', 'Second'), row('b', 'Second')];
  const save = async () => {
    const headers = { 'Ledgerstone-Sync': sync };
    const { body, text } = await send('/v1/events/upsert_many', rows, { headers });
    assert.equal(body.summary?.failed, 2, text);
    return inShort(body.data);
  };
  const there = async () => {
    const { data } = await ok(`/v1/events?location_unique_identifier=${location}`);
    return data.map(({ external_identifier, event_name }: Body) => [
      ...[external_identifier, event_name],
    ]);
  };

  return {
    act: save,
    async check() {
      for (const [, says] of await there()) assert.equal(says, 'First');
      await save();
      assert.deepEqual(await save(), [
        ...names.map(() => 'unchanged'),
        ...['row_repeated', 'row_repeated'],
      ]);
      const found = (await there()).toSorted();
      assert.deepEqual(
        found,
        names.map((name) => [name, 'First']),
      );
      assert.deepEqual((await ok(`/v1/syncs/${sync}/finish`, {})).removed, {});
    },
  };
});

await killedAtEachStep('What a sync was being sent', [], async ({ home, funeral, ok, send }) => {
  const location = await home();
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) await funeral(name, { external_identifier: name }, location);
  const { unique_identifier: sync } = await ok('/v1/syncs', { resource: 'event', location });
  const headers = { 'Ledgerstone-Sync': sync };
  const some = (of: readonly string[]) => of.map((name) => eventBody(location, name));
  const upsert = (of: readonly string[]) => send('/v1/events/upsert_many', some(of), { headers });
  await upsert(names.slice(0, 2));
  return {
    act: () => upsert(names.slice(2)),
    async check() {
      // Whoever does not care for what became of it finishes all the same.
      await send(`/v1/syncs/${sync}/finish`, {});
      const { data } = await ok(`/v1/events?location_unique_identifier=${location}`);
      const there = data.map((one: Body) => one.external_identifier).toSorted();
      // Killed before it began, nobody has heard of it: then it is as if it had not been sent.
      const { doubts_count, seen } = await ok(`/v1/syncs/${sync}`);
      if (doubts_count > 0 || seen > 2) assert.deepEqual(there, names);
    },
  };
});
