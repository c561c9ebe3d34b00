/**
 * Batches single look-ups made at about the same time into one request to the server: so a row of a long array costs no
 * round trip.
 */

/** The largest batch: each answer may be as large as a body. */
const MOST = 64;

interface Waiting<Wanted, Found> extends PromiseWithResolvers<Found | undefined> {
  readonly wanted: Wanted;
}

/** `Of`: what must be the same for all look-ups of a batch. */
export class Gathering<Of, Wanted, Found> {
  readonly #find: (of: Of, wanted: readonly Wanted[]) => Promise<ReadonlyMap<string, Found>>;
  readonly #groups = new Map<Of, Map<string, Waiting<Wanted, Found>>>();

  /** `ask` returns what exists, by name. */
  constructor(find: (of: Of, wanted: readonly Wanted[]) => Promise<ReadonlyMap<string, Found>>) {
    this.#find = find;
  }

  /** Finds the one with that name, in its current state or a later one. Concurrent look-ups of the same name share the answer. */
  find(of: Of, name: string, wanted: Wanted): Promise<Found | undefined> {
    let group = this.#groups.get(of);
    if (group === undefined) {
      const begun = new Map<string, Waiting<Wanted, Found>>();
      group = begun;
      this.#groups.set(of, begun);
      setImmediate(() => void this.#findAll(of, begun));
    }
    const known = group.get(name);
    if (known !== undefined) return known.promise;
    const waiting = { wanted, ...Promise.withResolvers<Found | undefined>() };
    group.set(name, waiting);
    return waiting.promise;
  }

  /** One statement at a time: look-ups that arrive meanwhile go into the next one. */
  async #findAll(of: Of, group: Map<string, Waiting<Wanted, Found>>): Promise<void> {
    while (group.size > 0) {
      const some = [...group.entries().take(MOST)];
      for (const [name] of some) group.delete(name);
      try {
        const found = await this.#find(
          of,
          some.map(([, { wanted }]) => wanted),
        );
        for (const [name, { resolve }] of some) resolve(found.get(name));
      } catch (error) {
        for (const [, { reject }] of some) reject(error);
      }
    }
    this.#groups.delete(of);
  }
}
