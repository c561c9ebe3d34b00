/**
 * What one has the database do who does without our service: upserts into a
 * table with all columns and indexes of ours, under a parent that stands.
 */
import type { Client } from 'pg';
import { type DeclaredKey, type RecordShape, TRUE } from '../src/core/schema/shape.ts';
import { keyColumn, quoteName, ROOT_TABLE, tableName, tableOf } from '../src/store/names.ts';
import { IN_PAIR } from '../src/store/postgres/schema/tables.ts';
import { HOUR_MS, UPDATED_HOUR } from '../src/store/records/records.ts';
import type { Workload } from './bodies.ts';
import { documentSql, textSql } from './document-sql.ts';
import type { Upsert } from './pgbench.ts';
import { shapeOf } from './world.ts';

/** How an update treats what is stored: merged into it (RFC 7396), or put in its place. */
export type Manner = 'merged' | 'overwritten';

/** Where a table's records belong. */
export interface Place {
  readonly account: string;
  readonly parent: string;
  readonly anchor: string;
}

/** Greater than those that are there, as new ones are, and cheap to tell apart by a sequence. */
const IDENTIFIERS = { sequence: 'like_identifier', digits: 19, letters: 3 };

const UPDATES: Record<Manner, string> = {
  merged: 'merge_patch(record.document, excluded.document)',
  overwritten: 'excluded.document',
};

export function likeTable(shape: RecordShape): string {
  return quoteName(`like_${tableName(shape)}`);
}

/** For all tables of this kind. */
export async function makeIdentifiers(client: Client): Promise<void> {
  const { sequence, digits } = IDENTIFIERS;
  await client.query(`CREATE SEQUENCE ${sequence} START ${10n ** BigInt(digits - 1)}`);
}

/**
 * Makes a copy of our table with all that is in it, but for documents as
 * `jsonb`, which is what one takes who merges in the database. Gives where the
 * records belong.
 */
export async function makeLikeTable(client: Client, shape: RecordShape): Promise<Place> {
  const ours = tableOf(shape);
  const { rows } = await client.query<{ settings: string | null }>(
    `SELECT array_to_string(reloptions, ', ') AS settings FROM pg_class WHERE oid = $1::regclass`,
    [ours],
  );
  const settings = rows[0]?.settings ?? null;
  await client.query(
    `CREATE TABLE ${likeTable(shape)} (LIKE ${ours} INCLUDING ALL)
     ${settings === null ? '' : `WITH (${settings})`}`,
  );
  await client.query(`INSERT INTO ${likeTable(shape)} SELECT * FROM ${ours}`);
  await client.query(
    `ALTER TABLE ${likeTable(shape)} ALTER COLUMN document TYPE jsonb USING document::jsonb`,
  );
  const found = await client.query<Place>(
    `SELECT account, parent, anchor FROM ${ours} WHERE external_identifier = 'known-0'`,
  );
  return found.rows[0] as Place;
}

export function likeUpsert(
  shape: RecordShape,
  workload: Workload,
  { account, parent, anchor }: Place,
  manner: Manner,
): Upsert {
  const { sequence, letters } = IDENTIFIERS;
  const parentShape = shapeOf(shape.parent?.resource ?? '');
  // All bodies of a load bring the same members: a key of the patch is the key of what it is merged into.
  const keys = shape.keys.map((key) => [keyColumn(key), keySql(key)] as const);
  const columns = (name: string) =>
    [
      ['account', textSql(account)],
      [
        'unique_identifier',
        `${textSql(shape.prefix + 'z'.repeat(letters))} || nextval('${sequence}')`,
      ],
      ['parent', textSql(parent)],
      ['anchor', textSql(anchor)],
      ['external_identifier', name],
      ['document', 'sent.document'],
      ['version', '1'],
      ['position', 'pg_current_xact_id()::text::bigint'],
      ['inserted_at', 'sent.at'],
      ['updated_at', 'sent.at'],
      [UPDATED_HOUR, `sent.at / ${HOUR_MS}`],
      ...keys,
    ] as const;
  const replaced = ['position', 'updated_at', UPDATED_HOUR, ...keys.map(([key]) => key)];
  return (name) =>
    [
      `INSERT INTO ${likeTable(shape)} AS record (${columns(name)
        .map(([column]) => column)
        .join(', ')})`,
      `SELECT ${columns(name)
        .map(([, value]) => value)
        .join(', ')}`,
      // OFFSET 0, or the planner would put the reading of the document in the place of each `sent.document`.
      `FROM (SELECT ${documentSql(shape, workload, name)} AS document,`,
      "(date_part('epoch', now()) * 1000)::bigint AS at OFFSET 0) AS sent",
      `WHERE EXISTS (SELECT FROM ${tableOf(parentShape)} AS parent`,
      `WHERE parent.account = ${textSql(account)} AND parent.unique_identifier = ${textSql(parent)})`,
      `AND EXISTS (SELECT FROM ${ROOT_TABLE} AS root`,
      `WHERE root.account = ${textSql(account)} AND root.closed_at IS NULL)`,
      `ON CONFLICT (account, external_identifier, parent ${IN_PAIR}) DO UPDATE`,
      `SET document = ${UPDATES[manner]}, version = record.version + 1,`,
      replaced.map((column) => `${column} = excluded.${column}`).join(', '),
      'RETURNING document, version',
    ].join(' ');
}

function keySql({ path, as }: DeclaredKey): string {
  if (as === 'folded') throw new Error('SQL cannot fold the text of a key as our service does.');
  const steps = path.map(
    (name, depth) => `${depth === path.length - 1 ? '->>' : '->'} ${textSql(name)}`,
  );
  const value = `sent.document ${steps.join(' ')}`;
  if (as === 'true') return `CASE WHEN ${value} = 'true' THEN ${textSql(TRUE)} ELSE '' END`;
  return `coalesce(${as === 'caseless' ? `lower(${value})` : value}, '')`;
}
