/** No flipped bit in what a SQLite file keeps of a record, or of a change, goes unnoticed by `verify`. */
// needs: both stores
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { resources } from '../../src/core/registry.ts';
import { partsOf } from '../../src/services/backup/parts.ts';
import { verifyStore } from '../../src/services/backup/verify/verify.ts';
import { openStore } from '../../src/store/open.ts';
import { ALL } from '../support/all.ts';
import { startService } from '../support/service.ts';

const shapes = resources.map(({ shape }) => shape);
const FLIPS = ALL ? 2_000 : 150;

/** Numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What there is of records and of changes; `damaged` where it cannot be read. */
function contentOf(path: string): string {
  try {
    const database = new DatabaseSync(path);
    try {
      const names = [...shapes.map(({ resource }) => resource), 'change'].filter(
        (name) => name !== 'account',
      );
      return JSON.stringify(names.map((name) => database.prepare(`SELECT * FROM "${name}"`).all()));
    } finally {
      database.close();
    }
  } catch {
    return 'damaged';
  }
}

async function isNoticed(path: string): Promise<boolean> {
  try {
    const store = await openStore({ url: `sqlite:${path}`, shapes, create: false, serve: false });
    try {
      const snapshot = await store.snapshot();
      const { faultCount } = await verifyStore(snapshot, partsOf(resources), resources);
      await snapshot.close();
      return faultCount > 0;
    } finally {
      await store.close();
    }
  } catch {
    return true;
  }
}

it('every bit that changes content is noticed', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-bits-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const whole = join(folder, 'store');
  const service = await startService({
    ground: { url: `sqlite:${whole}`, remove: async () => {} },
  });
  const event = await service.event(await service.location());
  const at = '/v1/event_check_in_records/upsert_many';
  for (const visitor_full_name of ['Ann Doe', 'Zoë Müller']) {
    const rows = Array.from({ length: 120 }, (_, nth) => ({
      event_unique_identifier: event,
      external_identifier: `visitor ${nth}`,
      visitor_full_name: `${visitor_full_name} ${nth}`,
      visitor_phone_number: '+14155550123',
    }));
    assert.equal((await service.json(at, rows)).status, 200);
  }
  const [gone] = (await service.get('/v1/event_check_in_records?limit=1')).body.data;
  await service.send('DELETE', `/v1/event_check_in_records/${gone.unique_identifier}`);
  await service.stop();
  assert.equal(await isNoticed(whole), false, 'faults were found in a store that is whole');

  const good = contentOf(whole);
  const bytes = readFileSync(whole);
  const path = join(folder, 'flipped');
  const below = numbers(7);
  let changed = 0;
  const unnoticed: string[] = [];
  for (let nth = 0; nth < FLIPS; nth++) {
    const [byte, bit] = [below(bytes.length), below(8)];
    const flipped = Buffer.from(bytes);
    flipped[byte] = (flipped[byte] ?? 0) ^ (1 << bit);
    writeFileSync(path, flipped, { mode: 0o600 });
    const isChanged = contentOf(path) !== good;
    rmSync(`${path}-wal`, { force: true });
    rmSync(`${path}-shm`, { force: true });
    writeFileSync(path, flipped, { mode: 0o600 });
    if (!isChanged) continue;
    changed += 1;
    if (!(await isNoticed(path))) unnoticed.push(`bit ${bit} of byte ${byte}`);
    rmSync(`${path}-wal`, { force: true });
    rmSync(`${path}-shm`, { force: true });
  }
  assert.ok(changed > FLIPS / 20, `${changed} of ${FLIPS} bits changed anything`);
  assert.deepEqual(unnoticed, []);
  test.diagnostic(`${changed} of ${FLIPS} bits changed content`);
});
