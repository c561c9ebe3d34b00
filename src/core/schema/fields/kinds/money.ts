/** Amounts of money. Programs send them in cents; people read and write them with their currency. */
import type { Kind } from '../kind.ts';
import { wholeNumber } from './whole-number.ts';

/** A whole number of cents. `currency` is the member beside it that names its currency, and that it needs. */
export function money({ currency }: { readonly currency: string }): Kind<number> {
  return { ...wholeNumber(), name: 'money in cents', currency };
}
