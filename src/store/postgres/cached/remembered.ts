/** Records as this process last saw or wrote them, so that most changes need no read first. */
import { BoundedMap } from '../../../core/bounded.ts';
import type { Outcome, StoredRecord } from '../../promises/store.ts';
import type { KeyedDraft } from '../names.ts';

/** The size of a record in addition to its document, in characters. */
const BESIDE = 300;
/** The weight of the newest record in the moving average. */
const WEIGHT = 1 / 64;
/** A commit that leaves some drafts makes another one necessary; one of this part of them is still worth it. */
const MAX_SURPRISES = 1 / 8;

export type Remembered = ReturnType<typeof createRemembered>;

/**
 * Nothing here is ever answered: others may have changed or removed a record since. A change that begins from what is
 * remembered is only made where the version in the store is the same. `characters` of documents are remembered of those
 * that were made, and as many of those that were changed.
 */
export function createRemembered(characters: number) {
  /** By the names of their pairs. Apart, since most records are never changed, and those that were will be again. */
  const made = new BoundedMap<string, StoredRecord>(characters, sizeOf);
  const changed = new BoundedMap<string, StoredRecord>(characters, sizeOf);
  /** By resource: how likely the store has a record where none is remembered, or another one than is. */
  const unknown = new Map<string, number>();
  const outdated = new Map<string, number>();

  function learn(resource: string, wasRemembered: boolean, surprise: boolean): void {
    const of = wasRemembered ? outdated : unknown;
    const before = of.get(resource) ?? 0;
    const now = before + ((surprise ? 1 : 0) - before) * WEIGHT;
    if (now !== before) of.set(resource, now);
  }

  function forget(pair: string): void {
    made.delete(pair);
    changed.delete(pair);
  }

  return {
    /** The drafts with their records, if those are remembered. */
    recall(drafts: readonly KeyedDraft[]): readonly KeyedDraft[] {
      return drafts.map(({ draft, pair }) => {
        return { draft, pair, record: changed.get(pair) ?? made.get(pair) };
      });
    },
    /** Whether a commit from memory is likely to succeed for nearly all of these drafts. */
    suffices(drafts: readonly KeyedDraft[]): boolean {
      let surprises = 0;
      for (const { draft, record } of drafts) {
        surprises += (record === undefined ? unknown : outdated).get(draft.shape.resource) ?? 0;
      }
      return surprises <= Math.max(1, drafts.length * MAX_SURPRISES);
    },
    /** Remembers the outcome for recalled records, and learns how reliable memory was. */
    learnAll(drafts: readonly KeyedDraft[], outcomes: readonly Outcome[]): void {
      for (const [at, outcome] of outcomes.entries()) {
        const { draft, pair, record } = drafts[at] as KeyedDraft;
        if (!('record' in outcome)) {
          forget(pair);
          continue;
        }
        const version = outcome.record.version - (outcome.outcome === 'unchanged' ? 0 : 1);
        const surprise = version !== (record?.version ?? 0);
        learn(draft.shape.resource, record !== undefined, surprise);
        const isNew = outcome.outcome === 'created';
        if (!isNew || record !== undefined) (isNew ? changed : made).delete(pair);
        (isNew ? made : changed).set(pair, outcome.record);
      }
    },
    forget,
    forgetAll(): void {
      made.clear();
      changed.clear();
    },
  };
}

function sizeOf({ document }: StoredRecord): number {
  return document.length + BESIDE;
}
