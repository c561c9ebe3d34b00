/** What is exported, imported, undone and backed up is the same, also what staff corrected. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { resources, shapes } from '../../../src/core/registry.ts';
import { createUndoing, undoOf } from '../../../src/features/imports/serves/undoing.ts';
import { partsOf } from '../../../src/services/backup/parts.ts';
import { verifyStore } from '../../../src/services/backup/verify/verify.ts';
import { backUp, restore } from '../../support/backups.ts';
import { ownFolder, run } from '../../support/cli-program.ts';
import { filesFolder, take } from '../../support/importing.ts';
import { fillOddly } from '../../support/odd-records.ts';
import { type Body, joinService, type Service, startService } from '../../support/service.ts';
import { serviceGround, storeEnv } from '../../support/service-ground.ts';
import type { Ground } from '../../support/store-world.ts';
import { world } from '../../support/world.ts';

const ground = await serviceGround();
const paths = resources.filter(({ parent }) => parent !== undefined).map(({ path }) => path);
const FORMATS = ['ndjson', 'csv', 'xlsx'] as const;
/** What was exported of the stage, each in a folder here. */
const home = ownFolder();
const out = {} as Record<(typeof FORMATS)[number], Awaited<ReturnType<typeof exported>>>;
const stage = world({ ground }, async (made) => {
  for (const path of paths) await fillOddly(made, path);
  for (const format of FORMATS) out[format] = await exported(ground, home, format, format);
});

/** Runs the program on a store, and gives what it tells programs. */
async function told(store: Ground, cwd: string, ...words: readonly string[]) {
  const { code, stdout, stderr } = await run([...words, '--json'], { cwd, env: storeEnv(store) });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** Exports a store to a folder; gives its files in any order but that of the import, and how many rows they have. */
async function exported(store: Ground, cwd: string, folder: string, format: string) {
  const { files } = await told(store, cwd, 'export', '--out', `${folder}/`, '--format', format);
  const rows = files.reduce((sum: number, one: { rows: number }) => sum + one.rows, 0);
  return { files: readdirSync(join(cwd, folder)).map((name) => join(folder, name)), rows };
}

/** The lines of an export, sorted, without what only this store could give. */
function plain(cwd: string, folder: string, account: string): readonly string[] {
  return paths.flatMap((path) =>
    readFileSync(join(cwd, folder, `${path}.ndjson`), 'utf8')
      .replaceAll(account, 'acct_…')
      .replaceAll(/,"_unique_identifier":.*$/gm, '')
      .split('\n')
      .sort(),
  );
}

describe('An export', () => {
  it('without a row is imported as well', async () => {
    const other = await serviceGround();
    await startService({ ground: other });
    const cwd = ownFolder();
    for (const format of FORMATS) {
      const { files } = await exported(other, cwd, format, format);
      const { rejected, ...counts } = await told(other, cwd, 'import', ...files);
      assert.deepEqual([counts.created, counts.unchanged, counts.failed], [0, 0, 0]);
      assert.deepEqual(rejected, []);
    }
  });

  for (const format of FORMATS) {
    it(`as ${format}, imported again, changes nothing`, async () => {
      const { files, rows } = out[format];
      assert.ok(rows > 80);
      const { import: one, ...result } = await told(ground, home, 'import', ...files);
      const unchanged = { created: 0, updated: 0, unchanged: rows, failed: 0 };
      assert.deepEqual(result, { ...unchanged, imports: [one], rejected: [], reasons: [] });
      const cwd = ownFolder();
      const again = await exported(ground, cwd, format, format);
      assert.deepEqual(again, out[format]);
      for (const file of files)
        assert.deepEqual(readFileSync(join(cwd, file)), readFileSync(join(home, file)));
    });

    it(`as ${format}, imported into an empty store, makes the same records`, async () => {
      const other = await serviceGround();
      const { unique_identifier: account } = (await startService({ ground: other })).account;
      // The account is another one there: tables are mapped, lines say which one it is.
      const cwd = ownFolder();
      cpSync(home, cwd, { recursive: true });
      writeFileSync(join(cwd, 'map.json'), '{"account_unique_identifier": null}');
      const { unique_identifier: from } = stage.service.account;
      const { files, rows } = out[format];
      for (const file of format === 'ndjson' ? files : []) {
        const path = join(cwd, file);
        writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, account));
      }
      const map = format === 'ndjson' ? [] : ['--map', 'map.json', '--account', account];
      const words = ['import', ...files, ...map];
      const { created, failed } = await told(other, cwd, ...words);
      assert.deepEqual([created, failed], [rows, 0]);
      await exported(other, cwd, 'here', 'ndjson');
      assert.deepEqual(plain(cwd, 'here', account), plain(home, 'ndjson', from));
    });
  }
});

const files = filesFolder();
const parts = partsOf(resources);

/** A location whose name a person has corrected. */
async function corrected(service: Service) {
  const { secret: staff } = await service.newKey({ allow: ['pin'] });
  const id = await service.location('oak-street');
  const path = `/v1/locations/${id}`;
  const { status } = await service.patch(path, { location_name: 'Right' }, { key: staff });
  assert.equal(status, 200);
  const named = async (by = service) => (await by.get(path)).body.location_name;
  const proposals = async (by = service): Promise<Body[]> =>
    (await by.get('/v1/proposals')).body.data;
  return { id, named, proposals };
}

describe('A correction', () => {
  it('survives an import, which proposes, and its undo, which does not', async () => {
    const service = await (await joinService()).another();
    const { store } = service.app;
    const { named, proposals } = await corrected(service);
    const file = files.write(
      'locations.csv',
      'external_identifier,location_name\noak-street,Wrong\nelm-street,Elm Street',
    );
    const { run } = await take(store, service.account.unique_identifier, [file]);
    assert.equal(await named(), 'Right');
    const [{ proposed, source }] = await proposals();
    assert.deepEqual([proposed, source !== null], ['Wrong', true]);
    const undone = await createUndoing(store, resources).run(undoOf(run));
    assert.deepEqual([undone?.removed, undone?.left], [1, []]);
    assert.equal(await named(), 'Right');
    assert.equal((await proposals()).length, 1);
  });

  it('is in a backup, with what is proposed, and the restored store is whole', async () => {
    const ground = await serviceGround();
    const service = await startService();
    const { id, proposals } = await corrected(service);
    await service.location('oak-street');
    await service.json('/v1/locations/upsert', {
      account_unique_identifier: service.account.unique_identifier,
      external_identifier: 'oak-street',
      location_name: 'Wrong',
    });
    const before = await proposals();
    assert.equal(before.length, 1);
    const { bytes } = await backUp(service.app.store, parts);
    await restore(ground, bytes, { parts, of: shapes });
    const { key } = service;
    const restored = await startService({ ground });
    const get = (path: string) => restored.get(path, { key });
    assert.deepEqual((await get('/v1/proposals')).body.data, before);
    assert.equal((await get(`/v1/locations/${id}`)).body.location_name, 'Right');
    const snapshot = await restored.app.store.snapshot();
    const { faults } = await verifyStore(snapshot, parts, resources);
    await snapshot.close();
    assert.deepEqual(faults, []);
    await Promise.all([restored.stop(), service.stop()]);
  });
});
