/** Tells whether a commit was done whose answer was lost on the wire. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../store.ts';
import type { Change } from './batch.ts';
import { type Context, tableFor } from './context.ts';
import { findReceipt, type NewReceipts } from './receipts.ts';
import { toRecord } from './rows.ts';
import { call, type Session } from './session.ts';
import { end } from './statements/commits.ts';
import { textArray } from './values.ts';

/** How long it is tried to be told: longer than most restarts of a server take. */
const PATIENCE_MS = 3_000;

/** The transaction with that mark, and the server's number for the session that it was sent on. */
export interface Transaction {
  readonly mark: number;
  readonly process: number;
}

/** What a commit was to write. */
export interface Writes {
  readonly changes: readonly Change[];
  readonly receipts: NewReceipts;
}

/** `false` where it was not done, and where nobody can tell. */
export async function wasDone(
  context: Context,
  { mark, process }: Transaction,
  writes: Writes,
): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  for (; performance.now() < until; await pause(50)) {
    try {
      const done = await context.sessions.use(async (session) => {
        const [row] = await session.rows(call(end, mark, process));
        const status = row?.[0];
        if (status === 'in progress') return undefined;
        return status !== 'aborted' && (await isThere(session, context, writes));
      });
      if (done !== undefined) return done;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
  return false;
}

/**
 * Whether a part of it is there, and so all of it. The status of a transaction
 * is no proof: a server that crashed gives the number of one that it lost to
 * another one.
 */
async function isThere(
  session: Session,
  context: Context,
  { changes, receipts }: Writes,
): Promise<boolean> {
  const change = changes.find(({ made }) => made) ?? changes[0];
  if (change !== undefined) {
    const { shape, made, record } = change;
    const { find } = tableFor(context, shape.resource).records;
    const [row] = await session.rows(
      call(find, textArray([record.unique_identifier]), textArray([record.account]), null),
    );
    if (row === undefined || made) return row !== undefined;
    const { mark, version, document } = toRecord(row);
    return mark === record.mark && version === record.version && document === record.document;
  }
  const receipt = receipts.records[0]?.receipt ?? receipts.batch?.receipt;
  if (receipt === undefined) return true;
  const { owner, idempotency_key, fingerprint } = receipt;
  const { kept } = await findReceipt(session, owner, idempotency_key, 0);
  return kept !== undefined && Buffer.compare(kept.fingerprint, fingerprint) === 0;
}
