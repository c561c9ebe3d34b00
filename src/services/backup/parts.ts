/** The parts of a backup, in order: how each is read from a snapshot, and loaded again. */
import { type OwnColumn, type OwnTable, ownColumns } from '../../core/objects/own-object.ts';
import { ownTables } from '../../core/objects/tables/all.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { LoggedChange } from '../../store/promises/log.ts';
import type {
  AccountImage,
  Batches,
  FixedRow,
  Loading,
  ReceiptImage,
  Snapshot,
  TombstoneImage,
} from '../../store/promises/snapshot.ts';
import type { StoredRecord } from '../../store/promises/stored.ts';

/**
 * How increments include a part: `whole` if anything of it changed; of `records` those in the log; of `receipts` and
 * `later` rows those that have changed since; `changes` are added.
 */
export type PartKind = 'whole' | 'records' | 'receipts' | 'later' | 'changes';

export interface Part {
  readonly name: string;
  readonly kind: PartKind;
  readonly shape?: RecordShape;
  /** The declared table, which is the same on every store. */
  readonly table?: OwnTable;
  readonly columns?: readonly OwnColumn[];
  /** Whether rows end by themselves as time passes. */
  readonly ends?: true | undefined;
  read(snapshot: Snapshot): Batches<object>;
  /** The rows are as they were read. */
  load(loading: Loading, rows: Batches<object>): Promise<void>;
  /** The name under which a row is counted, if it is not that of the part. */
  counted?(row: object): string;
  /** A row of any earlier release as this one writes it. */
  asNow?(row: object): object;
}

/** A resource, with the name that it goes by outside. */
export interface BackedUp {
  readonly path: string;
  readonly shape: RecordShape;
}

const REMOVED = 'removed';

/** `resources` are parents before children, the root first. */
export function partsOf(resources: readonly BackedUp[]): readonly Part[] {
  const [root, ...others] = resources;
  if (root === undefined) throw new TypeError('A store has a root.');
  return [
    {
      name: root.path,
      kind: 'whole',
      read: (snapshot) => snapshot.accounts(),
      load: (loading, rows) => loading.accounts(rows as Batches<AccountImage>),
    },
    ...TABLE_PARTS,
    ...others.map(recordsPart),
    {
      name: 'receipts',
      kind: 'receipts',
      ends: true,
      read: (snapshot) => snapshot.receipts(),
      load: (loading, rows) => loading.receipts(rows as Batches<ReceiptImage>),
      asNow: withoutAnswer,
    },
    {
      name: 'changes',
      kind: 'changes',
      ends: true,
      read: (snapshot) => snapshot.changes(),
      load: (loading, rows) => loading.changes(rows as Batches<LoggedChange>),
    },
  ];
}

/** Declared tables: what belongs to others comes after these. */
const TABLE_PARTS = ownTables
  .flatMap((table): Part[] => (table.backup === undefined ? [] : [tablePart(table.backup, table)]))
  .sort((one, other) => Number(one.kind === 'later') - Number(other.kind === 'later'));

function tablePart(name: string, table: OwnTable): Part {
  const columns = ownColumns(table);
  return {
    name,
    kind: table.since === undefined ? 'whole' : 'later',
    table,
    columns,
    ends: table.ends,
    asNow: (row) => withColumns(columns, row as FixedRow),
    read: (snapshot) => snapshot.rows(table),
    load: (loading, rows) => loading.rows(table, rows as Batches<FixedRow>),
  };
}

/** Existing and removed records together, by unique identifier. */
function recordsPart({ path, shape }: BackedUp): Part {
  return {
    name: path,
    kind: 'records',
    shape,
    read: (snapshot) => merged(snapshot.records(shape), snapshot.gone(shape)),
    load: (loading, rows) => loading.records(shape, rows as Batches<StoredRecord | TombstoneImage>),
    counted: (row) => ('document' in row ? path : REMOVED),
  };
}

/** An earlier release wrote none of the columns that were added since: they hold what they begin with, or nothing. */
function withColumns(columns: readonly OwnColumn[], row: FixedRow): object {
  const lacking = ({ name, field }: OwnColumn): boolean =>
    !(name in row) && (field.nullable || field.initial !== undefined);
  if (!columns.some(lacking)) return row;
  const strange = Object.entries(row).filter(([name]) => !columns.some((one) => one.name === name));
  const known = columns.flatMap((column) => {
    const { name, field } = column;
    if (lacking(column)) return [[name, field.initial ?? null] as const];
    return name in row ? [[name, row[name]] as const] : [];
  });
  return Object.fromEntries([...known, ...strange]);
}

/** Before 1.1.0 a receipt was stored with the content of its record, which the log of changes has. */
function withoutAnswer(row: object): object {
  const { document: _, updated_at: __, ...receipt } = row as ReceiptImage & Partial<StoredRecord>;
  return receipt;
}

/** Rows that are there already. */
export async function* once<Row>(rows: readonly Row[]): Batches<Row> {
  yield rows;
}

interface Identified {
  readonly unique_identifier: string;
}

async function* merged<One extends Identified, Other extends Identified>(
  ones: Batches<One>,
  others: Batches<Other>,
): Batches<One | Other> {
  const rest = each(others);
  let other = await rest.next();
  for await (const batch of ones) {
    const both: (One | Other)[] = [];
    for (const one of batch) {
      while (!other.done && other.value.unique_identifier < one.unique_identifier) {
        both.push(other.value);
        other = await rest.next();
        if (both.length >= MAX_ROWS) yield both.splice(0);
      }
      both.push(one);
    }
    yield both;
  }
  const last: Other[] = [];
  for (; !other.done; other = await rest.next())
    if (last.push(other.value) === MAX_ROWS) yield last.splice(0);
  if (last.length > 0) yield last;
}

/** In a batch, of those that stand between others or behind them: each batch is compared with the log at once. */
const MAX_ROWS = 500;

async function* each<Row>(batches: Batches<Row>): AsyncGenerator<Row, void> {
  for await (const batch of batches) yield* batch;
}
