/** Finds in the catalog what keeps writes from single tables of a store although the server takes writes. */
import { ownTables } from '../../../core/objects/tables/all.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { FIXED_TABLES, tableName } from '../../names.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import type { Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';
import { CHANGE_TABLE } from './tables.ts';

export interface Hindrance {
  readonly table: string;
  /** Whether every write of its kind is refused; else what somebody has added may refuse some, or change them. */
  readonly refuses: boolean;
  /** Whether no record at all can be written therefore. */
  readonly stops: boolean;
  /** The end of a sentence about it, with what to do. */
  readonly says: string;
}

interface Look {
  readonly table: string;
  readonly lacks: readonly string[];
  readonly secured: boolean;
  readonly nameless: boolean;
  readonly published: readonly string[];
  readonly constraints: readonly string[];
  readonly triggers: readonly string[];
  readonly rules: readonly string[];
}

/** Gives a `Look` of each of the tables $1; those of $2 have conditions of ours, with the names that PostgreSQL gives. */
const look = `SELECT json_build_object('table', relname,
    'lacks', ARRAY(SELECT name FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS name
      WHERE NOT has_table_privilege(of_table.oid, name)),
    'secured', row_security_active(of_table.oid),
    'nameless', relkind = 'r' AND relreplident <> 'f' AND NOT EXISTS (SELECT FROM pg_index
      WHERE indrelid = of_table.oid AND (indisreplident OR (indisprimary AND relreplident = 'd'))),
    'published', ARRAY(SELECT pubname FROM pg_publication_tables JOIN pg_publication USING (pubname)
      WHERE schemaname = current_schema() AND tablename = relname AND (pubupdate OR pubdelete)),
    'constraints', ARRAY(SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE conrelid = of_table.oid AND contype IN ('c', 'f', 'x')
        AND NOT (relname = ANY ($2::text[]) AND conname ~ ('^' || relname || '(_\\w+)?_check\\d*$'))
      ORDER BY conname),
    'triggers', ARRAY(SELECT tgname FROM pg_trigger
      WHERE tgrelid = of_table.oid AND NOT tgisinternal AND tgenabled <> 'D' ORDER BY tgname),
    'rules', ARRAY(SELECT rulename FROM pg_rewrite WHERE ev_class = of_table.oid ORDER BY rulename))::text
  FROM pg_class AS of_table
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    AND relname = ANY ($1::text[])
  ORDER BY relname`;

export async function findHindrances(
  session: Session,
  shapes: readonly RecordShape[],
): Promise<readonly Hindrance[]> {
  const tables = [...new Set([...FIXED_TABLES.postgres, ...shapes.map(tableName)])];
  const declared = new Set(ownTables.map(({ table }) => table));
  const migrated = FIXED_TABLES.postgres.filter((table) => !declared.has(table));
  const rows = await session.query<readonly [text: string]>(
    look,
    textArray(tables),
    textArray(migrated),
  );
  const found = rows.flatMap(([text]) => hindrancesIn(JSON.parse(text)));
  const refusing = new Set(found.flatMap(({ table, refuses }) => (refuses ? table : [])));
  const ofRecords = shapes.filter(({ parent }) => parent !== undefined).map(tableName);
  if (!ofRecords.every((table) => refusing.has(table))) return found;
  return found.map((one) => ({ ...one, stops: one.stops || ofRecords.includes(one.table) }));
}

/** How long it is believed what was found: what readiness asks costs little. */
const BELIEVED_MS = 5_000;

/** Gives what throws `StoreUnavailable`, with the reason, where no record can be written although the server takes writes. */
export function stopCheck(shapes: readonly RecordShape[]): (session: Session) => Promise<void> {
  let looked: { readonly at: number; readonly stop: Hindrance | undefined } | undefined;
  return async (session) => {
    if (looked === undefined || performance.now() - looked.at > BELIEVED_MS) {
      const found = await findHindrances(session, shapes);
      looked = { at: performance.now(), stop: found.find(({ stops }) => stops) };
    }
    const { stop } = looked;
    if (stop !== undefined)
      throw new StoreUnavailable(
        `No record can be stored: writes to the table ${stop.table} are refused, since ${stop.says}.`,
      );
  };
}

/** Where every record that is written leaves a row. */
const ON_THE_WAY: readonly string[] = ['commit', CHANGE_TABLE];

function hindrancesIn(seen: Look): readonly Hindrance[] {
  const { table } = seen;
  const found: Hindrance[] = [];
  const isOnTheWay = ON_THE_WAY.includes(table);
  const isUsed = seen.lacks.some((right) => right === 'SELECT' || right === 'INSERT');
  const add = (refuses: boolean, says: string, stops = refuses && isOnTheWay): void =>
    void found.push({ table, refuses, stops, says });
  if (seen.lacks.length > 0)
    add(
      true,
      `the user may not ${seen.lacks.join(', ')} there: make it the owner of the table`,
      isOnTheWay && isUsed,
    );
  if (seen.secured)
    add(
      true,
      'row level security hides its rows from this user: ALTER TABLE … DISABLE ROW LEVEL SECURITY, or make the user the owner',
    );
  if (seen.nameless && seen.published.length > 0)
    add(
      true,
      `the publication ${seen.published.join(', ')} has it, and nothing identifies its rows: run "ledgerstone migrate"`,
      // Rows are only added there.
      false,
    );
  for (const one of seen.constraints)
    add(true, `somebody has added the constraint ${one}: drop it`);
  for (const one of seen.rules) add(true, `somebody has added the rule ${one}: drop it`);
  for (const one of seen.triggers)
    add(false, `somebody has added the trigger ${one}, which may refuse or change what is stored`);
  return found;
}
