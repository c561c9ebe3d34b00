/** Purges receipts that have expired, a few at a time. */
import { purgedUntil } from '../receipt-room.ts';
import type { Context } from './context.ts';
import { inAccount } from './lock/transaction.ts';
import { lock } from './statements/commits.ts';
import {
  type DueRow,
  due as findDue,
  forgetAnswered,
  purge,
  takeRoom,
} from './statements/receipts.ts';
import { call, type Session } from './wire/session.ts';
import { numberArray, textArray } from './wire/values.ts';

const PURGED_AT_ONCE = 500;

/** Returns whether there may be more. */
export async function purgeReceipts(context: Context): Promise<boolean> {
  const { sessions, placements, now, rooms } = context;
  const until = purgedUntil(now());
  const found = await sessions.rows(call(findDue, until, PURGED_AT_ONCE));
  for (const [account, own] of Map.groupBy(found, ([name]) => name)) {
    const purgeOwn = (session: Session) => purgeIn(session, account, own, until);
    const purged = await inAccount(placements, account, purgeOwn);
    rooms.take(purged.map(([owner, size]) => ({ owner, bytes: -size })));
  }
  await sessions.use((session) => settleRooms(session, context));
  return found.length === PURGED_AT_ONCE;
}

/** Adds this process's count of what receipts take to the shared one, and learns the sums. */
export async function settleRooms(session: Session, { rooms }: Pick<Context, 'rooms'>) {
  const counted = rooms.unsettled();
  if (counted.length === 0) return;
  const owners = textArray(counted.map(({ owner }) => owner));
  const bytes = numberArray(counted.map(({ bytes }) => bytes));
  rooms.settle(counted, new Map(await session.rows(call(takeRoom, owners, bytes))));
}

/** Locks the account, as commits do. */
async function purgeIn(session: Session, account: string, due: readonly DueRow[], until: number) {
  const [owners, keys, records] = ([1, 2, 3] as const).map((at) =>
    textArray(due.map((row) => row[at])),
  );
  const versions = numberArray(due.map(([, , , , version]) => version));
  const [, , purged] = await Promise.all([
    session.run(call(lock, account)),
    session.run(call(forgetAnswered, account, records, versions, until)),
    session.rows(call(purge, account, owners, keys, until)),
  ]);
  return purged;
}
