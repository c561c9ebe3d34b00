/** A migration waits for those who hold the tables, says who they are, and stands in nobody's way meanwhile. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { StoreUnusable } from '../../src/store/promises/store.ts';
import { connected } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { place, shapes, visit } from '../support/store-shapes.ts';
import { newAccount, placeDraft, write } from '../support/store-world.ts';
import { until } from '../support/until.ts';

/** A store whose next version has more keys, so that it changes tables and makes indexes. */
const before = shapes.map((shape) =>
  shape === place || shape === visit ? { ...shape, keys: [] } : shape,
);
const [, placeBefore = place] = before;

/** As the version before writes it. */
const olderDraft = (account: string, name: string) => ({
  ...placeDraft(account, name, {}),
  shape: placeBefore,
});

/** What others hold a table with, for as long as they like. */
const HOLDS = [
  `SELECT 'Ann Example' FROM place`,
  `UPDATE place SET document = '{"title":"Ann Example"}' WHERE false`,
  'LOCK TABLE "visit ""order""" IN ACCESS SHARE MODE',
  'LOCK TABLE place IN SHARE MODE',
];

await onPostgres(({ name, url: server, ground }) => {
  const pooled = process.env.TEST_POOLER !== undefined;
  const skip = pooled && 'a pooler keeps what waits from being told apart';
  describe(`A migration on ${name}`, { skip }, () => {
    for (const hold of HOLDS) {
      it(`waits for ${hold.slice(0, 30)}, and the process before goes on writing`, async () => {
        const { store, holder, open, pid } = await held(ground, server, hold);
        const account = await newAccount(store);
        const told: string[] = [];
        const opening = open((why) => told.push(why));
        opening.catch(() => undefined);
        const isShared = !hold.includes('IN SHARE MODE');
        // More than one turn, and each of its writes goes through.
        let written = 0;
        await until(async () => {
          if (isShared) await write(store, olderDraft(account, `${written}`));
          written += 1;
          return told.length > 0 && written > 20;
        });
        assert.match(
          told[0] ?? '',
          new RegExp(
            `cannot be changed while others hold them \\(.*process ${pid}, 'a report', ${/^\w+/.exec(hold)?.[0]}, idle in transaction, since 20\\d\\d-.*Z`,
          ),
        );
        assert.doesNotMatch(told.join(), /Ann/);
        await holder.query('COMMIT');
        const next = await opening;
        await write(store, olderDraft(account, 'after'));
        await write(next, placeDraft(account, 'next', { title: 'T' }));
      });
    }

    it('gives up after a time, says whom it has waited for, and has changed nothing', async () => {
      const { store, holder, open, pid } = await held(ground, server, HOLDS[0] ?? '');
      await assert.rejects(open(undefined, 1), (error: unknown) => {
        assert.ok(error instanceof StoreUnusable, String(error));
        assert.match(
          error.message,
          new RegExp(`process ${pid}, 'a report'.*Nothing was changed\\. End these transactions`),
        );
        return true;
      });
      const { rows } = await holder.query(
        "SELECT FROM pg_attribute WHERE attrelid = 'place'::regclass AND attname LIKE 'key%'",
      );
      assert.equal(rows.length, 0);
      await write(store, olderDraft(await newAccount(store), 'home'));
    });
  });
});

async function held(ground: PostgresCase['ground'], server: string, hold: string) {
  const found = await ground();
  const { url, distribution } = found;
  const how = { url, distribution, create: true, historyDays: 9, partitions: 0, now: Date.now };
  const store = await openPostgres({ ...how, shapes: before, serve: true });
  whenOver(store.close);
  const direct = new URL(found.url);
  direct.host = new URL(server).host;
  direct.searchParams.set('application_name', 'a report');
  const holder = await connected(direct.href);
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  await holder.query('BEGIN');
  await holder.query(hold);
  const open = async (waits?: (why: string) => void, patienceMs?: number) => {
    const next = await openPostgres({
      ...{ ...how, shapes, serve: false },
      ...(waits && { notices: { waits } as never }),
      ...(patienceMs && { patienceMs }),
    });
    whenOver(next.close);
    return next;
  };
  return { store, holder, open, pid: (rows[0] as { pid: number }).pid };
}
