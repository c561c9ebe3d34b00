/** Finds the name, or else the identifier, of who made a change; of a key its source, too. */
import { findActor } from '../../services/staff/actors.ts';
import type { Store } from '../../store/promises/store.ts';
import { orElse } from '../service/elsewhere.ts';

export type Who = (by: string) => Promise<string>;

/** Looks each up once. */
export function createWho(store: Store): Who {
  const known = new Map<string, string>();
  return async (by) => {
    let called = known.get(by);
    if (called === undefined) {
      const actor = await findActor(store, by).catch(orElse(undefined));
      const name = actor?.name ?? by;
      called = actor?.source ? `${name} (${actor.source})` : name;
      known.set(by, called);
    }
    return called;
  };
}
