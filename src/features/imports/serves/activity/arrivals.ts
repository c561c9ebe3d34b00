/** Counts what imports bring as a source of their own, by location, so that it shows when something last came of it. */
import { createIdentifiers } from '../../../../core/schema/id.ts';
import { createActivityCounter } from '../../../../services/requests/recorder.ts';
import type { Store } from '../../../../store/promises/store.ts';
import type { ImportRun } from '../../declares/import-run.ts';

/** The result of a row: without an outcome it was refused. */
interface Row {
  readonly outcome?: string;
  readonly account?: string;
  readonly anchor?: string | null;
}

/** Hours, locations and outcomes of one import. */
const MOST_PLACES = 10_000;
/** Counted as that of the import, which writes as its source. */
const COUNTED = new Set(['created', 'updated', 'unchanged']);

export type ImportArrivals = ReturnType<typeof arrivalsOf>;

export function arrivalsOf(
  { requests }: Pick<Store, 'requests'>,
  { unique_identifier: key, accounts }: Pick<ImportRun, 'unique_identifier' | 'accounts'>,
) {
  const counter = createActivityCounter();
  const [only = ''] = accounts.length === 1 ? accounts : [];
  return {
    add(resource: string, { outcome = 'refused', account, anchor }: Row): void {
      if (outcome !== 'refused' && !COUNTED.has(outcome)) return;
      const at = { account: account ?? only, anchor: anchor ?? '' };
      counter.add({ ...at, key, resource, outcome }, 1, Date.now());
    },
    /** They are for watching: what cannot be written holds up no import. */
    async note(): Promise<void> {
      const taken = counter.take();
      if (taken.length > 0) await requests.note([], taken).catch(() => undefined);
    },
  };
}

/** Notes that a file of that source was refused as a whole. */
export async function refusedWhole(
  { requests, sources }: Pick<Store, 'requests' | 'sources'>,
  account: string,
  source: string,
): Promise<void> {
  const now = Date.now();
  // It is no import, and has the name of one: who writes as a source is known by that.
  const key = createIdentifiers(() => now)('imp_');
  await sources.assign(account, key, source);
  const counter = createActivityCounter();
  counter.add({ account, anchor: '', key, resource: '', outcome: 'refused' }, 1, now);
  await requests.note([], counter.take());
}

/** Notes that the same came again: unchanged, once wherever that import has written. */
export async function cameAgain(
  { requests }: Pick<Store, 'requests'>,
  { unique_identifier: key }: ImportRun,
): Promise<void> {
  const before = await requests.activity({ key, limit: MOST_PLACES });
  const written = before.filter(({ outcome }) => COUNTED.has(outcome));
  const places = new Map(written.map((one) => [`${one.resource} ${one.anchor}`, one]));
  const counter = createActivityCounter();
  for (const { account, anchor, resource } of places.values())
    counter.add({ account, anchor, key, resource, outcome: 'unchanged' }, 1, Date.now());
  const taken = counter.take();
  if (taken.length > 0) await requests.note([], taken);
}
