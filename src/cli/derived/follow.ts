/** Prints entries as they are written, until Ctrl-C. */
import { setTimeout as pause } from 'node:timers/promises';

/** The pause between two looks. */
const LOOK_MS = 1_000;

interface Followed<Entry> {
  /** Gives the entries since a time, the newest first. */
  readonly look: (from: number) => Promise<readonly Entry[]>;
  readonly idOf: (entry: Entry) => string | undefined;
  readonly print: (entries: readonly Entry[]) => Promise<void>;
  /** How late a process may write an entry: each look goes back that far, since they are not in order. */
  readonly lateMs: number;
}

export async function follow<Entry>({
  look,
  idOf,
  print,
  lateMs,
}: Followed<Entry>): Promise<never> {
  const began = Date.now();
  for (let seen = new Set<string | undefined>(); ; await pause(LOOK_MS)) {
    const found = await look(Math.max(began, Date.now() - lateMs));
    await print(found.filter((one) => !seen.has(idOf(one))).toReversed());
    seen = new Set(found.map(idOf));
  }
}
