/** Finds the name, or else the identifier, of who made a change; of a key its source, too. */
import { findActor } from '../../services/staff/actors.ts';
import type { Store } from '../../store/promises/store.ts';

export type Who = (by: string) => Promise<string>;

/** Looks each up once. */
export function createWho(store: Store): Who {
  const known = new Map<string, string>();
  return async (by) => {
    let told = known.get(by);
    if (told === undefined) {
      const actor = await findActor(store, by);
      const name = actor?.name ?? by;
      told = actor?.source ? `${name} (${actor.source})` : name;
      known.set(by, told);
    }
    return told;
  };
}
