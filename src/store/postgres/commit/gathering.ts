/**
 * Batches single look-ups made at about the same time into one request to the server: so a row of a long array costs no
 * round trip.
 */

/** The largest batch: each answer may be as large as a body. */
const MOST = 64;

interface Waiting<Asked, Found> extends PromiseWithResolvers<Found | undefined> {
  readonly asked: Asked;
}

/** `Of`: what must be the same for all look-ups of a batch. */
export class Gathering<Of, Asked, Found> {
  readonly #ask: (of: Of, asked: readonly Asked[]) => Promise<ReadonlyMap<string, Found>>;
  readonly #groups = new Map<Of, Map<string, Waiting<Asked, Found>>>();

  /** `ask` returns what exists, by name. */
  constructor(ask: (of: Of, asked: readonly Asked[]) => Promise<ReadonlyMap<string, Found>>) {
    this.#ask = ask;
  }

  /** Finds the one with that name, in its current state or a later one. Concurrent look-ups of the same name share the answer. */
  find(of: Of, name: string, asked: Asked): Promise<Found | undefined> {
    let group = this.#groups.get(of);
    if (group === undefined) {
      const begun = new Map<string, Waiting<Asked, Found>>();
      group = begun;
      this.#groups.set(of, begun);
      setImmediate(() => void this.#askAll(of, begun));
    }
    const known = group.get(name);
    if (known !== undefined) return known.promise;
    const waiting = { asked, ...Promise.withResolvers<Found | undefined>() };
    group.set(name, waiting);
    return waiting.promise;
  }

  /** One statement at a time: look-ups that arrive meanwhile go into the next one. */
  async #askAll(of: Of, group: Map<string, Waiting<Asked, Found>>): Promise<void> {
    while (group.size > 0) {
      const some = [...group.entries().take(MOST)];
      for (const [name] of some) group.delete(name);
      try {
        const found = await this.#ask(
          of,
          some.map(([, { asked }]) => asked),
        );
        for (const [name, { resolve }] of some) resolve(found.get(name));
      } catch (error) {
        for (const [, { reject }] of some) reject(error);
      }
    }
    this.#groups.delete(of);
  }
}
