/** Tells whether a commit was done whose answer was lost on the wire. */
import { setTimeout as pause } from 'node:timers/promises';
import { toRecord } from '../records.ts';
import { StoreUnavailable } from '../store.ts';
import type { Change } from './batch.ts';
import { type Context, tableFor } from './context.ts';
import { findReceipt, type NewReceipts } from './receipts.ts';
import { call, type Session } from './session.ts';
import { end } from './statements/commits.ts';
import { textArray } from './values.ts';

/** How long it is tried to be told: whoever asked has waited for the connection already. */
const PATIENCE_MS = 2_000;

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

/** `undefined` where nobody can tell. */
export async function wasDone(
  context: Context,
  transaction: Transaction,
  writes: Writes,
): Promise<boolean | undefined> {
  const until = performance.now() + PATIENCE_MS;
  const patience = new AbortController();
  const over = pause(PATIENCE_MS, undefined, { signal: patience.signal });
  try {
    return await Promise.race([ask(context, transaction, writes, until), over]);
  } finally {
    patience.abort();
  }
}

async function ask(
  context: Context,
  { mark, process }: Transaction,
  writes: Writes,
  until: number,
): Promise<boolean | undefined> {
  for (; performance.now() < until; await pause(50)) {
    try {
      const done = await context.sessions.use(async (session) => {
        const [row] = await session.rows(call(end, mark, process));
        const status = row?.[0];
        if (status === 'aborted') return false;
        // One that the server does not know yet may be under way, too.
        return status === 'committed' && (await isThere(session, context, writes))
          ? true
          : undefined;
      });
      if (done !== undefined) return done;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
  return undefined;
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
