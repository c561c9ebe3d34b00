/**
 * Bulk upserts of one resource: as one array, or line by line as they arrive. Both take two steps: rows are read
 * (`read.ts`), and committed (`commit.ts`), again where their parent was stale.
 */
import type { MarkPast, Store } from '../../../store/promises/store.ts';
import type { Drafts } from '../drafts.ts';
import { RememberedRows } from '../seen.ts';
import { createArray, type UpsertArray } from './array.ts';
import { type CommitterParts, createRowCommitter } from './commit.ts';
import { createRowReader } from './read.ts';
import { createStream, type UpsertStream } from './stream.ts';
import type { WholeParts } from './whole.ts';

/** Limits of one commit: enough rows to share its cost, few and small enough that others do not wait long for it. */
const LIMITS = { count: 256, bytes: 524_288 };

export interface Many {
  /**
   * Upserts the rows of a JSON array, or parsed ones, and returns one result per row, in order. Throws, with nothing
   * saved, if the body is not an array of rows or has too many, with `StoreUnavailable`, and with `batch_refused` for
   * an atomic request. A request with an Idempotency-Key is done once.
   */
  readonly array: UpsertArray;
  /**
   * Upserts rows as they arrive. `report` gets their results, in order, once they are committed, and is awaited before
   * more is committed. Throws errors of the rows' source and, after the results of all rows so far, `rows_too_many` and
   * `stream_refused`.
   */
  readonly stream: UpsertStream;
}

export interface ManyParts extends Omit<CommitterParts, 'renew'>, Pick<WholeParts, 'now'> {
  readonly store: Pick<Store, 'commit' | 'receipt'>;
  readonly drafts: Drafts;
  readonly markPast: MarkPast;
}

export function createMany(parts: ManyParts): Many {
  const { store, now, drafts, markPast } = parts;
  const reader = createRowReader(drafts, markPast);
  const committer = createRowCommitter({ ...parts, renew: reader.renew });
  const memory = new RememberedRows();
  const array = createArray({ store, now, reader, committer, limits: LIMITS });
  const stream = createStream({ reader, committer, limits: LIMITS });
  return {
    // The rows of an import are many arrays, and were compared before.
    array: (call, body, options) =>
      array(body instanceof Uint8Array ? { ...call, own: memory.begin() } : call, body, options),
    stream: (call, arriving, report) => stream({ ...call, own: memory.begin() }, arriving, report),
  };
}
