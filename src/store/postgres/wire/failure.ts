/** Distinguishes failures of the server or the network from faults of ours. */
import { DatabaseError } from 'pg';
import type { SlotLimits } from '../../../core/fair/slots.ts';
import { redact } from '../../../core/observe/redact.ts';
import {
  StoreRefusal,
  StoreUnavailable,
  StoreUnsure,
  StoreUnusable,
} from '../../promises/store.ts';

/** A prepared statement is missing, or its name is taken: a pooler exchanged the sessions in between. */
const NOT_KEPT =
  'the pooler before the server does not keep prepared statements: use PgBouncer 1.21 or later with max_prepared_statements = 200, or pool_mode = session';

const DOCTOR = '"ledgerstone doctor" names who holds it';

/** By SQLSTATE, or by the first two characters of it. */
const HINDRANCES = new Map([
  ['26000', NOT_KEPT],
  ['42P05', NOT_KEPT],
  ['25006', 'the database is read-only'],
  ['25P02', 'the transaction failed'],
  ['25P03', 'the server ended a transaction that took too long'],
  ['28', 'the server refuses this user or password'],
  ['3D000', 'there is no such database'],
  ['40', 'other writers were in the way again and again'],
  ['23505', 'other writers were in the way again and again'],
  ['53100', 'the disk is full'],
  ['53200', 'the server has no memory left'],
  ['53300', 'the server has too many connections'],
  ['53', 'the server lacks resources'],
  ['54', 'the server has come to a limit; its own log says which'],
  ['55P03', `another session holds a lock; ${DOCTOR}`],
  ['55', 'the server is not ready for this'],
  ['57014', `the server took too long; if it waits for a lock, ${DOCTOR}`],
  ['57P03', 'the server is starting or stopping'],
  ['57', 'the server was stopped'],
  ['58', 'the disk gave an error'],
  ['XX', 'the server has an internal error'],
]);

/**
 * Hindrances that others have put into the database, which are in the way of single writes until they take them out, by
 * SQLSTATE, or by the first two characters of it.
 */
const REFUSALS = new Map([
  ['22001', 'somebody has made a column too short for it'],
  ['23', 'it does not meet a condition that somebody has added'],
  ['23502', 'somebody has added a column that must not be empty'],
  ['23505', 'somebody has added a unique index in which another row has its values'],
  ['428C9', 'somebody has made a column one that the server fills'],
  ['42501', 'the user lacks a right'],
]);
/** States that functions raise, such as those of triggers. */
const RAISED = /^(?:09|27|38|39|P0)/;

/** PgBouncer's own messages, always with the state of a protocol violation; they are in English only. */
const OF_POOLER: readonly (readonly [RegExp, string])[] = [
  [/authentication failed|^no such user|^login rejected/, '28'],
  [/^no such database/, '3D000'],
  [/^no more connections allowed|^client connections exceeded/, '53300'],
];

/**
 * Conflicts between writers of different accounts that store the same receipt: the same batch may go through when it is
 * tried again at once.
 */
const AGAIN = new Set(['40001', '40P01', '23505']);

function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Whether prepared statements are lost, or belong to others, since a pooler exchanges sessions beneath them. */
export function isUnprepared(error: unknown): boolean {
  return HINDRANCES.get(sqlState(error) ?? '') === NOT_KEPT;
}

/** Another writer interfered, and nothing was committed. */
export function isClash(error: unknown): boolean {
  return AGAIN.has(sqlState(error) ?? '');
}

/**
 * SQLSTATEs with which the server ends a session, or is about to: unlike messages, they are not translated. A read-only
 * session is useless, too: another one may be able to write.
 */
const ENDING = /^(?:08|25006|25P0[34]|28|3D|53300|57P|58|XX)/;

