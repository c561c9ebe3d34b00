/** Prints entries as they are written, until Ctrl-C. */
import { setTimeout as pause } from 'node:timers/promises';

/** How often is looked. */
const LOOK_MS = 1_000;

interface Followed<Entry> {
  /** Gives the entries since a time, the newest first. */
  readonly look: (from: number) => Promise<readonly Entry[]>;
  readonly idOf: (entry: Entry) => string;
  readonly print: (entries: readonly Entry[]) => void;
  /** How late a process may write an entry: each look goes back that far, since they are not in order. */
  readonly lateMs: number;
  /** Entries that were printed before; without them, only what comes from now on is. */
  readonly shown?: readonly Entry[];
}

export async function follow<Entry>(parts: Followed<Entry>): Promise<never> {
  const { look, idOf, print, lateMs, shown } = parts;
  const began = shown === undefined ? Date.now() : 0;
  let seen = new Set(shown?.map(idOf));
  for (;;) {
    const found = await look(Math.max(began, Date.now() - lateMs));
    print(found.filter((one) => !seen.has(idOf(one))).toReversed());
    seen = new Set(found.map(idOf));
    await pause(LOOK_MS);
  }
}
