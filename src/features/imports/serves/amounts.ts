/** Columns of amounts as people write them: `2,100.00` in place of cents. */
import { type ColumnTarget, targetOf } from '../../../core/schema/csv/columns.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { amountName, IN_CENTS } from '../../../core/schema/money.ts';
import { moneyIn } from '../../../core/schema/row.ts';

/** A use of a column of a file: a parameter, or an amount with decimals. */
export interface NamedTarget extends ColumnTarget {
  /** Its name in a mapping, where that is no parameter: of an amount with decimals. */
  readonly amount?: string;
}

/** The target of that name; `undefined`: there is none. */
export function targetNamed(resource: Resource, name: string): NamedTarget | undefined {
  const target = targetOf(resource, name);
  if (target !== undefined) return target;
  const cents = `${name}${IN_CENTS}`;
  const amount = moneyIn(resource).includes(cents) ? targetOf(resource, cents) : undefined;
  return amount && { ...amount, amount: name };
}

/** The names of amounts with decimals, by those of the parameters that hold cents. */
export function amountsOf(resource: Resource): ReadonlyMap<string, string> {
  return new Map(moneyIn(resource).map((name) => [name, amountName(name)]));
}
