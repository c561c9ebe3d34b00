/** No flipped bit in what a SQLite file keeps of a record, a change, an erasure or the audit goes unnoticed by `verify`. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { resources } from '../../src/core/registry.ts';
import { partsOf } from '../../src/services/backup/parts.ts';
import { verifyStore } from '../../src/services/backup/verify/verify.ts';
import { openStore } from '../../src/store/open.ts';
import { ALL } from '../support/all.ts';
import { signedIn } from '../support/console.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { type Body, startService } from '../support/service.ts';

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
  { folder, bytes }: { readonly folder: string; readonly bytes: Buffer },
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
  let folder: string;
  let bytes: Buffer;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerstone-bits-'));
    const whole = join(folder, 'store');
    const secret = secretKeyFile();
    const service = await startService({
      ground: { url: `sqlite:${whole}`, remove: async () => {} },
      settings: { secret_key_file: secret },
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
    const { data } = (await service.get('/v1/event_check_in_records?limit=30')).body;
    const [gone, ...others] = data.map(({ unique_identifier: id }: Body) => id);
    await service.send('DELETE', `/v1/event_check_in_records/${gone}`);
    const officer = (await service.newKey({ permissions: ['read'], allow: ['erase'] })).secret;
    const account = service.account.unique_identifier;
    const person = await signedIn(service);
    for (const [nth, record] of others.entries()) {
      await person.get(`/v1/event_check_in_records/${record}`);
      if (nth > 8) continue;
      const sent = { account, records: [record], reference: `letter ${nth}` };
      const { body, text } = await service.json('/v1/erasures', sent, { key: officer });
      assert.ok(body.unique_identifier, text);
      if (nth > 4) continue;
      const run = `/v1/erasures/${body.unique_identifier}/run`;
      const { status } = await service.json(run, { records: [record] }, { key: officer });
      assert.equal(status, 200);
    }
    await service.stop();
    assert.equal(await isNoticed(whole), false, 'faults were found in a store that is whole');
    bytes = readFileSync(whole);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('that changes a record or a change', async (test) => {
    const names = [...shapes.map(({ resource }) => resource), 'change'];
    const changed = await flip(
      { folder, bytes },
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
        { folder, bytes },
        [table],
        (below) => (starts[below(starts.length)] ?? 0) - 64 + below(320),
      );
      assert.ok(changed > FLIPS / 50, `${changed} of ${FLIPS} bits changed anything`);
      test.diagnostic(`${changed} of ${FLIPS} bits changed content`);
    });
});
