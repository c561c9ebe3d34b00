/** What is exported can be taken in again, whatever is in it: nothing is lost, and nothing changes. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { streamXlsxRows } from 'hucre/xlsx';
import { readCsv } from '../../src/cli/csv.ts';
import { resources } from '../../src/registry.ts';
import { SheetTooSmall } from '../../src/tables/write-xlsx.ts';
import {
  type Exporting,
  type ExportTarget,
  exportFiles,
  tableOf,
} from '../../src/transfer/export/export.ts';
import { FORMATS, type Format } from '../../src/transfer/export/formats.ts';
import { planWhole } from '../../src/transfer/export/plan.ts';
import { fillOddly } from '../support/odd-records.ts';
import { answersIn, sendLines } from '../support/rows.ts';
import { type Scene, scene } from '../support/scenario.ts';
import { type Service, startService } from '../support/service.ts';
import { rowOfCells } from '../support/table-rows.ts';

const exported = resources.filter(({ parent }) => parent !== undefined);

const stage = scene({}, async (made) => {
  for (const { path } of exported) await fillOddly(made, path);
});

function folderOf(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone export '));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function targetsIn(exporting: Exporting, folder: string): readonly ExportTarget[] {
  return exported.map((resource) => ({
    table: tableOf(exporting, resource),
    file: join(folder, `${resource.path}.${exporting.format}`),
  }));
}

/** Exports all records of the service's account; gives each resource's rows as lines of JSON. */
async function exportAll({ app, account }: Service, format: Format, folder: string) {
  const { store } = app;
  const plan = await planWhole(store, [account.unique_identifier]);
  const exporting = { log: store.log, plan, format };
  const files = await exportFiles(exporting, targetsIn(exporting, folder));
  await plan.snapshot.close();
  const lines = new Map<string, readonly string[]>();
  for (const { table, rows, file } of files) {
    const read = await linesOf(format, readFileSync(file));
    assert.equal(read.length, rows);
    lines.set(table, read);
  }
  return lines;
}

async function linesOf(format: Format, bytes: Buffer): Promise<readonly string[]> {
  if (format === 'ndjson') return bytes.toString().split('\n').slice(0, -1);
  const table: (readonly string[])[] = [];
  if (format === 'csv') {
    table.push(...readCsv(bytes.toString()).map(({ cells }) => cells));
  } else {
    for await (const { values } of streamXlsxRows(bytes)) {
      assert.ok(values.every((value) => value === null || typeof value === 'string'));
      table.push(values.map((value) => String(value ?? '')));
    }
  }
  const [names = [], ...rows] = table;
  return rows.map((cells) => rowOfCells(names, cells));
}

/** Sends rows to where they may have come from; gives what became of them. */
async function takeIn(service: Service, path: string, lines: readonly string[]) {
  const headers = { 'Ledgerstone-Unknown-Fields': 'ignore' };
  const text = `${lines.join('\n')}\n`;
  const answer = await sendLines({ service } as Scene, path, text, { headers });
  return answersIn(answer.text).last.summary;
}

describe('An export', () => {
  for (const format of Object.keys(FORMATS) as Format[]) {
    it(`as ${format}, taken in again, changes nothing`, async (test) => {
      const lines = await exportAll(stage.service, format, folderOf(test));
      for (const [path, rows] of lines) {
        const { service } = stage;
        const listed = await service.get(`/v1/${path}?limit=1000`);
        assert.equal(rows.length, listed.body.data.length);
        const unchanged = { created: 0, updated: 0, unchanged: rows.length, failed: 0 };
        assert.deepEqual(await takeIn(service, path, rows), unchanged, path);
      }
    });

    it(`as ${format}, taken into an empty store, makes the same records`, async (test) => {
      const empty = await startService();
      test.after(() => empty.stop());
      const [from, to] = [stage.service.account, empty.account].map((one) => one.unique_identifier);
      const there = await exportAll(stage.service, format, folderOf(test));
      for (const [path, rows] of there) {
        const lines = rows.map((line) => line.replaceAll(from ?? '', to ?? ''));
        const created = { created: rows.length, updated: 0, unchanged: 0, failed: 0 };
        assert.deepEqual(await takeIn(empty, path, lines), created, path);
      }
      const here = await exportAll(empty, format, folderOf(test));
      // What the service gave is another thing, and so is the order that follows from it.
      const given = /,"_unique_identifier":.*$/;
      const plain = (lines: readonly string[] = []) =>
        lines.map((line) => line.replace(given, '').replaceAll(to ?? '', from ?? '')).sort();
      for (const [path, rows] of there) assert.deepEqual(plain(here.get(path)), plain(rows));
    });
  }

  it('is of one moment: what is written since is not in it', async (test) => {
    const { app, account } = stage.service;
    const { store } = app;
    const plan = await planWhole(store, [account.unique_identifier]);
    const late = await stage.service.location('late');
    await stage.service.event(late, 'late');
    const folder = folderOf(test);
    const exporting = { log: store.log, plan, format: 'csv' } as const;
    await exportFiles(exporting, targetsIn(exporting, folder));
    await plan.snapshot.close();
    for (const name of readdirSync(folder)) {
      assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /late,/);
    }
  });

  it('is for its owner alone, and is never written over anything', async (test) => {
    const folder = folderOf(test);
    await exportAll(stage.service, 'csv', folder);
    for (const name of readdirSync(folder)) {
      assert.match(name, /\.csv$/);
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    }
    rmSync(join(folder, 'events.csv'));
    await assert.rejects(exportAll(stage.service, 'csv', folder), /already exists/);
    assert.ok(!existsSync(join(folder, 'events.csv')));
  });

  it('as xlsx says which record does not fit, and leaves nothing', async (test) => {
    const { body } = await stage.upsert('online_arrangements', {
      json: { cart_summary: 'x'.repeat(32_768) },
      as: 'long',
    });
    const folder = folderOf(test);
    const refused = (error: unknown) =>
      error instanceof SheetTooSmall &&
      error.message.includes(`cart_summary of ${body.unique_identifier} has 32,768`);
    await assert.rejects(exportAll(stage.service, 'xlsx', folder), refused);
    assert.deepEqual(readdirSync(folder), []);
  });
});
