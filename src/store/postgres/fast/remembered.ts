/** Records as this process last saw or wrote them, so that most changes need no read first. */
import { BoundedMap } from '../../../core/bounded.ts';
import type { Outcome, StoredRecord } from '../../promises/store.ts';
import type { Named } from '../names.ts';

/** The size of a record in addition to its document, in characters. */
const BESIDE = 300;
/** The weight of the newest record in the moving average. */
const WEIGHT = 1 / 64;
/** A commit that leaves some drafts makes another one necessary; one of this part of them is still worth it. */
const MAX_SURPRISES = 1 / 8;

/**
 * Nothing here is ever answered: others may have changed or removed a record
 * since. A change that begins from what is remembered is only made where the
 * version in the store is the same.
 */
export class Remembered {
  /** By the names of their pairs. Apart, since most records are never changed, and those that were will be again. */
  readonly #made: BoundedMap<string, StoredRecord>;
  readonly #changed: BoundedMap<string, StoredRecord>;
  /** By resource: how likely the store has a record where none is remembered, or another one than is. */
  readonly #unknown = new Map<string, number>();
  readonly #outdated = new Map<string, number>();

  /** `characters` of documents are remembered of those that were made, and as many of those that were changed. */
  constructor(characters: number) {
    this.#made = new BoundedMap(characters, sizeOf);
    this.#changed = new BoundedMap(characters, sizeOf);
  }

  /** The drafts with their records, if those are remembered. */
  recall(drafts: readonly Named[]): readonly Named[] {
    return drafts.map(({ draft, pair }) => {
      return { draft, pair, record: this.#changed.get(pair) ?? this.#made.get(pair) };
    });
  }

  /** Whether a commit from memory is likely to succeed for nearly all of these drafts. */
  suffices(drafts: readonly Named[]): boolean {
    let surprises = 0;
    for (const { draft, record } of drafts) {
      surprises += this.#surprisesOf(record !== undefined).get(draft.shape.resource) ?? 0;
    }
    return surprises <= Math.max(1, drafts.length * MAX_SURPRISES);
  }

  /** Remembers the outcome for recalled records, and learns how reliable memory was. */
  learnAll(drafts: readonly Named[], outcomes: readonly Outcome[]): void {
    for (const [at, outcome] of outcomes.entries()) {
      const { draft, pair, record } = drafts[at] as Named;
      if (!('record' in outcome)) {
        this.forget(pair);
        continue;
      }
      const version = outcome.record.version - (outcome.outcome === 'unchanged' ? 0 : 1);
      const surprise = version !== (record?.version ?? 0);
      this.#learn(draft.shape.resource, record !== undefined, surprise);
      const made = outcome.outcome === 'created';
      if (!made || record !== undefined) (made ? this.#changed : this.#made).delete(pair);
      (made ? this.#made : this.#changed).set(pair, outcome.record);
    }
  }

  forget(pair: string): void {
    this.#made.delete(pair);
    this.#changed.delete(pair);
  }

  forgetAll(): void {
    this.#made.clear();
    this.#changed.clear();
  }

  #learn(resource: string, remembered: boolean, surprise: boolean): void {
    const of = this.#surprisesOf(remembered);
    const before = of.get(resource) ?? 0;
    const now = before + ((surprise ? 1 : 0) - before) * WEIGHT;
    if (now !== before) of.set(resource, now);
  }

  #surprisesOf(remembered: boolean): Map<string, number> {
    return remembered ? this.#outdated : this.#unknown;
  }
}

function sizeOf({ document }: StoredRecord): number {
  return document.length + BESIDE;
}
