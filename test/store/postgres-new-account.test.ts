/**
 * No work in an account reads the more the more it has, whatever the server believes. What is looked at is every statement that the store sends, as the server
 * itself tells how it went.
 */
// needs: long

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { type Client, escapeIdentifier } from 'pg';
import type { Store } from '../../src/store/promises/store.ts';
import { ALL } from '../support/all.ts';
import { connected } from '../support/ask.ts';
import { fill, openAt, RECEIPT_MS } from '../support/backups.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { place, thing, visit } from '../support/store-shapes.ts';
import {
  bytesOf,
  erasing,
  listed,
  newAccount,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

/** Of a table of an account: its pages are many times what a statement may read. */
const ROWS = 12_000;
const FEW_ROWS = 2_000;
/** Of a statement about a few rows, with all their indexes. */
const MAX_PAGES = 200;

/** What the server has learned when the account comes. */
const KNOWLEDGE = {
  'what was so before it came': { learn: 'ANALYZE' },
  'of no table': {},
  'of one other account': { others: 1, learn: 'ANALYZE' },
  'of empty tables': { others: 0, learn: 'ANALYZE' },
  // Many pages without a row: it expects none, however many pages are added.
  'of tables that had been emptied': { emptied: true, learn: 'ANALYZE' },
} as const;

interface Knowledge {
  readonly others?: number;
  readonly emptied?: boolean;
  readonly learn?: string;
}

interface Plan {
  readonly 'Query Text': string;
  readonly Plan: Step;
}

interface Step extends Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>> {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Step[];
}

/** What the server tells of statements while they are watched. */
let told: Plan[] | undefined;
const { emit } = EventEmitter.prototype;
/** A connection tells its client, which tells it once more. */
const heard = new WeakSet<object>();
// Also that of the library in a bundle.
EventEmitter.prototype.emit = function hear(name: string | symbol, ...values: unknown[]) {
  const [notice] = values as [({ readonly message?: string } & object)?];
  const [, plan] = /^duration: .* plan:\n(.*)$/s.exec(notice?.message ?? '') ?? [];
  if (name === 'notice' && notice && plan !== undefined && !heard.has(notice)) {
    heard.add(notice);
    told?.push(JSON.parse(plan));
  }
  return emit.call(this, name, ...values);
};

await onPostgres(({ name, url: server, ground }) => {
  const spread = process.env.TEST_DISTRIBUTION !== undefined;
  const skip = spread && 'a coordinator tells nothing of the plans of its workers';
  describe(`Work in a new account on ${name}`, { skip }, () => {
    for (const [knowledge, given] of Object.entries(KNOWLEDGE)) {
      const { others = 4, learn = '', emptied = false }: Knowledge = given;
      for (const mode of ALL ? ['auto', 'force_custom_plan'] : ['auto']) {
        it(`reads a few pages where the server has learned ${knowledge} (${mode})`, async () => {
          const found = await ground();
          const { url } = found;
          const store = await openAt(found, {
            serve: true,
            erasureKeys: [new Uint8Array(32).fill(7)],
          });
          const direct = new URL(server);
          direct.pathname = found.name;
          const client = await connected(direct.href);
          const tables = await tablesOf(client);
          for (const table of tables) {
            const quoted = escapeIdentifier(table);
            await client.query(`ALTER TABLE ${quoted} SET (autovacuum_enabled = off)`);
          }
          if (others === 0) await client.query(learn);
          const { account, ...known } = await fill(store, 10);
          for (let one = 0; one < others; one += 1) {
            const other = await newAccount(store);
            for (const table of tables) await multiply(client, table, account, FEW_ROWS, other);
          }
          for (const table of emptied ? tables : []) {
            const quoted = escapeIdentifier(table);
            await client.query(`DELETE FROM ${quoted} WHERE account <> $1`, [account]);
          }
          if (others > 0) await client.query(learn);
          await store.close();
          for (const table of tables) await multiply(client, table, account, ROWS);
          for (const setting of [
            "session_preload_libraries = 'auto_explain'",
            'auto_explain.log_min_duration = 0',
            'auto_explain.log_analyze = on',
            'auto_explain.log_buffers = on',
            'auto_explain.log_timing = off',
            'auto_explain.log_format = json',
            'auto_explain.log_level = notice',
            `plan_cache_mode = ${mode}`,
          ]) {
            await client.query(`ALTER DATABASE ${found.name} SET ${setting}`);
          }
          const watched = await openAt(
            { ...found, url },
            { serve: true, erasureKeys: [new Uint8Array(32).fill(7)] },
          );
          // As the upkeep of a service does, once the server counts what was written.
          await client.query('SELECT pg_stat_force_next_flush()');
          for (let learned = emptied; learned; ) learned = (await watched.learn?.()) ?? false;
          told = [];
          try {
            await work(watched, account, known);
            const byText = Map.groupBy(told, (one) => one['Query Text']);
            assert.ok(byText.size > 30, `${byText.size} statements were seen`);
            assert.deepEqual(
              [...byText.values()]
                .flatMap(tooMany)
                .map((one) => `${stepsOf(one.Plan).join('\n')}\n${one['Query Text']}`),
              [],
            );
          } finally {
            told = undefined;
            await watched.close();
          }
        });
      }
    }
  });
});

function pagesOf(plan: Step): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

/**
 * The plans of one statement, in their order, that read too many pages. Where other sessions make and remove many
 * tables, the server forgets what it knew of ours, and the next run of a statement reads the catalogue
 * again, in whichever step asks: a statement is judged by its second run in succession, or by its only one.
 */
function tooMany(plans: readonly Plan[]): readonly Plan[] {
  const judged = plans.length === 1 ? plans : plans.slice(1);
  return judged.filter((plan, at) => {
    const before = plans.length === 1 ? plan : plans[at];
    return before !== undefined && Math.min(pagesOf(plan.Plan), pagesOf(before.Plan)) > MAX_PAGES;
  });
}

/** The steps of a plan that read pages, those of its parts further in. */
function stepsOf(plan: Step, within = ''): readonly string[] {
  if (pagesOf(plan) === 0) return [];
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '' } = plan;
  const rows = `${plan['Actual Rows']} rows ${plan['Actual Loops']} times`;
  const own = `${within}${pagesOf(plan)} pages: ${type} ${table} ${index} (${rows})`;
  return [own, ...(plan.Plans ?? []).flatMap((part) => stepsOf(part, `${within}  `))];
}