/** Whether the server ended a statement that waited for a lock. */
export function isLocked(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** Whether the server ended a statement that took too long. */
export function tookTooLong(error: unknown): boolean {
  const { cause } = error instanceof StoreUnavailable ? error : { cause: error };
  return sqlState(cause) === '57014';
}

/** Whether the server itself said that this statement failed, and the session goes on. */
export function isStatementError(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && !ENDING.test(state);
}

/** Whether the server said that it has done nothing of a transaction, also where the session is of no use any more. */
export function isUndone(error: unknown): boolean {
  return isStatementError(error) || sqlState(error) === '25006';
}

/** The routine of a server that says that it does not reach another one of its cluster. */
export const UNREACHED = 'ReportConnectionError';

/** Whether the server said that it cannot reach another one of its cluster, and has done nothing therefore. */
export function isOutOfReach(error: unknown): error is DatabaseError {
  // A pooler that has lost the server gives the same state, but knows nothing.
  return error instanceof DatabaseError && error.routine === UNREACHED;
}

/** Which server cannot be reached, and why, of what another one of its cluster says. */
export function unreached(says: string): { readonly server: string; readonly why: string } {
  const [, server = 'another server', why = 'the connection was lost'] =
    /@(\S+:\d+) failed(?: with the following error: (.+))?/.exec(says) ?? [];
  return { server, why };
}

/** Whether the connection is gone, and nothing was committed on it. */
export function isLost(error: unknown): boolean {
  return error instanceof Lost || (error instanceof DatabaseError && !isStatementError(error));
}

/** The connection was lost, could not be had, or was silent for too long. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

/** The account has moved to another server, and nothing was done where it was. */
export class Moved extends Error {
  override readonly name = 'Moved';
}

/** Whether work found that the account is not where it was; its tables may be gone already. */
export function isMoved(error: unknown): boolean {
  return error instanceof Moved || sqlState(error) === '42P01';
}

/** A commit was not confirmed, by the server or by its standby: it was done, or it was not. */
export class Uncertain extends Error {
  override readonly name = 'Uncertain';

  constructor(cause: unknown) {
    super('a commit was not confirmed, and it cannot be told whether it was done', { cause });
  }
}

/** An error that the driver throws, without one from the server, is about the connection. */
export function asLost(error: unknown): unknown {
  if (error instanceof DatabaseError || !(error instanceof Error)) return error;
  if (error instanceof StoreUnusable || error instanceof StoreUnavailable) return error;
  if (error instanceof Lost || error instanceof Uncertain || error instanceof Moved) return error;
  return new Lost(words(error), { cause: error });
}

/** Why a server cannot be used, in words; throws the error where that is not the reason. */
export function whyNot(error: unknown): string {
  const why = error instanceof StoreUnusable ? error.message : hindrance(error);
  if (why === undefined) throw error;
  return why;
}

/** Whether a server could not be used, and nothing was done. */
export function isOut(error: unknown): boolean {
  return (
    error instanceof StoreUnavailable && !(error instanceof StoreUnsure) && isLost(error.cause)
  );
}

function hindrance(error: unknown): string | undefined {
  if (error instanceof Lost || error instanceof Uncertain) return error.message;
  if (!(error instanceof DatabaseError)) return undefined;
  if (isOutOfReach(error)) {
    const { server, why } = unreached(error.message);
    return `the server ${server} of the cluster cannot be reached (${why})`;
  }
  const { code = '' } = error;
  if (code.startsWith('08')) return connectionFailed(error);
  return HINDRANCES.get(code) ?? refusalIn(error) ?? HINDRANCES.get(code.slice(0, 2));
}

/** The routines of a server whose transactions are used up until it is vacuumed. */
const NO_TRANSACTIONS = /^(?:GetNew|MultiXact)/;

/** Why the server will not have a statement, though it takes others; `undefined` where that is not what it says. */
function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  const { code = '', routine = '' } = error;
  if (routine === 'CheckCmdReplicaIdentity')
    return 'a publication has the table, and nothing identifies its rows: run "ledgerstone migrate"';
  if (code === '54000' && !NO_TRANSACTIONS.test(routine))
    return 'somebody has added an index that has no room for it';
  if (RAISED.test(code)) return 'a trigger refuses it that somebody has added';
  return REFUSALS.get(code) ?? REFUSALS.get(code.slice(0, 2));
}

/** Whether a function of somebody else raised it, as a trigger does. */
export function isRaised(error: unknown): boolean {
  return RAISED.test(sqlState(error) ?? '');
}

/** Whether another row has the values of this one in a unique index. */
export function isTaken(error: unknown): boolean {
  return sqlState(error) === '23505';
}

