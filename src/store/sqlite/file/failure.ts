/** Distinguishes what SQLite cannot do at the moment from faults of ours. */
import { dirname, resolve } from 'node:path';
import { accessFault, folderFault } from '../../../core/owners.ts';
import { StoreRefusal, StoreUnavailable, StoreUnusable } from '../../promises/store.ts';

/** SQLite's primary result codes that no statement is to blame for. */
const FAILURES = new Map([
  [3, 'access was denied'],
  [5, 'another process is writing'],
  [6, 'another connection is writing'],
  [7, 'memory ran out'],
  [8, 'the file is read-only'],
  [10, 'the disk gave an error'],
  [11, 'the file is damaged'],
  [13, 'the disk is full'],
  [14, 'the file cannot be opened'],
  [15, 'locking failed'],
  [26, 'the file is not a database'],
]);

/** SQLite's primary code for what a trigger raises and a condition of a table or index does not allow. */
const CONSTRAINT = 19;
/** SQLite's extended code for an error that a trigger raises; its message is the trigger's own. */
const RAISED = 1811;

export const BUSY = 5;
export const IO_ERROR = 10;
export const DISK_FULL = 13;

/** The primary result code of an error of SQLite; `undefined` for any other error. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** Why SQLite fails, in words; `undefined` for errors that should never happen. */
function hindrance(error: unknown): string | undefined {
  const code = resultCode(error);
  return code === undefined ? undefined : FAILURES.get(code);
}

/** `StoreUnavailable` where something hinders SQLite, or refuses what is written, and the error itself otherwise; `path` is that of the file. */
export function asUnavailable(error: unknown, path?: string | null): unknown {
  if (resultCode(error) === CONSTRAINT) return asRefusal(error);
  const words = hindrance(error);
  if (words === undefined) return error;
  const more = resultCode(error) === BUSY && path ? `; ${namedBy(path)}` : '';
  const options = { cause: error, says: saysOf(error) };
  return new StoreUnavailable(`The store cannot be used now: ${words}${more}.`, options);
}

/** Nothing of ours breaks a condition of ours: it is somebody else's, or damage. */
function asRefusal(error: unknown): StoreRefusal {
  const { errcode } = error as { errcode?: number };
  const why =
    errcode === RAISED
      ? 'a trigger refuses it that somebody has added'
      : 'a condition of a table or an index does not hold that somebody has added';
  return new StoreRefusal(
    `The store does not take this: ${why}. It is refused again until that is gone; "ledgerstone doctor" names it.`,
    { cause: error, says: errcode === RAISED ? `${errcode}` : saysOf(error) },
  );
}

/** The extended code of an error of SQLite, and its words, which hold names of tables and columns at most. */
function saysOf(error: unknown): string {
  const { errcode, message } = error as Error & { errcode?: number };
  return `${errcode} ${message}`;
}

/** How to see which process it is. */
const namedBy = (path: string): string => `"fuser -v ${path}" names it`;

/** `StoreUnusable` where something hinders SQLite, with these words if the disk is full, and the error itself otherwise. */
export function asUnusable(error: unknown, path: string, ifFull?: string): unknown {
  const words = hindrance(error);
  if (words === undefined) return error;
  const full = resultCode(error) === DISK_FULL ? ifFull : undefined;
  const busy = resultCode(error) === BUSY ? `${words}; ${namedBy(path)}` : undefined;
  const more = busy ?? accessFault(path) ?? folderFault(dirname(resolve(path)));
  const message = full ?? `The store at ${path} cannot be opened: ${more ?? words}.`;
  return new StoreUnusable(message, { cause: error });
}