/** Those whose rows are of an account. */
async function tablesOf(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly table: string }>(
    `SELECT table_name AS table FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'account' ORDER BY table_name`,
  );
  return rows.map(({ table }) => table).filter((table) => table !== 'account');
}

/** Makes so many rows of one that the account has, for it or another one; they differ where two rows must. */
async function multiply(
  client: Client,
  table: string,
  account: string,
  rows: number,
  to = account,
) {
  const { rows: columns } = await client.query<{
    readonly name: string;
    readonly type: string;
    readonly differs: boolean;
  }>(
    `SELECT attname AS name, atttypid::regtype::text AS type, EXISTS (SELECT FROM pg_index
        WHERE indrelid = attrelid AND indisunique AND attnum = ANY (indkey)) AND attname <> 'account' AS differs
      FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [escapeIdentifier(table)],
  );
  const different = ({ name, type, differs }: (typeof columns)[number]) => {
    const own = `one.${escapeIdentifier(name)}`;
    if (name === 'account') return '$2';
    // A hundred below each parent.
    if (name === 'parent') return `${own} || '_' || nth / 100`;
    if (!differs) return own;
    if (type === 'text') return `${own} || '_' || right($2, 9) || nth`;
    return /int/.test(type) ? `(10 + nth)::${type}` : own;
  };
  await client.query(
    `INSERT INTO ${escapeIdentifier(table)} (${columns.map(({ name }) => escapeIdentifier(name)).join(', ')})
      SELECT ${columns.map(different).join(', ')}
      FROM (SELECT * FROM ${escapeIdentifier(table)} WHERE account = $1 LIMIT 1) AS one,
        generate_series(1, ${rows}) AS nth ON CONFLICT DO NOTHING`,
    [account, to],
  );
}

/** All that is done to a few records. */
async function work(
  store: Store,
  account: string,
  { valid, gone, repeated }: Omit<Awaited<ReturnType<typeof fill>>, 'account'>,
): Promise<void> {
  const [home] = await listed(store, place, within(account), { limit: 1 });
  assert.ok(home !== undefined);
  const receipt = (idempotency_key: string) => ({
    ...{ owner: 'key_1', accounts: [account], idempotency_key, fingerprint: bytesOf(3) },
    expires_at: Date.now() + RECEIPT_MS,
  });
  // Prepared statements are planned for any values after the first few.
  for (let time = 0; time < 8; time += 1) {
    const own = await write(store, placeDraft(account, `place ${time}`, { title: 'A' }));
    const one = await write(store, thingDraft(own, `thing ${time}`, { label: 'A' }));
    const guest = visitDraft(one, `visit ${time}`, { person: { name: 'A', phone: '1' } });
    await write(store, guest);
    for (const label of ['B', 'B', 'C']) {
      await store.commit([
        placeDraft(account, `place ${time}`, { title: label }),
        thingDraft(own, `thing ${time}`, { label }),
        visitDraft(one, `visit ${time}`, { person: { name: label } }),
      ]);
      await store.commit([thingDraft(own, `thing ${time}`, { label })]);
      await store.commit([visitDraft(one, `visit ${time}`, { person: { name: label } })]);
    }
    await store.commit([{ ...thingDraft(own, `kept ${time}`, {}), receipt: receipt(`k${time}`) }]);
    await store.commit([{ ...thingDraft(own, `kept ${time}`, {}), receipt: receipt(`k${time}`) }]);
    await store.commit([thingDraft(own, `whole ${time}`, {}), guest], {
      atomic: true,
      receipt: receipt(`whole ${time}`),
    });
    for (const shape of [place, thing, visit]) {
      const parent = shape === place ? account : shape === thing ? own : one;
      const of = typeof parent === 'string' ? parent : parent.unique_identifier;
      const external_identifier = `${shape === visit ? 'visit' : shape.resource} ${time}`;
      const pair = { account, parent: of, external_identifier };
      const found = await store.findPair(shape, pair);
      assert.ok(found !== undefined, external_identifier);
      await store.find(shape, found.unique_identifier, within(account));
      await store.findAll(shape, [found.unique_identifier, 'none'], within(account));
      await store.log.of({ ...found, record: found.unique_identifier, limit: 5 } as never);
    }
    await store.log.last(account);
    await store.log.positions([account]);
    await store.log.read({ account, limit: 5, bytes: 10_000 });
    await store.log.gone(thing.resource, gone.thing, [account]);
    await store.receipt({ ...receipt(`k${time}`), accounts: [account] } as never);
    await store.commit([repeated]);
    await store.keys.authenticate(valid);
    const removed = await write(store, thingDraft(own, `going ${time}`, {}));
    await write(store, visitDraft(removed, 'guest', {}));
    await remove(store, removed);
    const erased = await write(store, thingDraft(own, `erased ${time}`, {}));
    await erasing(store, erased);
  }
}
