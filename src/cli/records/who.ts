/** Finds the name, or else the identifier, of who made a change. */
import { findActor } from '../../services/staff/actors.ts';
import type { Store } from '../../store/promises/store.ts';

export type Who = (by: string) => Promise<string>;

/** Looks each up once. */
export function createWho(store: Store): Who {
  const known = new Map<string, string>();
  return async (by) => {
    const told = known.get(by) ?? (await findActor(store, by))?.name ?? by;
    known.set(by, told);
    return told;
  };
}
