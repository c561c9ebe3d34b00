/** An import can be undone: nothing that was changed since is touched. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../src/core/errors.ts';
import { realPace } from '../../../src/core/pace.ts';
import { resources } from '../../../src/core/registry.ts';
import type { ImportRun } from '../../../src/features/imports/declares/import-run.ts';
import { undoImport } from '../../../src/features/imports/serves/undo.ts';
import { createUndoing, undoOf } from '../../../src/features/imports/serves/undoing.ts';
import { ended } from '../../../src/services/jobs.ts';
import { counts, filesFolder, take } from '../../support/importing.ts';
import { pluck } from '../../support/pluck.ts';
import { until } from '../../support/until.ts';
import { world } from '../../support/world.ts';

// Nothing else goes on with what is being undone.
const stage = world({ pace: realPace });
const files = filesFolder();

/** As a process that serves does it: the service is one, too. */
const undone = async (run: ImportRun) => {
  const result = await createUndoing(stage.service.app.store, resources).run(undoOf(run));
  assert.ok(result);
  return result;
};
const undo = (run: ImportRun, dry_run = false) =>
  dry_run ? ended(undoImport(stage.service.app.store, run, { resources, dry_run })) : undone(run);

async function everything(): Promise<string[]> {
  const lists: string[] = [];
  for (const path of ['locations', 'events']) {
    const headers = { Accept: 'application/x-ndjson' };
    const { text } = await stage.service.send('GET', `/v1/${path}`, { headers });
    lists.push(
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/"_updated_at":"[^"]*"/, '')),
    );
  }
  return lists.sort();
}

const TIME = '2027-03-20T10:00:00Z';

function importOf(name: string, count: number) {
  const at = (number: number) => `${name} ${number}`;
  const numbers = Array.from({ length: count }, (_, number) => number);
  const locations = [
    'external_identifier,location_name',
    ...numbers.map((one) => `${at(one)},${name} imported`),
  ];
  // One of them twice: what was there before the first of the two comes back.
  locations.push(`${at(0)},${name} again`);
  const events = [
    'location_external_identifier,external_identifier,event_name,event_datetime',
    ...numbers.map((one) => `${at(one)},${at(one)},Imported,${TIME}`),
  ];
  return [
    files.write('events.csv', events.join('\n')),
    files.write('locations.csv', locations.join('\n')),
  ];
}

const bring = (paths: readonly string[]) =>
  take(stage.service.app.store, stage.parents.account, paths);

const location = (as: string, location_name: string) =>
  stage.upsert('locations', { as, json: { location_name } });

