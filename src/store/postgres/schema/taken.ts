/** Names that the schema needs and that another program has taken in the same database: nothing of them is used or changed. */

import { ownTables } from '../../../core/objects/tables/all.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { ROOT_TABLE, tableName } from '../../names.ts';
import { StoreUnusable } from '../../promises/store.ts';
import type { SchemaStep } from '../../records/planner.ts';
import type { Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';
import { MIGRATION_TABLE } from './tables.ts';

/** The words for a relation, by `relkind`. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ r: 'table', p: 'table', v: 'view', m: 'materialized view', f: 'foreign table' },
  ...{ S: 'sequence', i: 'index', I: 'index', c: 'type', t: 'type' },
};

/** The most that the error names; the rest is counted. */
const NAMED = 10;

interface Existing {
  readonly ours: boolean;
  readonly tables: ReadonlyMap<string, { readonly columns: ReadonlySet<string> }>;
}

/** Throws `StoreUnusable` where a name that the steps would make, or would take for ours, is that of something else. */
export async function assertFree(
  session: Session,
  { ours, tables }: Existing,
  steps: readonly SchemaStep[],
  shapes: readonly RecordShape[],
  place: string,
): Promise<void> {
  const { made, indexes } = namesIn(steps, ours);
  if (!ours) for (const name of [MIGRATION_TABLE, ROOT_TABLE]) made.add(name);
  const rows = await session.query<readonly [name: string, kind: string]>(
    `SELECT relname::text, relkind::text FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1::text[])
    UNION SELECT typname::text, 't' FROM pg_type
      WHERE typnamespace = current_schema()::regnamespace AND typrelid = 0 AND typname = ANY ($2::text[])`,
    textArray([...made, ...indexes]),
    textArray([...made]),
  );
  const taken = new Map(rows.map(([name, kind]) => [name, KINDS[kind] ?? 'object']));
  for (const [name, key] of keysOf(shapes)) {
    const columns = tables.get(name)?.columns;
    // A table of ours has its key, whichever release made it.
    if (columns !== undefined && !(ours && key.every((column) => columns.has(column))))
      taken.set(name, 'table');
  }
  if (taken.size === 0) return;
  const all = [...taken].map(([name, kind]) => `${kind} ${name}`).sort();
  const more = all.length > NAMED ? [`${all.length - NAMED} more`] : [];
  throw new StoreUnusable(
    `The database at ${place} has tables of another program, or other things under names that the service needs: ${[...all.slice(0, NAMED), ...more].join(', ')}. Nothing was changed: name another database.`,
  );
}

/** By the table of each object and resource, the columns that each row of it is known by. */
function keysOf(shapes: readonly RecordShape[]): readonly (readonly [string, readonly string[]])[] {
  return [
    ...ownTables.map(({ table, key }) => [table, key] as const),
    ...shapes.map((shape) => [tableName(shape), ['account', 'document']] as const),
  ];
}

/** The tables and indexes that steps make; in a store of ours, but for the indexes that they make again. */
function namesIn(steps: readonly SchemaStep[], ours: boolean) {
  const made = new Set<string>();
  const indexes = new Set<string>();
  const dropped = new Set<string>();
  for (const part of steps.flatMap(({ does }) => does)) {
    const sql = typeof part === 'string' ? part : 'sql' in part ? part.sql : '';
    for (const name of namesAfter('CREATE TABLE', sql)) made.add(name);
    for (const name of namesAfter('CREATE (?:UNIQUE )?INDEX', sql)) indexes.add(name);
    for (const name of namesAfter('DROP INDEX IF EXISTS', sql)) dropped.add(name);
  }
  return { made, indexes: ours ? indexes.difference(dropped) : indexes };
}

/** The names that stand behind these words, as they are and as SQL quotes them. */
export function namesAfter(words: string, sql: string): readonly string[] {
  const all = sql.matchAll(new RegExp(`\\b${words} (?:"((?:[^"]|"")+)"|(\\w+))`, 'g'));
  return [...all].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}
