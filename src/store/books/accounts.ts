/** The book of accounts. Each store commits and logs in its own way; what a change makes of an account stands here. */
import { ApiError } from '../../core/errors.ts';
import { stringify } from '../../core/schema/json/json.ts';
import { merge } from '../../core/schema/merge/merge.ts';
import { isPinning, withPinning, withPinsFirst } from '../../core/schema/pins.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { AccountBook } from '../promises/account-book.ts';
import type { LogEntry } from '../promises/log.ts';
import type { Account, Becomes } from '../promises/stored.ts';
import { backwards } from '../records/judge.ts';
import { parseDocument, storedKeys } from '../records/records.ts';

export type AccountRow = readonly [
  unique_identifier: string,
  document: string,
  livemode: boolean | 0 | 1,
  inserted_at: number,
  updated_at: number,
  closed_at: number | null,
  version: number,
  position: number,
  becomes: Becomes | null,
  /** Where accounts have numbers. */
  number?: number,
];
export const ACCOUNT_COLUMNS =
  'unique_identifier, document, livemode, inserted_at, updated_at, closed_at, version, position, becomes';
export const VERSION = 6;
export const POSITION = 7;
export const BECOMES = 8;

export type AccountChange =
  | { readonly does: 'rename'; readonly name: string }
  | { readonly does: 'pins'; readonly isOn: boolean }
  | { readonly does: 'close' | 'reopen' };

/** The store's part of the book. */
export interface AccountTables
  extends Pick<AccountBook, 'list' | 'beginEmptying' | 'contents' | 'emptySome' | 'create'> {
  change(unique_identifier: string, change: AccountChange): Promise<Account | undefined>;
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
export function changedAccount(
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

export function accountEntry(
  { resource }: RecordShape,
  record: string,
  of: Pick<LogEntry, 'outcome' | 'version'> & Partial<LogEntry>,
): LogEntry {
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
