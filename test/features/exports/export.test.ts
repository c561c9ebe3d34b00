/** Exports are of one moment, for their owner alone, and there whole or not at all. What is in them: `export-import.test.ts`. */
// needs: both stores with --all

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { resources } from '../../../src/core/registry.ts';
import type { Resource } from '../../../src/core/schema/define.ts';
import { SheetTooSmall } from '../../../src/core/tables/write-xlsx.ts';
import {
  type Exporting,
  type ExportTarget,
  exportFiles,
  planWhole,
  tableOf,
} from '../../../src/features/exports/serves/export.ts';
import type { Format } from '../../../src/features/exports/serves/formats.ts';
import { zonesOver } from '../../../src/records/query/zones.ts';
import { ownFolder } from '../../support/cli-program.ts';
import { fillOddly } from '../../support/odd-records.ts';
import type { Service } from '../../support/service.ts';
import { world } from '../../support/world.ts';

const exported = resources.filter(({ parent }) => parent !== undefined);

const stage = world({}, async (made) => {
  for (const { path } of exported) await fillOddly(made, path);
});

function targetsIn(exporting: Exporting, folder: string): readonly ExportTarget[] {
  return exported.map((resource) => ({
    table: tableOf(exporting, resource),
    file: join(folder, `${resource.path}.${exporting.format}`),
  }));
}

/** Exports all records of the service's account. */
async function exportAll({ app, account }: Service, format: Format, folder: string) {
  const { store } = app;
  const plan = await planWhole(store, [account.unique_identifier]);
  const exporting = { log: store.log, plan, format, parts: store };
  try {
    await exportFiles(exporting, targetsIn(exporting, folder));
  } finally {
    await plan.snapshot.close();
  }
}

describe('An export', () => {
  it('has times by the clock of each home in a workbook, and in UTC for programs', async () => {
    const { app, account } = stage.service;
    const { store } = app;
    const home = await stage.service.location('by-the-clock');
    await stage.service.event(home, 'in-the-morning');
    const of = { unique_identifier: home, account: account.unique_identifier };
    await store.locationSettings.change([{ ...of, time_zone: 'America/Chicago' }]);
    const timeOf = async (zones: Exporting['parts']['zones']): Promise<unknown> => {
      const plan = await planWhole(store, [account.unique_identifier]);
      const events = resources.find(({ path }) => path === 'events') as Resource;
      const { rows } = tableOf(
        { log: store.log, plan, format: 'xlsx', parts: { said: store.said, zones } },
        events,
      );
      const all = (await Array.fromAsync(rows)).flat();
      await plan.snapshot.close();
      const { event_datetime, _updated_at } =
        all.find(({ external_identifier }) => external_identifier === 'in-the-morning') ?? {};
      return [event_datetime, /-0[56]:00$/.test(String(_updated_at))];
    };
    assert.deepEqual(await timeOf(zonesOver(store)), ['2026-11-20 08:30:00-06:00', true]);
    const [utc] = (await timeOf(undefined)) as string[];
    assert.equal(utc, '2026-11-20T14:30:00Z');
  });

  it('is of one moment: what is written since is not in it', async () => {
    const { app, account } = stage.service;
    const { store } = app;
    const plan = await planWhole(store, [account.unique_identifier]);
    const late = await stage.service.location('late');
    await stage.service.event(late, 'late');
    const folder = ownFolder();
    const exporting = { log: store.log, plan, format: 'csv', parts: store } as const;
    await exportFiles(exporting, targetsIn(exporting, folder));
    await plan.snapshot.close();
    for (const name of readdirSync(folder)) {
      assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /late,/);
    }
  });

  it('is for its owner alone, and is never written over anything', async () => {
    const folder = ownFolder();
    await exportAll(stage.service, 'csv', folder);
    for (const name of readdirSync(folder)) {
      assert.match(name, /\.csv$/);
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    }
    rmSync(join(folder, 'events.csv'));
    await assert.rejects(exportAll(stage.service, 'csv', folder), /already exists/);
    assert.ok(!existsSync(join(folder, 'events.csv')));
  });

  it('as xlsx says which record does not fit, and leaves nothing', async () => {
    const { body } = await stage.upsert('online_arrangements', {
      json: { cart_summary: 'x'.repeat(32_768) },
      as: 'long',
    });
    const folder = ownFolder();
    const refused = (error: unknown) =>
      error instanceof SheetTooSmall &&
      error.message.includes(`cart_summary of ${body.unique_identifier} has 32,768`);
    await assert.rejects(exportAll(stage.service, 'xlsx', folder), refused);
    assert.deepEqual(readdirSync(folder), []);
  });
});
