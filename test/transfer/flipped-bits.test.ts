/** No flipped bit in what a SQLite file keeps of a record, a change, an erasure or the audit goes unnoticed by `verify`. */
// needs: --ci, both stores with --all
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { resources, shapes } from '../../src/core/registry.ts';
import { partsOf } from '../../src/services/backup/parts.ts';
import { verifyStore } from '../../src/services/backup/verify/verify.ts';
import { openStore } from '../../src/store/open.ts';
import { ALL } from '../support/all.ts';
import { ownFolder } from '../support/cli-program.ts';
import { signedIn } from '../support/console.ts';
import { keyed } from '../support/secret-key.ts';
import type { Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const FLIPS = ALL ? 2_000 : 150;
const VISITORS = '/v1/event_check_in_records';
const folder = ownFolder();

/** Numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What there is of these tables; `damaged` where it cannot be read. */
function contentOf(path: string, names: readonly string[]): string {
  try {
    const database = new DatabaseSync(path);
    try {
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

/** Flips bits in copies of the file, of the bytes that `where` gives, and expects that `verify` notices each that changes those tables. */
async function flip(
  bytes: Buffer,
  names: readonly string[],
  where: (below: (below: number) => number) => number,
): Promise<number> {
  const path = join(folder, 'flipped');
  const write = (flipped: Buffer): void => {
    for (const beside of ['-wal', '-shm']) rmSync(path + beside, { force: true });
    writeFileSync(path, flipped, { mode: 0o600 });
  };
  write(bytes);
  const good = contentOf(path, names);
  const below = numbers(7);
  let changed = 0;
  const unnoticed: string[] = [];
  for (let nth = 0; nth < FLIPS; nth++) {
    const [byte, bit] = [where(below), below(8)];
    const flipped = Buffer.from(bytes);
    flipped[byte] = (flipped[byte] ?? 0) ^ (1 << bit);
    write(flipped);
    const isChanged = contentOf(path, names) !== good;
    write(flipped);
    if (!isChanged) continue;
    changed += 1;
    if (!(await isNoticed(path))) unnoticed.push(`bit ${bit} of byte ${byte}`);
  }
  assert.deepEqual(unnoticed, []);
  return changed;
}

describe('every bit is noticed', () => {
  const whole = join(folder, 'store');
  const ground = { url: `sqlite:${whole}`, remove: async () => {} };
  let bytes: Buffer;

  world({ ground, settings: keyed() }, async (on) => {
    for (const name of ['Ann Doe', 'Zoë Müller']) {
      const rows = Array.from({ length: 120 }, (_, nth) =>
        on.visitor(`visitor ${nth}`, { visitor_full_name: `${name} ${nth}` }),
      );
      await on.ok(`${VISITORS}/upsert_many`, rows);
    }
    const { data } = await on.read(`${VISITORS}?limit=30`);
    const [gone, ...others] = data.map((one: Body) => one.unique_identifier);
    await on.service.send('DELETE', `${VISITORS}/${gone}`);
    const person = await signedIn(on.service);
    for (const [nth, record] of others.entries()) {
      await person.get(`${VISITORS}/${record}`);
      if (nth > 8) continue;
      const erasure = await on.begin([record], { reference: `letter ${nth}` });
      if (nth <= 4) await on.run(erasure.unique_identifier, [record]);
    }
    await on.service.stop();
    assert.equal(await isNoticed(whole), false, 'faults were found in a store that is whole');
    bytes = readFileSync(whole);
  });

  it('that changes a record or a change', async (test) => {
    const names = [...shapes.map(({ resource }) => resource), 'change'];
    const changed = await flip(
      bytes,
      names.filter((name) => name !== 'account'),
      (below) => below(bytes.length),
    );
    assert.ok(changed > FLIPS / 20, `${changed} of ${FLIPS} bits changed anything`);
    test.diagnostic(`${changed} of ${FLIPS} bits changed content`);
  });

  for (const [table, prefix] of [
    ['erasure', 'ers_'],
    ['audit_entry', 'aud_'],
  ] as const)
    it(`that changes a row of ${table}`, async (test) => {
      const starts: number[] = [];
      for (let at = bytes.indexOf(prefix); at !== -1; at = bytes.indexOf(prefix, at + 1))
        starts.push(at);
      // Rows begin some bytes before their identifier, or behind what their key has.
      const changed = await flip(
        bytes,
        [table],
        (below) => (starts[below(starts.length)] ?? 0) - 64 + below(320),
      );
      assert.ok(changed > FLIPS / 50, `${changed} of ${FLIPS} bits changed anything`);
      test.diagnostic(`${changed} of ${FLIPS} bits changed content`);
    });
});
