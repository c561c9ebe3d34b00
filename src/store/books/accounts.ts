/** The book of accounts. Each store commits and logs in its own way; what a change makes of an account stands here. */
import { ApiError } from '../../core/errors.ts';
import { stringify } from '../../core/schema/json/json.ts';
import { merge } from '../../core/schema/merge/merge.ts';
import { isPinning, withPinning, withPinsFirst } from '../../core/schema/pins.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { keyColumn } from '../names.ts';
import type { AccountBook } from '../promises/account-book.ts';
import type { LogEntry } from '../promises/log.ts';
import type { Account, Becomes } from '../promises/stored.ts';
import { backwards } from '../records/judge.ts';
import { parseDocument, storedKeys } from '../records/records.ts';
import type { Dialect } from './dialects.ts';
import type { emptyingOver } from './emptying.ts';
import { type BookCall, type BookTables, statements } from './tables.ts';

export type AccountRow = readonly [
  ...[unique_identifier: string, document: string, livemode: boolean | 0 | 1],
  ...[inserted_at: number, updated_at: number, closed_at: number | null],
  ...[version: number, position: number, becomes: Becomes | null],
];
const ACCOUNT_COLUMNS =
  'unique_identifier, document, livemode, inserted_at, updated_at, closed_at, version, position, becomes';
export const BECOMES = 8;

/** The SQL on accounts, each statement by its name. Takes unique identifier $1 where nothing else is said. */
export function accountStatements(root: RecordShape) {
  const keys = root.keys.map(keyColumn);
  const own = (text: string) => (dialect: Dialect) =>
    `${text} WHERE ${dialect.name === 'postgres' ? 'account = $1 AND ' : ''}unique_identifier = $1`;
  const keyed = (first: number, name = (_: string) => '') =>
    keys.map((key, at) => `, ${name(key)}$${at + first}`).join('');
  return statements({
    find: own(`SELECT ${ACCOUNT_COLUMNS} FROM "account"`),
    /** By name, the root's declared key. */
    list: `SELECT ${ACCOUNT_COLUMNS} FROM "account" ORDER BY ${[...keys, 'unique_identifier'].join(', ')}`,
    /** By its first commit. Takes account, unique_identifier, document, the time, livemode, then the declared keys. */
    insert: ({ name }) => `INSERT INTO "account" (${name === 'sqlite' ? 'number, ' : ''}account,
        unique_identifier, document, version, position, inserted_at, updated_at, livemode
        ${keys.map((key) => `, ${key}`).join('')})
      VALUES (${name === 'sqlite' ? '$1, ' : ''}$1, $2, $3, 1, 1, $4, $4, $5${keyed(6)})
      RETURNING ${ACCOUNT_COLUMNS}`,
    /** Takes the position, document, closed_at, the time, then the declared keys. */
    update: own(`UPDATE "account" SET position = $2, document = $3, closed_at = $4,
      version = version + 1, updated_at = $5${keyed(6, (key) => `${key} = `)}`),
    /** Takes the time and whether it is to go. */
    beginEmptying: own(`UPDATE "account" SET closed_at = coalesce(closed_at, $2),
      becomes = CASE WHEN $3 THEN 'gone'
        ELSE coalesce(becomes, CASE WHEN closed_at IS NULL THEN 'open' ELSE 'closed' END) END`),
    endEmptying: own(`UPDATE "account"
      SET closed_at = CASE WHEN becomes <> 'open' THEN closed_at END, becomes = NULL`),
    remove: own('DELETE FROM "account"'),
  });
}

export type AccountChange =
  | { readonly does: 'rename'; readonly name: string }
  | { readonly does: 'pins'; readonly isOn: boolean }
  | { readonly does: 'close' | 'reopen' };

/** The part of the book that another thread may do. */
export interface AccountTables
  extends Pick<
    AccountBook,
    'find' | 'list' | 'beginEmptying' | 'contents' | 'emptySome' | 'create'
  > {
  change(unique_identifier: string, change: AccountChange): Promise<Account | undefined>;
}

export type AccountLog = Pick<LogEntry, 'outcome' | 'version'> & Partial<LogEntry>;

/** The result of work in an account, what it writes, and what the log says of it. */
interface AccountCommit<T> {
  readonly result: T;
  readonly write?: BookCall;
  readonly logged?: AccountLog;
}

/** The store's own part. */
interface AccountPort extends Pick<AccountTables, 'create' | 'beginEmptying'> {
  readonly root: RecordShape;
  /** Whether the log of changes stores the content of records. */
  readonly keepsContent: boolean;
  readonly tables: BookTables;
  readonly sql: ReturnType<typeof accountStatements>;
  readonly emptying: ReturnType<typeof emptyingOver>;
  /** Does work in a commit of the account, which is locked. `position` is called only where something is written. */
  commit<T>(
    account: string,
    judge: (
      row: AccountRow | undefined,
      at: { readonly now: number; readonly position: () => number },
    ) => AccountCommit<T>,
  ): Promise<T>;
  /** Called when all in the account is removed. */
  settle?(): Promise<void>;
  /** Removes what stands for the account itself last. */
  forget(account: string): Promise<unknown>;
}

