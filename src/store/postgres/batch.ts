/** What becomes of the drafts of one commit, one after the other, by what is known of the store. */
import { performance } from 'node:perf_hooks';
import { ApiError } from '../../errors.ts';
import { contentOf } from '../content.ts';
import { parentMissing } from '../parent-missing.ts';
import { asAnswered, newRecord } from '../records.ts';
import { receiptsFull, unmet } from '../refusals.ts';
import type { Draft, KeptReceipt, Outcome, Refused, StoredRecord, Written } from '../store.ts';
import type { Context } from './context.ts';
import type { Known } from './known.ts';
import { type Named, receiptName, standingName } from './names.ts';
import type { RecordReceipt } from './receipts.ts';

/** A record that drafts of this commit have changed or made. */
export interface Change {
  readonly shape: Draft['shape'];
  /** The version that it has before this commit; 0 where this commit makes it. */
  readonly expected: number;
  readonly record: StoredRecord;
  /** What the columns of its declared keys hold. */
  readonly keys: readonly string[];
}

export class Batch {
  /** What is to be kept of the drafts that were carried out. */
  readonly receipts: RecordReceipt[] = [];
  readonly #context: Context;
  readonly #known: Known;
  readonly #now: number;
  /** By pair. */
  readonly #changes = new Map<string, Change>();
  readonly #repeated = new Map<string, KeptReceipt>();

  constructor(context: Context, known: Known, now: number) {
    this.#context = context;
    this.#known = known;
    this.#now = now;
  }

  /** Every record that is to be written, as the last of its drafts leaves it. */
  get changes(): readonly Change[] {
    return [...this.#changes.values()];
  }

  apply(named: Named): Outcome {
    const { receipt } = named.draft;
    if (receipt === undefined) return this.#write(named);
    const name = receiptName(receipt);
    const kept = this.#repeated.get(name) ?? this.#known.receipts.kept.get(name);
    if (kept !== undefined) return { outcome: 'repeated', receipt: kept };
    if (this.#context.rooms.isFull(receipt.owner)) {
      return { outcome: 'refused', error: receiptsFull() };
    }
    const written = this.#write(named);
    if (written.outcome !== 'refused') {
      const { outcome, record } = written;
      this.receipts.push({ receipt, outcome, record });
      const { fingerprint } = receipt;
      this.#repeated.set(name, { fingerprint, outcome, record: asAnswered(record) });
    }
    return written;
  }

  #write(named: Named): Written | Refused {
    const { draft, pair } = named;
    const { shape } = draft;
    if (!this.#parentStands(draft)) return { outcome: 'refused', error: parentMissing(shape) };
    const changed = this.#changes.get(pair);
    const before = changed?.record ?? this.#known.recordOf(named);
    const error = draft.only === undefined ? undefined : unmet(shape, draft.only, before);
    if (error !== undefined) return { outcome: 'refused', error };

    const began = performance.now();
    const content = contentOf(draft, before?.document);
    if ('faults' in content) return { outcome: 'refused', error: new ApiError(content.faults) };
    const { document, keys } = content;
    const mergeMs = performance.now() - began;
    if (before !== undefined && document === before.document) {
      return { outcome: 'unchanged', record: before, mergeMs };
    }

    const record =
      before === undefined
        ? newRecord(draft, {
            unique_identifier: this.#context.identify(shape.prefix),
            document,
            position: this.#known.positionIn(draft.account),
            inserted_at: this.#now,
          })
        : this.#nextRecord(before, document);
    const expected = changed?.expected ?? before?.version ?? 0;
    this.#changes.set(pair, { shape, expected, record, keys });
    return { outcome: before === undefined ? 'created' : 'updated', record, mergeMs };
  }

  #parentStands({ shape, account, parent }: Draft): boolean {
    return (
      shape.parent !== undefined &&
      this.#known.standing.has(standingName(shape.parent.resource, account, parent))
    );
  }

  #nextRecord(before: StoredRecord, document: string): StoredRecord {
    return {
      ...before,
      document,
      version: before.version + 1,
      position: this.#known.positionIn(before.account),
      // Also where the clock has gone back: lists find what was inserted since by what was updated since.
      updated_at: Math.max(this.#now, before.inserted_at),
    };
  }
}
