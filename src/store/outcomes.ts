/** What becomes of the outcomes of a whole batch. */
import type { KeptOutcome, Outcome } from './store.ts';

/** What the draft of an atomic batch gets in which something was refused. */
export function withheld(outcome: Outcome): Outcome {
  return outcome.outcome === 'refused' ? outcome : { outcome: 'withheld' };
}

/** What the receipt of a batch says of one of its drafts. */
export function toKept(outcome: Outcome): KeptOutcome {
  switch (outcome.outcome) {
    case 'refused':
      return { outcome: 'refused', faults: outcome.error.faults };
    case 'created':
    case 'updated':
    case 'unchanged':
      return { outcome: outcome.outcome, unique_identifier: outcome.record.unique_identifier };
    default:
      throw new TypeError('The drafts of a batch with a receipt have no receipts of their own.');
  }
}
