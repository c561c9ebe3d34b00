/** Purges receipts that have expired, a few at a time. */
import { purgedUntil } from '../receipt-room.ts';
import type { Context } from './context.ts';
import { call, type Session } from './session.ts';
import { due, forgetAnswered, purge } from './statements/receipts.ts';
import { transact, untilDone } from './transaction.ts';
import { numberArray, textArray } from './values.ts';

const PURGED_AT_ONCE = 500;

/** Tells whether there may be more. */
export function purgeReceipts({ sessions, now, rooms }: Context): Promise<boolean> {
  const until = purgedUntil(now());
  return sessions.use(async (session) => {
    const found = await session.rows(call(due, until, PURGED_AT_ONCE));
    for (const [account, own] of Map.groupBy(found, ([name]) => name)) {
      const owners = own.map(([, owner]) => owner);
      const keys = own.map(([, , key]) => key);
      const purged = await untilDone(() =>
        transact(session, () => purgeIn(session, account, { owners, keys, until })),
      );
      for (const [owner, size] of purged) rooms.take({ owner, bytes: -size });
    }
    await rooms.settle(session);
    return found.length === PURGED_AT_ONCE;
  });
}

interface Due {
  readonly owners: readonly string[];
  readonly keys: readonly string[];
  readonly until: number;
}

async function purgeIn(session: Session, account: string, { owners, keys, until }: Due) {
  const purged = await session.rows(
    call(purge, account, textArray(owners), textArray(keys), until),
  );
  const written = purged.filter(([, , , version]) => version !== null);
  if (written.length > 0) {
    const records = textArray(written.map(([, , record]) => record));
    const versions = numberArray(written.map(([, , , version]) => version));
    await session.run(call(forgetAnswered, account, records, versions, until));
  }
  return purged;
}