/** `StoreRefusal`: the statement fails again until somebody changes something in the database. */
export function asRefusal(error: unknown): StoreRefusal {
  const { table, column, constraint } = error as DatabaseError;
  const where = [
    ...(table === undefined ? [] : [`table ${table}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(constraint === undefined ? [] : [constraint]),
  ];
  const at = where.length === 0 ? '' : ` (${where.join(', ')})`;
  return new StoreRefusal(
    `The database does not take this: ${refusalIn(error)}${at}. It is refused again until that is changed there; "ledgerstone doctor" looks for it.`,
    { cause: error, says: saysOf(error) },
  );
}

/** Codes that come with values of rows in the server's words. */
const WITH_VALUES = /^(?:2[12]|P0)/;

/**
 * The code of an error with the server's own words, or what the system said of a connection. Words that may hold values of
 * a record are left out; of what a function raises its name is given.
 */
function saysOf(error: unknown): string | undefined {
  if (error instanceof DatabaseError) {
    const { code = '', message, where } = error;
    const [raisedIn] = /\bfunction [^\s(]+/.exec(where ?? '') ?? [];
    if (raisedIn !== undefined) return `${code} in the ${raisedIn}`;
    return WITH_VALUES.test(code) ? code : `${code} ${redact(message)}`;
  }
  const { cause, code } = (error ?? {}) as { readonly cause?: unknown; readonly code?: unknown };
  return cause === undefined ? (code === undefined ? undefined : String(code)) : saysOf(cause);
}

function connectionFailed({ routine, message }: DatabaseError): string | undefined {
  // A server names the routine that gives the error.
  const isPooler = routine === undefined;
  const known = isPooler ? OF_POOLER.find(([pattern]) => pattern.test(message)) : undefined;
  if (known !== undefined) return HINDRANCES.get(known[1]);
  return `the connection failed (${isPooler ? 'the pooler says: ' : ''}${redact(message)})`;
}

/** `StoreUnavailable` where something hinders the server or refuses the statement, and the error itself otherwise. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof StoreUnusable) return new StoreUnavailable(error.message, { cause: error });
  const why = hindrance(error);
  if (why === undefined) return error;
  if (why === refusalIn(error)) return asRefusal(error);
  const words = `The store cannot be used now: ${why}.`;
  const options = { cause: error, says: saysOf(error) };
  return error instanceof Uncertain
    ? new StoreUnsure(words, options)
    : new StoreUnavailable(words, options);
}

/** How long work waits in a queue, and the error after that. */
export function patienceOf(ms: number): NonNullable<SlotLimits['patience']> {
  const refusal = () =>
    new StoreUnavailable('The store cannot be used now: too many requests wait for it.');
  return { ms, refusal };
}

/** `StoreUnusable` where something hinders the server, and the error itself otherwise. */
export function asUnusable(error: unknown, place: string): unknown {
  const why = hindrance(error) ?? takenOut(error);
  if (why === undefined) return error;
  const more = toDo(error);
  return new StoreUnusable(`The store at ${place} cannot be opened: ${why}${more}.`, {
    cause: error,
  });
}

/** Citus numbers the parts of tables from 102008 on. */
const OF_SHARD = /_[1-9]\d{5,}\b/;

/** Why a server cannot be opened that was taken out of its cluster: it still believes to have what it had then. */
function takenOut(error: unknown): string | undefined {
  if (sqlState(error) !== '42P01' || !OF_SHARD.test((error as Error).message)) return undefined;
  return 'this server lacks a part of a table that it believes to have, as one does that was removed from its cluster. Take it out of DATABASE_URL and CITUS_NODES';
}

/** More for an operator, such as which right is missing, and what to do. */
function toDo(error: unknown): string {
  const state = sqlState(error) ?? '';
  if (state === '42501')
    return `; the server says ${JSON.stringify(redact((error as Error).message))}. Make the user the owner of the database (ALTER DATABASE … OWNER TO …) and of what is in it`;
  if (state.startsWith('28'))
    return '. Characters such as @ : / ? # % in the user or the password of the address are written percent-encoded, such as %40 in place of @';
  return '';
}

function words(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  const code = String((first ?? error).code ?? '');
  if (code === 'ECONNREFUSED') return 'no server answers at that address';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its host name is not known';
  if (code === 'ENOENT') return 'there is no such socket';
  if (/timeout/i.test(error.message)) return 'the server did not answer in time';
  if (/password must be a string/i.test(error.message)) return 'the server wants a password';
  return `the connection failed (${redact(error.message)})`;
}