describe('undoing an import', () => {
  it('removes what it created and gives back what it changed', async () => {
    await location('all 0', 'Before');
    await location('all 1', 'Before');
    const before = await everything();
    const { run } = await bring(importOf('all', 300));
    assert.deepEqual(run.counts, counts(598, 3, 0, 0));
    const imported = await everything();
    assert.deepEqual(await undo(run, true), { removed: 598, restored: 2, left: [] });
    assert.deepEqual(await everything(), imported);
    assert.deepEqual(await undo(run), { removed: 598, restored: 2, left: [] });
    assert.deepEqual(await everything(), before);
    assert.deepEqual(await undo(run), { removed: 0, restored: 0, left: [] });
    const found = (await stage.service.app.store.imports.find(run.unique_identifier))?.status;
    assert.equal(found, 'undone');
    const again = await bring(importOf('all', 300));
    assert.deepEqual(again.run.counts, counts(598, 3, 0, 0));
  });

  it('goes on where it stopped, by itself and in several processes at once', async () => {
    await location('stopped 0', 'Before');
    const before = await everything();
    const { run } = await bring(importOf('stopped', 60));
    const { store } = stage.service.app;
    const status = async () => (await store.imports.find(run.unique_identifier))?.status;
    for await (const undone of undoImport(store, run, { resources, dry_run: false }))
      if (undone > 40) break;
    assert.equal(await status(), 'undoing');
    const undoing = [createUndoing(store, resources), createUndoing(store, resources)];
    // The service of the test may have taken it before them.
    await until(async () => {
      await Promise.all(undoing.map((one) => one.resume()));
      return (await status()) === 'undone';
    });
    assert.deepEqual(await everything(), before);
  });

  it('names nothing as left that another process undoes at the same time', async () => {
    await location('both 0', 'Before');
    const before = await everything();
    const { run } = await bring(importOf('both', 40));
    const done = await Promise.all([undo(run), undo(run)]);
    const others = done.flatMap(({ left }) => left);
    assert.deepEqual(others, []);
    const found = done.reduce((sum, { removed }) => sum + removed, 0);
    assert.equal(found, 79);
    assert.deepEqual(await everything(), before);
  });

  it('stops where it is refused, and is finished then', async () => {
    const { run } = await bring(importOf('refused', 3));
    const { store } = stage.service.app;
    const still = async () => {
      throw new ApiError('sign_in_needed');
    };
    await assert.rejects(
      createUndoing(store, resources).run({ ...undoOf(run), still }),
      (error: Error) => error instanceof ApiError,
    );
    assert.equal((await store.imports.find(run.unique_identifier))?.status, 'finished');
    assert.deepEqual(await store.imports.undoing(), []);
    await undo(run);
  });

  it('leaves what is held, and what that belongs to, and names the hold', async () => {
    const { run } = await bring(importOf('held', 3));
    const held = await location('held 1', 'held imported');
    const { body } = await stage.service.get(
      `/v1/events?location_unique_identifier=${held.body.unique_identifier}`,
    );
    const [{ unique_identifier: record }] = body.data;
    const hold = await stage.place({ record });
    const told = await undo(run, true);
    assert.deepEqual([told.removed, told.left.length], [4, 2]);
    assert.deepEqual(await undo(run), told);
    for (const { reason } of told.left) assert.ok(reason.includes(hold.unique_identifier));
    assert.ok(told.left.some((one) => one.record === record));
  });

  it('leaves what was changed since, and names it', async () => {
    await location('since 1', 'Before');
    const { run } = await bring(importOf('since', 4));
    const changed = await location('since 1', 'Since');
    const created = await location('since 2', 'Since');
    const id = changed.body.unique_identifier;
    const other = created.body.unique_identifier;
    const told = await undo(run);
    assert.deepEqual(told.left.map(({ record }) => record).sort(), [id, other].sort());
    for (const { reason } of told.left) assert.match(reason, /changed since/);
    assert.deepEqual([told.removed, told.restored], [6, 0]);
    const left = (await everything()).filter((line) => line.includes('"since '));
    assert.equal(left.length, 2);
    for (const line of left) assert.match(line, /"location_name":"Since"/);
  });

  it('leaves what others have put something under', async () => {
    const { run } = await bring(importOf('under', 2));
    const put = await stage.upsert('events', {
      json: {
        location_unique_identifier: undefined,
        location_external_identifier: 'under 0',
        account_unique_identifier: stage.parents.account,
      },
    });
    assert.ok(put.status === 200 && put.body !== undefined, put.text);
    const held = `The event ${put.body.unique_identifier} belongs to it, which this import did not create or someone has changed since: remove that first.`;
    for (const dry of [true, false]) {
      const told = await undo(run, dry);
      assert.equal(told.removed, 3);
      assert.deepEqual(pluck(told.left, 'resource', 'reason'), [['locations', held]]);
    }
  });

  it('leaves what another import has put something under, and says to undo that one first', async () => {
    const [events = '', locations = ''] = importOf('twofold', 1);
    const { run: first } = await bring([locations]);
    const { run: second } = await bring([events]);
    for (const dry of [true, false]) {
      const told = await undo(first, dry);
      assert.equal(told.removed, 0);
      const [left, ...others] = told.left;
      assert.ok(left !== undefined && others.length === 0);
      const asked = `which the import ${second.unique_identifier} created or changed: undo that one first.`;
      assert.ok(left.reason.endsWith(asked), left.reason);
    }
    assert.equal((await undo(second)).removed, 1);
    assert.equal((await undo(first)).removed, 1);
  });
});
