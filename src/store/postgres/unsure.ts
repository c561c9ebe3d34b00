/** Tells what was done by a commit whose answer was lost on the wire. */
import { setTimeout as pause } from 'node:timers/promises';
import { toRecord } from '../records.ts';
import { type StoredRecord, StoreUnavailable } from '../store.ts';
import type { Change } from './batch.ts';
import type { Context } from './context.ts';
import { receiptName } from './names.ts';
import { findReceipts, type NewReceipts } from './receipts.ts';
import { call, type Session } from './session.ts';
import { end } from './statements/commits.ts';
import { textArray } from './values.ts';

/** How long it is tried to be told: whoever asked has waited for the connection already. */
const PATIENCE_MS = 2_000;

/** What a commit was to write. */
export interface Writes {
  readonly changes: readonly Change[];
  readonly receipts: NewReceipts;
}

/** Whether a commit of `writes`, all or nothing, was done on a session that was lost; `undefined` where nobody can tell. */
export function wasDone(
  context: Context,
  lost: Session,
  writes: Writes,
): Promise<boolean | undefined> {
  return afterEnd(context, lost, (session) => isThere(session, context, writes));
}

/**
 * Which changes of a commit were done on a session that was lost: the marks of
 * their records, by unique identifier; `undefined` where nobody can tell.
 */
export function whichWereDone(
  context: Context,
  lost: Session,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, number> | undefined> {
  return afterEnd(context, lost, async (session) => {
    const found = await findChanged(session, context, changes);
    const done = new Map<string, number>();
    for (const change of changes) {
      const record = found.get(change.record.unique_identifier);
      const was = isWritten(change, record);
      if (was === undefined) return undefined;
      if (was && record !== undefined) done.set(record.unique_identifier, record.mark);
    }
    return done;
  });
}

/** What `look` sees when the server has ended the lost session, and so whatever was under way there. */
async function afterEnd<T>(
  context: Context,
  lost: Session,
  look: (session: Session) => Promise<T>,
): Promise<T | undefined> {
  const until = performance.now() + PATIENCE_MS;
  const patience = new AbortController();
  const over = pause(PATIENCE_MS, undefined, { signal: patience.signal });
  try {
    return await Promise.race([lookWhenEnded(context, lost, look, until), over]);
  } finally {
    patience.abort();
  }
}

async function lookWhenEnded<T>(
  { sessions }: Context,
  { name }: Session,
  look: (session: Session) => Promise<T>,
  until: number,
): Promise<T | undefined> {
  if (name === undefined) throw new TypeError('A session that wrote was never given its name.');
  for (; performance.now() < until; await pause(50)) {
    try {
      const seen = await sessions.use(async (session) => {
        const still = await session.rows(call(end, name.process, name.began));
        return still.length === 0 ? { found: await look(session) } : undefined;
      });
      if (seen !== undefined) return seen.found;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
  return undefined;
}

/** Whether a part of it is there, and so all of it. */
async function isThere(
  session: Session,
  context: Context,
  { changes, receipts }: Writes,
): Promise<boolean | undefined> {
  const change = changes.find(({ made }) => made) ?? changes[0];
  if (change !== undefined) {
    const found = await findChanged(session, context, [change]);
    return isWritten(change, found.get(change.record.unique_identifier));
  }
  const receipt = receipts.records[0]?.receipt ?? receipts.batch?.receipt;
  if (receipt === undefined) return true;
  const found = await findReceipts(session, [receipt], 0);
  const kept = found.kept.get(receiptName(receipt));
  return kept !== undefined && Buffer.compare(kept.fingerprint, receipt.fingerprint) === 0;
}

/** `found` is what the store has under its unique identifier. `undefined` where others have been there since. */
function isWritten({ made, record }: Change, found: StoredRecord | undefined): boolean | undefined {
  // Nobody else makes records of that identifier, and nobody has been told of it who could have removed one.
  if (made) return found !== undefined;
  if (found === undefined) return undefined;
  if (found.version > record.version) return undefined;
  return found.version === record.version && found.document === record.document;
}

async function findChanged(
  session: Session,
  context: Context,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, StoredRecord>> {
  const found = new Map<string, StoredRecord>();
  for (const [resource, { records }] of context.tables) {
    const wanted = changes.filter(({ shape }) => shape.resource === resource);
    if (wanted.length === 0) continue;
    const identifiers = wanted.map(({ record }) => record.unique_identifier);
    const accounts = new Set(wanted.map(({ record }) => record.account));
    for (const row of await session.rows(
      call(records.find, textArray(identifiers), textArray([...accounts]), null),
    )) {
      const record = toRecord(row);
      found.set(record.unique_identifier, record);
    }
  }
  return found;
}
