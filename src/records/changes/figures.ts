/** Figures of the log of changes over all accounts: how far back it goes, and its number of commits. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Store } from '../../store/promises/store.ts';

export interface LogFigures {
  /** Whose changes are stored. */
  readonly commits: number;
  /** When the oldest stored change was done. */
  readonly oldest_at: number | undefined;
}

/** The figures change slowly, and computing them reads each account. */
const KEPT_MS = 300_000;
const ACCOUNTS_AT_ONCE = 50;

/** Computes them again if they are more than five minutes old. */
export function createLogFigures(store: Store, now: () => number): () => Promise<LogFigures> {
  let last: { readonly at: number; readonly figures: Promise<LogFigures> } | undefined;
  return () => {
    if (last === undefined || now() - last.at > KEPT_MS) {
      last = { at: now(), figures: lookUp(store) };
      last.figures.catch(() => {
        last = undefined;
      });
    }
    return last.figures;
  };
}

async function lookUp(store: Store): Promise<LogFigures> {
  const accounts = (await store.accounts.list()).map((account) => account.unique_identifier);
  let commits = 0;
  let oldest_at: number | undefined;
  for (let from = 0; from < accounts.length; from += ACCOUNTS_AT_ONCE) {
    const some = accounts.slice(from, from + ACCOUNTS_AT_ONCE);
    const positions = await store.log.positions(some);
    for (const account of some) {
      const page = await store.log.read({ account, after: undefined, limit: 1, bytes: 1 });
      const first = typeof page === 'string' ? undefined : page.changes[0];
      if (first === undefined) continue;
      commits += (positions.get(account) ?? first.position) - first.position + 1;
      oldest_at = Math.min(oldest_at ?? first.occurred_at, first.occurred_at);
    }
    await nextTick();
  }
  return { commits, oldest_at };
}
