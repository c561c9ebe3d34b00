/** Finds people and API keys that, according to the audit, saw or exported records before they were erased. */

import type { Resource } from '../../../core/schema/define.ts';
import { decode128 } from '../../../core/schema/id.ts';
import type { Copier } from '../../../store/books/log/audit.ts';
import type { Store } from '../../../store/promises/store.ts';

/** The most copiers returned; the latest take precedence. */
const MAX_COPIERS = 200;
const HOUR_MS = 3_600_000;
/** How many past hours of reads by keys the audit may still lack. */
const LATE_HOURS = 2;
/** The printed page that has records of every kind. */
const EVERYTHING = 'today';

/** Returns the latest copiers, each once (an export outranks a view), and how many are known. */
export async function copiersOf(
  { erasing, audit, requests }: Pick<Store, 'erasing' | 'audit' | 'requests'>,
  all: readonly Resource[],
  of: { readonly account: string; readonly erasure: string; readonly records: readonly string[] },
  now: number,
): Promise<{ readonly latest: readonly Copier[]; readonly known: number }> {
  const { account } = of;
  const found = await erasing.find(of.records, [account]);
  const erased = found.filter(({ erasure }) => erasure === of.erasure);
  if (erased.length === 0) return { latest: [], known: 0 };
  const records = erased.map(({ record }) => record);
  const resources = new Set(erased.map(({ resource }) => resource));
  const places = new Set(erased.flatMap(({ anchor }) => anchor ?? []));
  const since = Math.min(...records.map(madeAt));
  const known = await audit.copiers({
    account,
    records,
    since,
    resources: [...resources],
    places: [...places],
  });
  const words = new Set([
    ...all.filter(({ name }) => resources.has(name)).map(({ path }) => path),
    EVERYTHING,
  ]);
  const copiers = known.filter(
    ({ what }) => what?.split(' ').some((one) => words.has(one)) ?? true,
  );
  const lastHour = Math.floor(now / HOUR_MS) * HOUR_MS;
  for (let ago = 0; ago <= LATE_HOURS; ago += 1) {
    const hour = lastHour - ago * HOUR_MS;
    if (hour + HOUR_MS < since) break;
    for (const { key, anchor, resource, ...read } of await requests.readsOf(hour))
      if (
        read.account === account &&
        resources.has(resource) &&
        (anchor === '' || places.has(anchor))
      )
        copiers.push({ by: key, how: 'exported', at: hour, what: null });
  }
  const best = new Map<string, Copier>();
  for (const one of copiers) {
    const other = best.get(one.by);
    if (other === undefined || rankOf(one) > rankOf(other)) best.set(one.by, one);
  }
  const latest = [...best.values()].toSorted((one, other) => other.at - one.at);
  return { latest: latest.slice(0, MAX_COPIERS), known: latest.length };
}

/** Ranks copiers: every export comes before every view. */
function rankOf({ how, at }: Copier): number {
  return how === 'exported' ? at : at - Number.MAX_SAFE_INTEGER;
}

/** Returns when a record was created, as its identifier says. */
function madeAt(record: string): number {
  return Number((decode128(record.slice(-22)) ?? 0n) >> 80n);
}
