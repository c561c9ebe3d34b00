/** A moment of a PostgreSQL store: one transaction that only reads, on a connection of its own. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { type ChangeRow, toChange } from '../../promises/log.ts';
import type { Snapshot } from '../../promises/snapshot.ts';
import { type SnapshotOf, wholeSnapshot } from '../../whole-snapshot.ts';
import * as statements from '../statements/snapshot.ts';
import { asUnavailable } from '../wire/failure.ts';
import type { Session } from '../wire/session.ts';
import { numberArray, textArray, textsOf } from '../wire/values.ts';

/** How many rows are fetched at a time: of the largest documents, some megabytes. */
const FETCHED = 200;
/** Accounts whose records the server merges: it holds a page of each. With more, it sorts all records. */
const MERGED = 100;

/** `shapes` are parents before children, the root first. */
export async function takeSnapshot(
  open: () => Promise<Session>,
  shapes: readonly RecordShape[],
  now: () => number,
  isSpread: boolean,
): Promise<Snapshot> {
  let session: Session | undefined;
  try {
    session = await open();
    const { beginSnapshot, beginRead, beginReadSpread } = statements;
    for (const text of [...beginSnapshot, ...(isSpread ? beginReadSpread : beginRead)]) {
      await session.query(text);
    }
    const own = session;
    return postgresSnapshot(session, { shapes, isSpread, taken_at: now() }, () => own.close());
  } catch (error) {
    session?.destroy();
    throw asUnavailable(error);
  }
}

/** Reads in the transaction of a session. */
export function postgresSnapshot(
  session: Session,
  of: SnapshotOf & { readonly isSpread: boolean },
  release?: () => Promise<void>,
): Snapshot {
  let cursors = 0;
  const { snapshot, recordsIn, few } = wholeSnapshot(statements, of, {
    async *pages(sql, values, few) {
      cursors += 1;
      const cursor = `read_${cursors}`;
      try {
        await few(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, ...values);
        for (let isFull = true; isFull; ) {
          const rows = await few(`FETCH ${FETCHED} FROM ${cursor}`);
          isFull = rows.length === FETCHED;
          yield rows;
        }
      } finally {
        if (session.usable) await few(`CLOSE ${cursor}`).catch(() => undefined);
      }
    },
    few: (text, values) => session.query<readonly unknown[]>(text, ...values),
    texts: (list) => (list === undefined ? null : textArray([...list])),
    toChanges: (row) => [toChangeImage(row as ChangeImageRow)],
    asUnavailable,
    ...(release && { release }),
  });
  return {
    ...snapshot,
    async changesAt(records) {
      const positions = numberArray(records.map(({ position }) => position));
      const [accounts, identifiers] = textsOf(records, 'account', 'unique_identifier');
      const { changesAt } = statements;
      const rows = await few<ChangeImageRow>(changesAt, accounts, positions, identifiers);
      const wanted = new Set(
        records.map((one) => `${one.account} ${one.position} ${one.unique_identifier}`),
      );
      return rows
        .map(toChangeImage)
        .filter((one) => wanted.has(`${one.account} ${one.position} ${one.record}`));
    },
    /** By account, where these are few enough to be merged. */
    async *records(shape, scope) {
      const rows =
        scope !== undefined || of.isSpread
          ? []
          : await few<readonly [account: string]>(statements.someAccounts, MERGED + 1);
      if (rows.length === 0 || rows.length > MERGED) return yield* snapshot.records(shape, scope);
      yield* recordsIn(statements.recordsOfEach(shape, rows.length), ...rows.flat());
    },
    async damage() {
      const rows = await few<readonly [name: string]>(statements.invalidIndexes);
      return rows.map(([name]) => `the index ${name} is not valid: rebuild it with REINDEX`);
    },
  };
}

type ChangeImageRow = readonly [account: string, ...change: ChangeRow];

function toChangeImage([account, ...row]: ChangeImageRow) {
  return toChange(account, row);
}
