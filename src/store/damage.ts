/** Reports each damaged change to the operator once. */
import { BoundedMap } from '../core/bounded.ts';
import { changeId } from '../core/schema/id.ts';
import type { LoggedChange } from './promises/log.ts';

/** The most reported changes to remember: a store with more reports some again. */
const MAX_REPORTED = 10_000;

export type DamageReporter = (changes: readonly LoggedChange[]) => void;

export function createDamageReporter(
  report: (change: string, account: string) => void = () => {},
): DamageReporter {
  const reported = new BoundedMap<string, true>(MAX_REPORTED);
  return (changes) => {
    for (const change of changes) {
      if (!change.damaged) continue;
      const id = changeId(change.account, change);
      if (reported.get(id)) continue;
      reported.set(id, true);
      report(id, change.account);
    }
  };
}
