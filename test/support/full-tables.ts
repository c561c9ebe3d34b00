/** Tables with tens of thousands of rows, of which the server has learned all, nothing, or what is not so any more. */
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { openStore } from '../../src/store/open.ts';
import type { Call } from '../../src/store/postgres/wire/session.ts';
import type { PostgresGround } from './store-postgres.ts';
import { shapes } from './store-shapes.ts';

export const ROWS = 30_000;
export const ACCOUNT = 'own_1';
export const HOUR_MS = 3_600_000;

/** A list of 20 and its way down an index; a whole table has more than a thousand, and an index hundreds. */
export const MAX_PAGES = 40;

/** What the server has learned of the tables when it plans. */
export const KNOWLEDGE = ['all', 'nothing', 'what was so when they were empty'] as const;

interface Node {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** Whether plans are for the values, or for any: a server may choose either. */
const MODES = ['force_custom_plan', 'force_generic_plan'];

export interface FullTables {
  /** Fails where the statement reads more pages than that, however it is planned, after others of its transaction. */
  wantFewPages(
    call: Call<readonly unknown[]>,
    most?: number,
    before?: readonly Call<readonly unknown[]>[],
  ): Promise<void>;
  remove(): Promise<void>;
}

export async function fullTables(
  { url, remove }: PostgresGround,
  knowledge: (typeof KNOWLEDGE)[number],
): Promise<FullTables> {
  await (await openStore({ url, shapes, create: true, serve: true })).close();
  const client = new Client(url);
  await client.connect();
  // What is to be learned is learned here.
  for (const table of ['account', 'place', 'thing', 'visit "order"', 'commit']) {
    await client.query(`ALTER TABLE ${escapeIdentifier(table)} SET (autovacuum_enabled = off)`);
  }
  await makeAccount(client);
  await fill(client, 1, 3);
  if (knowledge === KNOWLEDGE[2]) await client.query('ANALYZE');
  await fill(client, 4, ROWS);
  if (knowledge === KNOWLEDGE[0]) await client.query('VACUUM ANALYZE');

  const pagesOf = async (
    { statement, values }: Call<readonly unknown[]>,
    mode: string,
    before: readonly Call<readonly unknown[]>[],
  ) => {
    const words = await literals(client, values);
    await client.query('BEGIN');
    for (const one of before) await client.query(one.statement.text, [...one.values]);
    await client.query(`SET LOCAL plan_cache_mode = ${mode}`);
    await client.query(`PREPARE planned AS ${statement.text}`);
    const { rows } = await client.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE planned ${words}`,
    );
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
    const [[{ Plan }]] = Object.values(rows[0] as object) as [[{ Plan: Node }]];
    return { pages: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'], Plan };
  };

  return {
    async wantFewPages(call, most = MAX_PAGES, before = []) {
      // What has no name is planned for its values, each time. Others are planned again every few seconds,
      // so that a plan for any values does not outlive what the server has learned wrongly for long.
      const once = call.statement.name === undefined || knowledge === KNOWLEDGE[2];
      for (const mode of once ? MODES.slice(0, 1) : MODES) {
        let { pages, Plan } = await pagesOf(call, mode, before);
        // A plan reads as many pages each time; what the server does beside it, such as vacuuming, does not.
        for (let again = 0; pages > most && again < 2; again += 1)
          ({ pages, Plan } = await pagesOf(call, mode, before));
        assert.ok(
          pages <= most,
          `${pages} pages, ${mode}: ${call.statement.text} ${JSON.stringify(Plan)}`,
        );
      }
    },
    async remove() {
      await client.end();
      await remove();
    },
  };
}

/** The server itself reads the arrays that are on their way in its binary form. */
async function literals(client: Client, values: readonly unknown[]): Promise<string> {
  const words: string[] = [];
  for (const value of values) {
    if (!Buffer.isBuffer(value)) {
      words.push(value === null ? 'NULL' : escapeLiteral(String(value)));
      continue;
    }
    const { rows } = await client.query('SELECT quote_literal($1::text[]) AS word', [value]);
    words.push((rows[0] as { word: string }).word);
  }
  return words.length === 0 ? '' : `(${words.join(', ')})`;
}

async function makeAccount(client: Client): Promise<void> {
  await client.query(
    `INSERT INTO account (account, unique_identifier, document, version, position, inserted_at, updated_at, livemode, key_name)
     VALUES ($1, $1, '{}', 1, 1, 0, 0, false, '')`,
    [ACCOUNT],
  );
}

/** Places and visits, each changed in an hour of its own, a hundred visits below each of some things. */
async function fill(client: Client, first: number, last: number): Promise<void> {
  const common = 'document, version, position, inserted_at, updated_at, updated_hour';
  const values = `repeat('x', 300), 1, 1, at * ${HOUR_MS}::bigint, at * ${HOUR_MS}::bigint, at`;
  const numbers = `generate_series(${first}, ${last}) AS at`;
  await client.query(`INSERT INTO commit SELECT $1, at, at, 0 FROM ${numbers}`, [ACCOUNT]);
  await client.query(
    `INSERT INTO place (account, unique_identifier, parent, anchor, external_identifier, ${common}, key_title)
     SELECT $1, 'plc_' || at, $1, 'plc_' || at, 'name ' || at, ${values}, 'title ' || at FROM ${numbers}`,
    [ACCOUNT],
  );
  await client.query(
    `INSERT INTO "visit ""order""" (account, unique_identifier, parent, anchor, external_identifier, ${common}, key_person, key_phone, key_welcome)
     SELECT $1, 'vis_' || at, 'thg_' || at % ${ROWS / 100}, 'plc_1', 'name ' || at, ${values}, 'person ' || at, '+' || at,
       CASE at % 2 WHEN 0 THEN 'true' ELSE '' END
     FROM ${numbers}`,
    [ACCOUNT],
  );
  // Each changed alone, and a tenth of them together by one commit.
  for (const [position, which] of [
    ['at', ''],
    ['1000000', 'WHERE at % 10 = 0'],
  ]) {
    await client.query(
      `INSERT INTO change (account, position, place, token, resource, record, anchor, outcome, version, before, by, occurred_at, content)
       SELECT $1, ${position}, at, at, 'place', 'plc_' || at, 'plc_' || at, 'updated', 2, 1, '', 0, repeat('x', 300) FROM ${numbers} ${which}`,
      [ACCOUNT],
    );
  }
}
