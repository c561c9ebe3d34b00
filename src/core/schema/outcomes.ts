/** Outcomes of changes, as the log of changes names them. */
import type { Resource } from './define.ts';

export const OUTCOMES = ['created', 'updated', 'deleted', 'restored', 'erased', 'wiped'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The outcomes that records of the resource can have: an account is never removed, and its records can be wiped. */
export function outcomesOf({ parent }: Resource): readonly [Outcome, ...Outcome[]] {
  return parent === undefined
    ? ['created', 'updated', 'wiped']
    : ['created', 'updated', 'deleted', 'restored', 'erased'];
}
