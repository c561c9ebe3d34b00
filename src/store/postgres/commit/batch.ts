/** Judges the drafts of one commit, one at a time, by the known state of the store. */

import { sealedProbe } from '../../promises/erasing/sealed.ts';
import { receiptsFull, recordChanged } from '../../promises/refusals.ts';
import type { Erased, Outcome, Refused, StoredReceipt, Written } from '../../promises/store.ts';
import { type Change, judge, parentMissing } from '../../records/judge.ts';
import { asAnswered } from '../../records/records.ts';
import type { Context } from '../context.ts';
import { type Named, receiptName } from '../names.ts';
import type { Begun, Turn } from '../turn/turn.ts';
import type { Known } from './known.ts';
import { type NewReceipt, receiptOfWrite } from './receipts.ts';

export class Batch {
  /** The receipts to keep for drafts that succeeded. */
  readonly receipts: NewReceipt[] = [];
  readonly #context: Context;
  readonly #known: Known;
  readonly #turn: Turn & Begun;
  /** Every change, in order. */
  readonly steps: Change[] = [];
  /** By pair. */
  readonly #changes = new Map<string, Change>();
  readonly #repeated = new Map<string, StoredReceipt>();

  constructor(context: Context, known: Known, turn: Turn & Begun) {
    this.#context = context;
    this.#known = known;
    this.#turn = turn;
  }

  /** Every record to write, as the last of its drafts leaves it. */
  get changes(): readonly Change[] {
    return [...this.#changes.values()];
  }

  apply(named: Named): Outcome {
    const { receipt } = named.draft;
    if (receipt === undefined) return this.#write(named);
    const name = receiptName({ account: named.draft.account, ...receipt });
    const kept = this.#repeated.get(name) ?? this.#known.receipts.kept.get(name);
    if (kept !== undefined) return { outcome: 'repeated', receipt: kept };
    if (this.#context.rooms.isFull(receipt.owner)) {
      return { outcome: 'refused', error: receiptsFull() };
    }
    const written = this.#write(named);
    if ('record' in written) {
      const { outcome, record } = written;
      this.receipts.push(receiptOfWrite(receipt, written));
      const { fingerprint } = receipt;
      this.#repeated.set(name, { fingerprint, outcome, record: asAnswered(record) });
    }
    return written;
  }

  #write(named: Named): Written | Refused | Erased {
    const { draft, pair } = named;
    const { shape } = draft;
    const stands = this.#turn.open.has(draft.account) && this.#known.standing.has(pair);
    if (!stands) return { outcome: 'refused', error: parentMissing(shape) };
    const changed = this.#changes.get(pair);
    const before = changed?.record ?? this.#known.records.get(pair);
    const isSealed = sealedProbe(draft.external_identifier) !== undefined;
    if ((before === undefined || isSealed) && this.#known.erased.has(draft))
      return { outcome: 'erased' };
    const gone = draft.restores?.gone;
    if (
      gone !== undefined &&
      before === undefined &&
      this.#known.removedAt.get(gone.unique_identifier) !== gone.position
    ) {
      return { outcome: 'refused', error: recordChanged(shape) };
    }
    const { outcome, change } = judge(draft, before, {
      now: this.#turn.now,
      identify: () => this.#context.identify(shape.prefix),
      position: () => this.#turn.positions.get(draft.account) ?? 0,
    });
    if (change !== undefined) {
      this.steps.push(change);
      // Several drafts of one record are written once, as the last of them leaves it.
      const first = changed === undefined ? change.before : changed.before;
      const made = first === undefined ? 'created' : 'updated';
      this.#changes.set(pair, { ...change, outcome: made, before: first });
    }
    return outcome;
  }
}
