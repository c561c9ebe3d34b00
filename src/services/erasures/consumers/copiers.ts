/** People and API keys that may have a copy of erased records, as the audit knows: they saw or exported them while they were there. */

import type { Resource } from '../../../core/schema/define.ts';
import { decode128 } from '../../../core/schema/id.ts';
import type { Copier } from '../../../store/promises/audit/book.ts';
import type { Store } from '../../../store/promises/store.ts';

/** The most copiers, those of the latest times. */
const MAX_COPIERS = 200;
const HOUR_MS = 3_600_000;
/** The audit has what keys read in an hour some time after that is over. */
const LATE_HOURS = 2;
/** The page that people print that has records of all kinds. */
const EVERYTHING = 'today';

/** Each once: who has exported has also seen. The latest of them, and how many are known. */
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

/** Ranks copiers: who has exported comes before all that have looked. */
function rankOf({ how, at }: Copier): number {
  return how === 'exported' ? at : at - Number.MAX_SAFE_INTEGER;
}

/** When a record was made, as its identifier says. */
function madeAt(record: string): number {
  return Number((decode128(record.slice(-22)) ?? 0n) >> 80n);
}
