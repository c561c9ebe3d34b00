/** What writes, removals and upkeep do to a SQLite file, and what its metrics tell. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, mock } from 'node:test';
import { MAX_WAITING } from '../../src/records/ingest/one/group-commit.ts';
import { whenOver } from '../support/at-end.ts';
import { startCounted } from '../support/counted-service.ts';
import { opened } from '../support/opened.ts';
import { eventBody } from '../support/sent.ts';
import { startService } from '../support/service.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  newAccount,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  write,
} from '../support/store-world.ts';

const CHILDREN = 1_000;

it('a removal from a SQLite store leaves no row of what was below', async () => {
  const ground = await sqliteGround();
  const store = await opened({ ...ground, shapes, create: true, serve: true });
  const account = await newAccount(store, 'A', true);
  const home = await write(store, placeDraft(account, 'home', {}));
  const made = await write(store, thingDraft(home, 'a', {}));
  const receipt = { owner: 'key_one', accounts: [account], fingerprint: new Uint8Array(32) };
  const expires_at = Date.now() + 3_600_000;
  await store.commit(
    Array.from({ length: CHILDREN }, (_, i) => ({
      ...visitDraft(made, `${i}`, { person: { name: 'Ida', phone: '1' } }),
      receipt: { ...receipt, idempotency_key: `${i}`, expires_at },
    })),
  );
  const rows = (): number => {
    const file = new DatabaseSync(ground.path, { readOnly: true });
    const count = (table: string) =>
      Number(file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
    const found = count('"visit ""order"""');
    file.close();
    return found;
  };
  assert.equal(rows(), CHILDREN);
  assert.equal((await remove(store, made)).below, CHILDREN);
  assert.equal(rows(), 0);
});

it('the size of the store is that of its files', async () => {
  const service = await startCounted();
  whenOver(() => service.stop());
  await service.event(await service.location());
  const path = service.app.store.place.replace('sqlite:', '');
  const sizes = () => [path, `${path}-wal`].map((file) => statSync(file).size);
  const before = sizes();
  const now = await service.scrape();
  // Whether the store accepts writes is found out by writing, so that the log may grow meanwhile.
  const after = sizes();
  for (const [index, part] of ['records', 'log'].entries()) {
    const bytes = now.value('ledgerstone_store_size_bytes', { part }) ?? -1;
    assert.ok(bytes >= (before[index] ?? 0) && bytes <= (after[index] ?? 0), `${part}: ${bytes}`);
  }
});

describe('overload of a SQLite store', () => {
  it('refuses with 503 and Retry-After what does not fit, and carries out all the rest', async () => {
    const service = await startService();
    const location = await service.location();
    const upsert = (index: number) =>
      service.app.inject({
        method: 'POST',
        url: '/v1/events/upsert',
        headers: { authorization: `Bearer ${service.key}` },
        payload: eventBody(location, `event ${index}`),
      });
    // Its own wait for another process ends, on a busy machine before all are sent: held here, a commit waits as long as it takes.
    const released = Promise.withResolvers<void>();
    const { store } = service.app;
    const commit = store.commit.bind(store);
    mock.method(store, 'commit', async (...given: Parameters<typeof commit>) => {
      await released.promise;
      return commit(...given);
    });
    const sent = MAX_WAITING + 500;
    const answers = Promise.all(Array.from({ length: sent }, (_, index) => upsert(index)));
    const late = await upsert(sent);
    assert.equal(late.statusCode, 503);
    assert.equal(late.headers['retry-after'], '1');
    assert.equal(late.json().error.code, 'service_unavailable');
    const reading = await service.get('/v1/locations');
    assert.equal(reading.status, 200, 'who reads is not refused');
    const removal = await service.app.inject({
      method: 'DELETE',
      url: `/v1/locations/${location}`,
      headers: { authorization: `Bearer ${service.key}` },
    });
    assert.equal(removal.statusCode, 503, 'who removes is');
    released.resolve();
    const statuses = (await answers).map(({ statusCode }) => statusCode);
    const taken = statuses.filter((status) => status === 200).length;
    assert.deepEqual([...new Set(statuses)].sort(), [200, 503]);
    assert.ok(taken >= MAX_WAITING, `${taken} taken`);

    const again = await upsert(sent);
    assert.equal(again.statusCode, 200, 'as before, once there is room');
  });
});
