/** A store in a PostgreSQL database, or in one of several servers. */

import { setTimeout as pause } from 'node:timers/promises';
import { eachNoted, type FailureWatch } from '../../core/each-account.ts';
import { accountsOver } from '../books/accounts.ts';
import { booksOver } from '../books/books.ts';
import { DIALECTS } from '../books/dialects.ts';
import { ErasedRows } from '../books/erasures.ts';
import { judgeKey, type KeyRow, keyColumns, keyStatements, toKey } from '../books/sql/key-sql.ts';
import { followed } from '../follow.ts';
import type { DroppedHistory, ErasedDraft, EraseRequest } from '../promises/erasing/book.ts';
import type { KeyFinder, KeyLookup } from '../promises/keys.ts';
import type { Store } from '../promises/store.ts';
import { storeWorks } from '../promises/works.ts';
import { createAccounts } from './accounts.ts';
import { createBookRows, statementOf } from './book-rows.ts';
import { commitDrafts, commitEach } from './cached/commit.ts';
import { dropHistory, eraseRecord, forgetErased } from './commit/erasing.ts';
import { keepersOf } from './commit/keepers.ts';
import { findReceipt, purgeReceipts, settleRooms } from './commit/receipts.ts';
import { removeRecord } from './commit/removal.ts';
import type { Context } from './context.ts';
import { takeSnapshot } from './dump/snapshot.ts';
import { createPairQueue } from './lock/queues.ts';
import { createLog } from './log.ts';
import { nameDrafts } from './names.ts';
import { createReading } from './reading.ts';
import { checkEachWritable } from './schema/distribution.ts';
import type { TableWatch } from './schema/hindrances.ts';
import { createSearch } from './search.ts';
import { checkWrite } from './statements/commits.ts';
import { prepared } from './statements/prepare.ts';
import { createStatistics } from './statistics.ts';
import { isOut } from './wire/failure.ts';
import { type Call, call, type Session } from './wire/session.ts';
import type { Sessions } from './wire/sessions.ts';
import { bytes, textArray } from './wire/values.ts';

/** How long closing waits for what receipts take to be noted. */
const SETTLING_MS = 500;

/** `untimed` sessions are for work that takes as long as it takes; `open` opens one of them for the caller alone. */
export function postgresStore(
  place: string,
  context: Context,
  untimed: Sessions,
  open: () => Promise<Session>,
  historyDays: number,
  tables: TableWatch,
): Store {
  const { sessions, placements, now } = context;
  const reading = createReading(context);
  const log = followed(createLog(context, historyDays));
  const pairQueue = createPairQueue();
  const { each, tell } = eachNoted(storeWorks.forgetting);
  return {
    ...reading,
    processes: 'many',
    place,
    accounts: accountsOver(createAccounts(context, untimed)),
    log,
    ...booksOver(createBookRows(context), createKeyFinder(context), context),
    search: createSearch(context, { log, ...reading }),
    erasing: Object.assign(
      new ErasedRows(createBookRows(context), context, context.erased.fingerprints),
      {
        erase: ([first]: readonly EraseRequest[]) =>
          Promise.all(first === undefined ? [] : [eraseRecord(context, first)]),
        async forget(watch?: FailureWatch) {
          const isMore = await forgetErased(context, each);
          tell(watch);
          return isMore;
        },
        dropHistory: (dropped: DroppedHistory) => dropHistory(context, dropped),
        dropRemembered: () => context.remembered.forgetAll(),
        async refuses(draft: ErasedDraft) {
          const there = placements.at([draft.account], 'read');
          return (await there.use((session) => context.erased.among(session, [draft]))).get(draft);
        },
        async keeperOf(request: EraseRequest) {
          const there = placements.at([request.account], 'read');
          return (await there.use((session) => keepersOf(session, context, request))).young;
        },
      },
    ),

    async commit(drafts, options = {}) {
      const batch = nameDrafts(drafts);
      return pairQueue.run(batch.pairs, () => commitDrafts({ context, options }, batch));
    },
    commitEach(batches, options = {}) {
      return commitEach({ context, options }, pairQueue, batches.map(nameDrafts));
    },
    remove: (removal) => removeRecord(context, removal),

    receipt: (query) => findReceipt(context, query),
    purgeReceipts: () => purgeReceipts(context),
    // A coordinator knows nothing of the tables of its workers.
    ...(placements.together && { learn: createStatistics(sessions) }),

    snapshot: () => takeSnapshot(open, context.shapes, context.machine, !placements.together),
    async checkWritable() {
      await sessions.use(async (session) => {
        if (!placements.together) return checkEachWritable(session, now());
        await session.run(call(checkWrite, now()));
        await tables.refuseStopped(session);
      });
    },
    async close() {
      await Promise.all([placements.close(), untimed.close()]);
      await Promise.race([
        settleRooms(sessions, context).catch(() => undefined),
        pause(SETTLING_MS, undefined, { ref: false }),
      ]);
      await sessions.close();
    },
  };
}

export const keyFinding = {
  withHash: prepared<KeyRow>`SELECT ${keyColumns(DIALECTS.postgres)} FROM api_key WHERE hash = $1`,
  one: statementOf<KeyRow>(keyStatements.one),
  openAmong: prepared<readonly [account: string]>`SELECT account FROM "account"
    WHERE account = ANY ($1::text[]) AND closed_at IS NULL`,
};

/** How long authentication waits for one of several servers. */
const SILENT_MS = 500;

/** Queried for an unknown key, so that it takes as long as a known one. */
const NONE = ['no account'];

function createKeyFinder(context: Context): KeyFinder {
  async function judge(wanted: Call<KeyRow>): Promise<KeyLookup> {
    const { placements, now } = context;
    const [row] = await placements.alone((session) => session.rows(wanted));
    const key = row === undefined ? undefined : toKey(row);
    const open = await openAmong(key?.accounts ?? NONE);
    return judgeKey(key, (account) => open.has(account), now());
  }

  /**
   * While servers of a cluster are out of reach, their accounts count as open: requests are refused there. No request waits
   * long for one that is silent.
   */
  async function openAmong(accounts: readonly string[]): Promise<ReadonlySet<string>> {
    const { placements } = context;
    if (accounts.length === 1 || placements.together) return new Set(await openAt(accounts));
    const placed = accounts.map(async (one) => [await placements.locate(one), one] as const);
    const byServer = Map.groupBy(await Promise.all(placed), ([server]) => server);
    const found = [...byServer.values()].map(async (own) => {
      const these = own.map(([, account]) => account);
      const waiting = new AbortController();
      const { signal } = waiting;
      const late = pause(SILENT_MS, these, { signal, ref: false }).catch(() => these);
      return Promise.race([openAt(these), late]).finally(() => waiting.abort());
    });
    return new Set((await Promise.all(found)).flat());
  }

  /** Reads which of these accounts, all at one server, are open. */
  async function openAt(accounts: readonly string[]): Promise<readonly string[]> {
    const { placements } = context;
    try {
      const rows = await placements.each(accounts, (session, some) =>
        Promise.all(
          session.place
            .groups(some)
            .map(([name, own]) => session.rows(name(call(keyFinding.openAmong, textArray(own))))),
        ),
      );
      return rows.flat(3);
    } catch (error) {
      if (placements.together || !isOut(error)) throw error;
      return accounts;
    }
  }

  return {
    authenticate: (hash) => judge(call(keyFinding.withHash, bytes(hash))),
    find: (unique_identifier) => judge(call(keyFinding.one, unique_identifier)),
  };
}
