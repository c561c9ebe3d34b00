/** Exports of what has changed: whoever takes them in one after the other has what an export of everything has. */
// needs: both stores with --all

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { resources } from '../../../src/core/registry.ts';
import {
  type ExportPlan,
  type ExportState,
  exportFiles,
  planSince,
  planWhole,
  readState,
  removedTable,
  stateText,
  tableOf,
} from '../../../src/features/exports/serves/export.ts';
import { replaceFile } from '../../../src/services/transfer/new-files.ts';
import { ownFolder } from '../../support/cli-program.ts';
import { visitorBody } from '../../support/sent.ts';
import { type Body, type Service, startService } from '../../support/service.ts';
import { wipe } from '../../support/wipe.ts';

const exported = resources.filter(({ parent }) => parent !== undefined);

const setUp = async () => ({ service: await startService(), folder: ownFolder() });

/** Writes what the plan says; gives the rows by their unique identifiers, and the identifiers of what was removed. */
async function written({ app }: Service, plan: ExportPlan, folder: string) {
  const exporting = { log: app.store.log, plan, format: 'ndjson', parts: app.store } as const;
  const tables = [
    ...exported.map((resource) => tableOf(exporting, resource)),
    removedTable(exporting, resources),
  ];
  const within = mkdtempSync(join(folder, 'run '));
  const targets = tables.map((table) => ({ table, file: join(within, table.name) }));
  await exportFiles(exporting, targets);
  await plan.snapshot.close();
  const rows = new Map<string, string>();
  const removed: string[] = [];
  for (const { table, file } of targets) {
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const { _unique_identifier } = JSON.parse(line);
      assert.ok(!rows.has(_unique_identifier), 'each record once');
      if (table.name === 'removed') removed.push(_unique_identifier);
      else rows.set(_unique_identifier, line);
    }
  }
  return { rows, removed };
}

async function everything(service: Service, folder: string) {
  const plan = await planWhole(service.app.store, [service.account.unique_identifier]);
  return (await written(service, plan, folder)).rows;
}

/** The export that goes on from what the file says, which it changes. */
async function since(service: Service, folder: string) {
  const file = join(folder, 'export.state');
  const state: ExportState = readState(file) ?? new Map();
  const plan = await planSince(service.app.store, [service.account.unique_identifier], state);
  const found = await written(service, plan, folder);
  replaceFile(file, stateText(plan.reached));
  return { ...found, plan };
}

describe('An export since another one', () => {
  it('has what changed and what was removed: applied in order, it is a copy', async () => {
    const { service, folder } = await setUp();
    const at = await service.location();
    const copy = new Map<string, string>();
    const gone: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const { rows, removed, plan } = await since(service, folder);
      assert.deepEqual(plan.restarted, []);
      for (const one of removed) copy.delete(one);
      for (const [one, row] of rows) copy.set(one, row);
      const found = new Map([...copy].sort());
      assert.deepEqual(found, new Map([...(await everything(service, folder))].sort()));
      if (round > 0) assert.ok(rows.size <= 12, `${rows.size} rows`);
      const events: string[] = [];
      for (let made = 0; made < 6; made += 1) {
        // Some are new, and some are those of the round before.
        events.push(await service.event(at, `event ${round * 4 + made}`));
        const name = `round ${round}`;
        const visitor = visitorBody(events[made], 'first', { visitor_full_name: name });
        await service.json('/v1/event_check_in_records/upsert', visitor);
      }
      for (const one of events.slice(0, 2)) {
        await service.send('DELETE', `/v1/events/${one}?cascade=true`);
        gone.push(one);
      }
      const back = gone[round];
      if (round % 2 === 1 && back !== undefined) {
        const answer = await service.json(`/v1/events/${back}/restore`, { version: 1 });
        assert.ok(answer.status === 200 || answer.status === 409, answer.text);
      }
    }
    const { rows, removed } = await since(service, folder);
    assert.ok(rows.size > 0 && removed.length > 0);
    const idle = await since(service, folder);
    assert.deepEqual([idle.rows.size, idle.removed.length], [0, 0]);
  });

  it('tells of an account that was wiped by the account', async () => {
    const { service, folder } = await setUp();
    const { unique_identifier } = service.account;
    await service.event(await service.location());
    await since(service, folder);
    await wipe(service.app.store, unique_identifier);
    const at = await service.location('again');
    const { rows, removed } = await since(service, folder);
    assert.deepEqual([...rows.keys()], [at]);
    assert.deepEqual(removed, [unique_identifier]);
  });

  it('starts over where the log does not tell what happened since, and says so', async () => {
    const { service, folder } = await setUp();
    const at = await service.location();
    await since(service, folder);
    const { account } = service;
    const mark = await service.app.store.log.last(account.unique_identifier);
    assert.ok(mark !== undefined);
    // As of a store that was set back: its commit of that number was another one.
    const other = { ...mark, token: mark.token === 0 ? 1 : mark.token - 1 };
    replaceFile(
      join(folder, 'export.state'),
      stateText(new Map([[account.unique_identifier, other]])),
    );
    const { rows, plan } = await since(service, folder);
    assert.deepEqual([...rows.keys()], [at]);
    assert.deepEqual(plan.restarted, [account.unique_identifier]);
    assert.deepEqual((await since(service, folder)).plan.restarted, []);
  });

  it('is refused where the file is not what an export left', async () => {
    const { folder } = await setUp();
    for (const text of ['', 'x', '{}', '{"ledgerstone":"export","format":2,"accounts":{}}']) {
      const file = join(folder, 'other');
      replaceFile(file, text);
      assert.throws(() => readState(file), /was not written by an export/);
    }
    const body: Body = readState(join(folder, 'none'));
    assert.equal(body, undefined);
  });
});
