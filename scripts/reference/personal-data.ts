/**
 * Where the service writes what it knows of people: every table and column, each with what it holds and when that
 * goes; files are in `personal-files.ts`, and tables of our own objects in `src/core/objects/`.
 * `test/personal-data.test.ts` fails on any that is missing.
 */
import { type OwnColumn, type OwnTable, tableColumns } from '../../src/core/objects/own-object.ts';
import { ownTables } from '../../src/core/objects/tables/all.ts';
import { ACCOUNT_GOES } from '../../src/core/objects/tables/declaration.ts';
import type { Resource } from '../../src/core/schema/define.ts';

/**
 * `content`: what was said of a person, or may be: names, phones, addresses, free text, callers' own identifiers.
 * `identifiers`: what leads to a person only with the rest of the store: our identifiers, network addresses, hashes.
 */
const HOLDS = ['content', 'identifiers', 'nothing'] as const;
export type Holds = (typeof HOLDS)[number];

/** The names of columns, with spaces between. */
type Columns = { readonly [kind in Holds]?: string };

export interface Table extends Columns {
  /** What it is for. */
  readonly says: string;
  /** When what it holds of people goes; left out where it holds nothing of them. */
  readonly goes?: string;
}

export const SEARCH_GOES = 'Seconds after the record changes or is removed';
const CLAIMS = { says: 'A lease of a process', nothing: 'single holder until' };

/** Tables that migrations make, by name. A column may be in one store alone. */
const ENGINE_TABLES: Readonly<Record<string, Table>> = {
  account: {
    says: 'Funeral groups',
    goes: ACCOUNT_GOES,
    identifiers: 'number account unique_identifier parent anchor external_identifier',
    nothing:
      'document version position inserted_at updated_at livemode closed_at becomes created_by changed_by key_name',
  },
  receipt: {
    says: 'What requests with an `Idempotency-Key` did, of which only a keyed hash is stored',
    goes: 'After 24 hours',
    identifiers: 'idempotency_key number owner account fingerprint record unique_identifier drafts',
    nothing: 'expires_at size outcome resource version below',
  },
  answered: {
    says: 'Records as they were answered to such a request, for processes of 1.0 (PostgreSQL)',
    goes: 'With the record, or after 24 hours',
    content: 'external_identifier document',
    identifiers: 'account record anchor parent',
    nothing: 'version inserted_at updated_at expires_at',
  },
  receipt_room: {
    says: 'Bytes that the receipts of a key take',
    goes: 'With the last receipt of the key',
    identifiers: 'owner',
    nothing: 'bytes',
  },
  change: {
    says: 'The log of changes: what was done to each record, and what it held before',
    goes: 'After `HISTORY_DAYS`, and not while the account has a [hold](retention.md#keep-a-record-holds)',
    content: 'contents content',
    identifiers: 'account changes record anchor by',
    nothing: 'position place count token occurred_at sum resource outcome version before',
  },
  gone: {
    says: 'Removed records that can be restored',
    goes: 'After `HISTORY_DAYS`, and not while the account has a [hold](retention.md#keep-a-record-holds)',
    content: 'external_identifier',
    identifiers: 'account record number parent',
    nothing: 'created_by position resource inserted_at removal below',
  },
  commit: {
    says: 'The number of each commit',
    identifiers: 'account',
    nothing: 'position token committed_at',
  },
  counter: { says: 'The number of the last commit', identifiers: 'account', nothing: 'value' },
  search_mark: {
    says: 'How far the search index goes (PostgreSQL)',
    identifiers: 'account',
    nothing: 'position place token building terms',
  },
  search_record: {
    says: 'The search index (PostgreSQL)',
    goes: SEARCH_GOES,
    content: 'terms',
    identifiers: 'account record',
  },
  search_term: {
    says: 'The search index (PostgreSQL)',
    goes: SEARCH_GOES,
    content: 'term',
    identifiers: 'account record anchor',
  },
  search_feeder: CLAIMS,
  write_check: {
    says: 'Proof that the store can be written',
    nothing: 'single checked_at content',
  },
  ledgerstone_migration: { says: 'Migrations that were done', nothing: 'version name applied_at' },
};

/** All tables but those of records, by name. */
export const TABLES: Readonly<Record<string, Table>> = {
  ...ENGINE_TABLES,
  ...Object.fromEntries(ownTables.map((table) => [table.table, declaredTable(table)])),
};

/** Names all columns but those of texts of which the declaration says nothing: the test finds them. */
function declaredTable(table: OwnTable): Table {
  const { holds: says, goes } = table;
  const said = HOLDS.flatMap((kind) => table[kind]?.split(' ') ?? []);
  const others = tableColumns(table).filter(({ name }) => !said.includes(name));
  const columns = HOLDS.map((kind) => {
    const names = others.filter((column) => holdsOf(column) === kind).map(({ name }) => name);
    return [kind, [...(table[kind]?.split(' ') ?? []), ...names].join(' ')] as const;
  }).filter(([, names]) => names !== '');
  return { says, ...(goes === undefined ? {} : { goes }), ...Object.fromEntries(columns) };
}

function holdsOf({ kind, field }: OwnColumn): Holds | undefined {
  if (field.personal) return 'content';
  if (field.kind.prefix !== undefined) return 'identifiers';
  const { shown, words, isJson } = field.kind;
  const isChoice = typeof shown === 'function' ? !isJson : shown.enum !== undefined;
  return kind === 'number' || kind === 'flag' || words || isChoice ? 'nothing' : undefined;
}

/** The tables of the file of the search index, beside a SQLite store. */
export const SEARCH_TABLES: Readonly<Record<string, Table>> = {
  mark: {
    says: 'How far it goes',
    identifiers: 'account',
    nothing: 'position place token building terms',
  },
  home: { says: 'Accounts and locations, by number', identifiers: 'number identifier' },
  record: {
    says: 'Records that can be found',
    goes: SEARCH_GOES,
    content: 'terms',
    identifiers: 'number account identifier',
  },
  term: {
    says: 'What they are found by',
    goes: SEARCH_GOES,
    content: 'term',
    identifiers: 'account record anchor',
  },
};

/** The table of a resource's records. */
export function recordsTable({ name, display, fields, public_data, shape }: Resource): Table {
  const all = { ...fields, ...public_data };
  const isPersonal = (path: readonly string[]): boolean =>
    path.some((step) => all[step]?.personal === true);
  const keys = (arePersonal: boolean): string =>
    shape.keys
      .filter(({ path, lacking }) => (lacking === undefined && isPersonal(path)) === arePersonal)
      .map((key) => `key_${key.name}`)
      .join(' ');
  return {
    says: `Records: ${display.plural.toLowerCase()} (\`${name}\`)`,
    goes: 'When the record is removed (`DELETE`); the log and backups keep it longer',
    content: `external_identifier document ${keys(true)}`,
    identifiers: 'number account unique_identifier parent anchor',
    nothing: `version position inserted_at updated_at created_by changed_by changed_minute updated_hour sum ${keys(false)}`,
  };
}
