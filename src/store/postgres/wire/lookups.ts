/**
 * Batches single look-ups made at about the same time into one request to the server: so a row of a long array costs no
 * round trip.
 */

/** The largest batch: each answer may be as large as a body. */
const MAX_BATCH = 64;

interface Waiting<Wanted, Found> extends PromiseWithResolvers<Found | undefined> {
  readonly wanted: Wanted;
}

/** `Of` must be the same for all look-ups of a batch. `find` returns what exists, by name. */
export function createLookUp<Of, Wanted, Found>(
  find: (of: Of, wanted: readonly Wanted[]) => Promise<ReadonlyMap<string, Found>>,
) {
  const groups = new Map<Of, Map<string, Waiting<Wanted, Found>>>();

  /** One statement at a time: look-ups that arrive meanwhile go into the next one. */
  async function findAll(of: Of, group: Map<string, Waiting<Wanted, Found>>): Promise<void> {
    while (group.size > 0) {
      const batch = [...group.entries().take(MAX_BATCH)];
      for (const [name] of batch) group.delete(name);
      const wanted = batch.map(([, one]) => one.wanted);
      try {
        const found = await find(of, wanted);
        for (const [name, { resolve }] of batch) resolve(found.get(name));
      } catch (error) {
        for (const [, { reject }] of batch) reject(error);
      }
    }
    groups.delete(of);
  }

  /** Finds the one with that name, in its current state or a later one. Concurrent look-ups of the same name share the answer. */
  return (of: Of, name: string, wanted: Wanted): Promise<Found | undefined> => {
    const group = groups.getOrInsertComputed(of, () => {
      const begun = new Map<string, Waiting<Wanted, Found>>();
      setImmediate(() => void findAll(of, begun));
      return begun;
    });
    const { promise } = group.getOrInsertComputed(name, () => {
      return { wanted, ...Promise.withResolvers<Found | undefined>() };
    });
    return promise;
  };
}
