/** Reports each damaged change to the operator once. */
import { changeId } from '../core/schema/change-id.ts';
import type { LoggedChange } from './promises/log.ts';

/** The most reported changes to remember: a store with more reports some again. */
const MAX_REPORTED = 10_000;

export type DamageTeller = (changes: readonly LoggedChange[]) => void;

export function createDamageTeller(
  report: (change: string, account: string) => void = () => {},
): DamageTeller {
  const reported = new Set<string>();
  return (changes) => {
    for (const change of changes) {
      if (!change.damaged) continue;
      const id = changeId(change.account, change);
      if (reported.has(id)) continue;
      if (reported.size === MAX_REPORTED) reported.clear();
      reported.add(id);
      report(id, change.account);
    }
  };
}
