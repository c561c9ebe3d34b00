/** Searches data without an index piece by piece: free-form text, the log of changes, refused rows, names. */
import type { LookPlace } from '../../../core/objects/records/erasure.ts';
import type { Resource } from '../../../core/schema/define.ts';
import type { Scan } from '../../../store/promises/search.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { Mentions } from './mentions.ts';
import { namedIn } from './names.ts';
import { refusedRows } from './rows.ts';

export interface Looked {
  readonly found: readonly {
    readonly resource: string;
    readonly record: string;
    readonly reason: 'mentioned' | 'earlier_version' | 'removed';
  }[];
  /** The number of refused rows that mention the person, once searched. */
  readonly refused_rows?: number;
  /** The unique identifiers of objects whose names mention the person. */
  readonly named_in?: readonly string[];
  /** Where to continue; `null` at the end. */
  readonly place: LookPlace | null;
}

export interface LookParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
}

/** Returns where a search begins. */
export function lookStart(resources: readonly Resource[]): LookPlace {
  return { in: 'records', resource: erasableIn(resources)[0] as string };
}

/** Returns the names of resources whose records can be erased. */
function erasableIn(resources: readonly Resource[]): readonly string[] {
  return resources.filter(({ parent }) => parent !== undefined).map(({ name }) => name);
}

export async function lookAt(
  { store, resources }: LookParts,
  place: LookPlace,
  account: string,
  mentions: Mentions,
): Promise<Looked> {
  if (place.in === 'rows') {
    const { rows } = await refusedRows(store.imports, account, mentions, { cuts: false });
    const named_in = await namedIn(store, account, mentions);
    return { found: [], refused_rows: rows, named_in, place: null };
  }
  const { met, next } = await store.search.scan({ account, place, rough: mentions.rough });
  const mentioning = met.filter(({ text }) => mentions(text));
  if (place.in === 'log') {
    const found = await pastIn({ store, resources }, account, mentioning);
    return { found, place: next ?? { in: 'rows' } };
  }
  const found = mentioning.map(({ resource, record }) => {
    return { resource, record, reason: 'mentioned' as const };
  });
  if (next !== undefined) return { found, place: next };
  const erasable = erasableIn(resources);
  const beyond = erasable[erasable.indexOf(place.resource) + 1];
  return {
    found,
    place: beyond === undefined ? { in: 'log' } : { in: 'records', resource: beyond },
  };
}

/** Finds the records of these changes, and whether each still exists or was removed. */
async function pastIn(
  { store, resources }: LookParts,
  account: string,
  changes: Scan['met'],
): Promise<Looked['found']> {
  const found = new Map<string, Looked['found'][number]>();
  const scope = { accounts: new Set([account]), anchors: undefined };
  for (const { resource, record } of changes) {
    const its = resources.find(({ name, parent }) => name === resource && parent !== undefined);
    if (its === undefined || found.has(record)) continue;
    const isThere = (await store.find(its.shape, record, scope)) !== undefined;
    if (!isThere && (await store.log.gone(resource, record, [account])) === undefined) continue;
    found.set(record, { resource, record, reason: isThere ? 'earlier_version' : 'removed' });
  }
  return [...found.values()];
}
