/** What may be done to records, as the log of changes names it. */
import type { Resource } from './define.ts';

export const OUTCOMES = ['created', 'updated', 'deleted', 'restored', 'wiped'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** What may be done to a record of the resource: an account is never removed, and its records can be wiped. */
export function outcomesOf({ parent }: Resource): readonly [Outcome, ...Outcome[]] {
  return parent === undefined
    ? ['created', 'updated', 'wiped']
    : ['created', 'updated', 'deleted', 'restored'];
}