export function accountTablesOver(port: AccountPort): AccountTables {
  const { root, keepsContent, tables, sql, emptying, create, beginEmptying } = port;
  return {
    ...{ create, beginEmptying, contents: emptying.contents },
    async find(account) {
      const [row] = await tables.rows<AccountRow>(sql.find, account);
      return row && toAccount(row);
    },
    async list() {
      return (await tables.rows<AccountRow>(sql.list)).map(toAccount);
    },
    /** The account as the change leaves it, if there is one. */
    change(account, change) {
      return port.commit(account, (row, { now, position }) => {
        if (row === undefined) return { result: undefined };
        const changed = changedAccount(root, row, change, { now, keepsContent });
        if (changed === undefined) return { result: toAccount(row) };
        const { after, keys, closed_at, content } = changed;
        const [, , livemode, inserted_at, , , last, before, becomes] = row;
        const [version, here, updated_at] = [last + 1, position(), Math.max(now, inserted_at)];
        const times = [inserted_at, updated_at, closed_at] as const;
        return {
          result: toAccount([account, after, livemode, ...times, version, here, becomes]),
          write: [sql.update, account, here, after, closed_at, updated_at, ...keys],
          logged: { outcome: 'updated', version, before, content },
        };
      });
    },
    async emptySome(account) {
      const [row] = await tables.rows<AccountRow>(sql.find, account);
      const becomes = row?.[BECOMES];
      if (!becomes) return undefined;
      const { ever, removed } = await emptying.some(account, becomes);
      if (removed !== undefined) return removed;
      await port.settle?.();
      if (becomes === 'gone') {
        await port.forget(account);
        return undefined;
      }
      return port.commit(account, (row) => {
        // Another process may have ended it.
        if (!row?.[BECOMES]) return { result: undefined };
        const [, , , , , , version, before] = row;
        const logged = ever ? { logged: { outcome: 'wiped', version, before } as const } : {};
        return { result: undefined, write: [sql.endEmptying, account], ...logged };
      });
    },
  };
}

export function accountsOver({ change, ...tables }: AccountTables): AccountBook {
  return {
    ...tables,
    rename: (account, name) => change(account, { does: 'rename', name }),
    pins: (account, isOn) => change(account, { does: 'pins', isOn }),
    close: (account) => change(account, { does: 'close' }),
    reopen: (account) => change(account, { does: 'reopen' }),
  };
}

/** The columns of a new account, and of its declared keys. */
export function newAccount(root: RecordShape, name: string) {
  return columnsOf(root, namedAs(root, undefined, name));
}

/** The columns after a change at that time, and its log entry; `undefined`: it changes nothing. */
function changedAccount(
  root: RecordShape,
  row: AccountRow,
  change: AccountChange,
  { now, keepsContent }: { readonly now: number; readonly keepsContent: boolean },
) {
  const [, text, , , , closed_at] = row;
  const stored = parseDocument(text);
  if (change.does === 'rename' || change.does === 'pins') {
    const changed =
      change.does === 'rename'
        ? withPinsFirst(namedAs(root, stored, change.name))
        : withPinning(stored, change.isOn);
    if (stringify(changed) === text) return undefined;
    const columns = columnsOf(root, changed);
    return { ...columns, closed_at, content: keepsContent ? backwards(columns.after, text) : null };
  }
  const closes = change.does === 'close';
  // An account that is being emptied stays closed until then.
  if ((closed_at !== null) === closes || row[BECOMES] !== null) return undefined;
  return {
    after: text,
    keys: storedKeys(root, stored),
    closed_at: closes ? now : null,
    content: null,
  };
}

export function accountEntry({ resource }: RecordShape, record: string, of: AccountLog): LogEntry {
  return { resource, record, anchor: null, before: 0, by: undefined, content: null, ...of };
}

export function toAccount(row: AccountRow | undefined): Account {
  if (row === undefined) throw new TypeError('An account that was just written is not there.');
  const [unique_identifier, document, livemode, inserted_at, updated_at, closed_at] = row;
  const stored = parseDocument(document);
  return {
    unique_identifier,
    name: String(stored.name),
    pins: isPinning(stored) ? null : 'off',
    livemode: Boolean(livemode),
    inserted_at,
    updated_at,
    closed_at,
    becomes: row[BECOMES],
  };
}

function columnsOf(root: RecordShape, document: JsonObject) {
  return { after: stringify(document), keys: storedKeys(root, document) };
}

function namedAs(root: RecordShape, stored: JsonObject | undefined, name: string): JsonObject {
  const { document, faults } = merge(root.document, stored, { name });
  if (faults !== undefined) throw new ApiError(faults);
  return document;
}
