/** Notifies operators of damaged changes, of each once. */
import { changeId } from '../core/schema/change-id.ts';
import type { LoggedChange } from './promises/log.ts';

/** How many reported changes are remembered: a store with more reports some again. */
const MAX_TOLD = 10_000;

export type DamageTeller = (changes: readonly LoggedChange[]) => void;

export function createDamageTeller(
  tell: (change: string, account: string) => void = () => {},
): DamageTeller {
  const told = new Set<string>();
  return (changes) => {
    for (const change of changes) {
      if (!change.damaged) continue;
      const id = changeId(change.account, change);
      if (told.has(id)) continue;
      if (told.size === MAX_TOLD) told.clear();
      told.add(id);
      tell(id, change.account);
    }
  };
}
