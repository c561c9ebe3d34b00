/** A request as people call it, and whether something is to be done about it. */
import { privacy as says } from 'messages';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import { dayOnPaper } from '../../values/format.ts';

export function nameOf({ reference, received_at }: Erasure): string {
  return reference ?? says.of(dayOnPaper(received_at));
}

export function isOpen({ status }: Erasure): boolean {
  return status !== 'done' && status !== 'closed';
}

export function isOverdue(one: Erasure): boolean {
  return isOpen(one) && Date.parse(one.due_at) < now();
}

/** Whether a name that is spelt nearly so is all that it was found by. */
export function isSimilar({ reasons }: Erasure['matches'][number]): boolean {
  return reasons.every((reason) => reason === 'similar_name');
}
