/** Finds in the catalog what keeps writes from single tables of a store although the server takes writes. */
import { ownTables } from '../../../core/objects/tables/all.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { FIXED_TABLES, tableName } from '../../names.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import { tookTooLong } from '../wire/failure.ts';
import type { Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';
import { freshSql } from './migrate.ts';
import { CHANGE_TABLE } from './tables.ts';
import { namesAfter } from './taken.ts';
import { type Tried, tryWrite } from './tried.ts';

export interface Hindrance {
  readonly table: string;
  /** Whether writes are refused, as far as can be found out; else what somebody has added may refuse some, or change them. */
  readonly refuses: boolean;
  /** Whether all of them are, for certain. */
  readonly all: boolean;
  /** Whether no record at all can be written therefore. */
  readonly stops: boolean;
  /** The end of a sentence about it, with what to do. */
  readonly says: string;
}

interface Look {
  readonly table: string;
  readonly lacks: readonly string[];
  /** Row level security applies to the user; `policies`: how many say which rows it may write all the same. */
  readonly secured: boolean;
  readonly policies: number;
  readonly nameless: boolean;
  readonly published: readonly string[];
  readonly constraints: readonly string[];
  readonly triggers: readonly string[];
  readonly rules: readonly string[];
  readonly uniques: readonly string[];
  /** Columns that must have a value, and have none by themselves. */
  readonly required: readonly string[];
}

/** Gives a `Look` of each of the tables $1; those of $2 have conditions of ours, with the names that PostgreSQL gives. */
const look = `WITH published AS MATERIALIZED (
    SELECT tablename, array_agg(pubname) AS by FROM pg_publication_tables JOIN pg_publication USING (pubname)
      WHERE schemaname = current_schema() AND (pubupdate OR pubdelete) GROUP BY tablename)
  SELECT json_build_object('table', relname,
    'lacks', ARRAY(SELECT name FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS name
      WHERE NOT has_table_privilege(of_table.oid, name)),
    'secured', row_security_active(of_table.oid),
    'policies', (SELECT count(*) FROM pg_policy WHERE polrelid = of_table.oid),
    'uniques', ARRAY(SELECT of_index.relname FROM pg_index JOIN pg_class AS of_index ON of_index.oid = indexrelid
      WHERE indrelid = of_table.oid AND indisunique AND NOT indisprimary ORDER BY 1),
    'required', ARRAY(SELECT attname FROM pg_attribute
      WHERE attrelid = of_table.oid AND attnum > 0 AND NOT attisdropped AND attnotnull
        AND NOT atthasdef AND attidentity = '' ORDER BY attname),
    'nameless', relkind = 'r' AND relreplident <> 'f' AND NOT EXISTS (SELECT FROM pg_index
      WHERE indrelid = of_table.oid AND (indisreplident OR (indisprimary AND relreplident = 'd'))),
    'published', coalesce((SELECT by FROM published WHERE tablename = relname), '{}'),
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
  const ours = known.get(shapes) ?? oursIn(shapes);
  known.set(shapes, ours);
  const found: Hindrance[] = [];
  for (const [text] of rows) {
    const seen: Look = JSON.parse(text);
    const added = addedIn(seen, ours);
    const tried = added.length === 0 ? undefined : await tryWrite(session, seen.table);
    found.push(...hindrancesIn(seen), ...judged(seen.table, added, tried));
  }
  const refusing = new Set(found.flatMap(({ table, all }) => (all ? table : [])));
  const ofRecords = shapes.filter(({ parent }) => parent !== undefined).map(tableName);
  if (!ofRecords.every((table) => refusing.has(table))) return found;
  return found.map((one) => ({
    ...one,
    stops: one.stops || (one.all && ofRecords.includes(one.table)),
  }));
}

/** How long it is believed what was found: what readiness asks costs little. */
const BELIEVED_MS = 5_000;

export type TableWatch = ReturnType<typeof watchTables>;

export function watchTables(shapes: readonly RecordShape[]) {
  let looked: { readonly at: number; readonly found: readonly Hindrance[] } | undefined;
  const look = async (session: Session): Promise<readonly Hindrance[]> => {
    if (looked === undefined || performance.now() - looked.at > BELIEVED_MS)
      looked = { at: performance.now(), found: await findHindrances(session, shapes) };
    return looked.found;
  };
  return {
    /** Throws `StoreUnavailable`, with the reason, where no record can be written although the server takes writes. */
    async refuseStopped(session: Session): Promise<void> {
      const found = await look(session).catch((error): readonly Hindrance[] => {
        // A look that takes too long says nothing of writes.
        if (!tookTooLong(error)) throw error;
        looked = { at: performance.now(), found: [] };
        return looked.found;
      });
      const stop = found.find(({ stops }) => stops);
      if (stop !== undefined)
        throw new StoreUnavailable(
          `No record can be stored: writes to the table ${stop.table} are refused, since ${stop.says}.`,
        );
    },
    /** The tables in which writes are refused. */
    async refusing(session: Session): Promise<readonly string[]> {
      const found = await look(session);
      return [...new Set(found.flatMap(({ table, refuses }) => (refuses ? table : [])))];
    },
  };
}

/** Where every record that is written leaves a row. */
const ON_THE_WAY: readonly string[] = ['commit', CHANGE_TABLE];

const known = new WeakMap<readonly RecordShape[], ReturnType<typeof oursIn>>();

/** Finds the columns of each table, and the unique indexes, that a store has which is made now. */
function oursIn(shapes: readonly RecordShape[]) {
  const columns = new Map<string, Set<string>>();
  const indexes = new Set<string>();
  for (const sql of freshSql(shapes)) {
    const [table] = namesAfter('(?:CREATE|ALTER) TABLE(?: IF NOT EXISTS)?', sql);
    if (table !== undefined) {
      const words = columns.getOrInsertComputed(table, () => new Set());
      for (const [word] of sql.matchAll(/\w+/g)) words.add(word);
    }
    for (const index of namesAfter('CREATE UNIQUE INDEX', sql)) indexes.add(index);
  }
  return { columns, indexes };
}

/** Something that somebody has added to a table; `all`: whether it refuses every write, whatever that holds. */
interface Added {
  readonly says: string;
  readonly all: boolean;
  /** Whether it refuses anything by what it is. */
  readonly judges: boolean;
}

function addedIn(seen: Look, { columns, indexes }: ReturnType<typeof oursIn>): readonly Added[] {
  const own = columns.get(seen.table);
  const added = (what: string, all = false, judges = true): Added => ({
    says: `somebody has added ${what}`,
    ...{ all, judges },
  });
  return [
    ...seen.constraints.map((one) => added(`the constraint ${one}`, / CHECK \(false\)/.test(one))),
    ...seen.uniques
      .filter((one) => !indexes.has(one))
      .map((one) => added(`the unique index ${one}`)),
    ...seen.required
      .filter((one) => own?.has(one) === false)
      .map((one) => added(`the column ${one}, which must have a value`, true)),
    ...seen.rules.map((one) => added(`the rule ${one}`, false)),
    ...(seen.secured && seen.policies > 0
      ? [added('policies of row level security', false, false)]
      : []),
    ...seen.triggers.map((one) => added(`the trigger ${one}`, false, false)),
  ];
}

/** Whether what was added refuses anything, as far as a write tells that was tried there. */
function judged(
  table: string,
  added: readonly Added[],
  tried: Tried | undefined,
): readonly Hindrance[] {
  const why = typeof tried === 'object' ? tried : undefined;
  return added.map(({ says, all, judges }) => {
    const refuses = all || why !== undefined || (judges && tried !== 'taken');
    const isAll = all || why?.isAdded === true;
    const then =
      why !== undefined
        ? `: a write was tried there, and the server said ${JSON.stringify(why.refused)}; drop it`
        : refuses
          ? ': drop it'
          : ', which may refuse or change what is stored';
    const stops = isAll && ON_THE_WAY.includes(table);
    return { table, refuses, all: isAll, stops, says: `${says}${then}` };
  });
}

/** Finds hindrances that refuse every write of their kind, and that nobody has to try. */
function hindrancesIn(seen: Look): readonly Hindrance[] {
  const { table } = seen;
  const found: Hindrance[] = [];
  const isOnTheWay = ON_THE_WAY.includes(table);
  const isUsed = seen.lacks.some((right) => right === 'SELECT' || right === 'INSERT');
  const add = (says: string, all = true): void =>
    void found.push({ table, refuses: true, all, stops: all && isOnTheWay, says });
  if (seen.lacks.length > 0)
    add(`the user may not ${seen.lacks.join(', ')} there: make it the owner of the table`, isUsed);
  if (seen.secured && seen.policies === 0)
    add(
      'row level security hides its rows from this user: ALTER TABLE … DISABLE ROW LEVEL SECURITY, or make the user the owner',
    );
  if (seen.nameless && seen.published.length > 0)
    add(
      `the publication ${seen.published.join(', ')} has it, and nothing identifies its rows: run "ledgerstone migrate"`,
      // Rows are only added there, and records are added and changed by one statement.
      !isOnTheWay,
    );
  return found;
}
