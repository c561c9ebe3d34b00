/** Outcomes of a whole batch. */
import type { CommitOptions, Outcome, StoredOutcome } from '../promises/records.ts';

/** Judges drafts one after the other, as long as there is time. */
export function judgeEach<Draft>(
  drafts: readonly Draft[],
  { withinMs }: CommitOptions,
  judge: (draft: Draft) => Outcome,
): readonly Outcome[] {
  if (withinMs === undefined) return drafts.map(judge);
  const until = performance.now() + withinMs;
  return drafts.map((draft, at) =>
    at > 0 && performance.now() >= until ? { outcome: 'postponed' } : judge(draft),
  );
}

/** Returns the outcome of a draft in an atomic batch that has a refused draft. */
export function withheld(outcome: Outcome): Outcome {
  return outcome.outcome === 'refused' ? outcome : { outcome: 'withheld' };
}

/** Returns an outcome as the receipt of a batch stores it. */
export function toStoredOutcome(outcome: Outcome): StoredOutcome {
  switch (outcome.outcome) {
    case 'refused':
      return { outcome: 'refused', faults: outcome.error.faults };
    case 'erased':
      return outcome;
    case 'created':
    case 'updated':
    case 'unchanged':
      return { outcome: outcome.outcome, unique_identifier: outcome.record.unique_identifier };
    default:
      throw new TypeError('The drafts of a batch with a receipt have no receipts of their own.');
  }
}
