/**
 * Searches data without an index for people in the background, piece by piece: free-form text, the log of changes,
 * refused rows, names. Notes how far each search has come, and what it has found.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { LookPlace, StoredErasure } from '../../../core/objects/records/erasure.ts';
import type { Resource } from '../../../core/schema/define.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
import { countryAt } from '../../../records/query/zones.ts';
import type { Scan } from '../../../store/promises/search.ts';
import { type Store, wholeAccount } from '../../../store/promises/store.ts';
import type { FilesKept } from '../../served.ts';
import { MAX_MATCHES } from '../look.ts';
import type { ChangeErasure } from '../steps.ts';
import { type Details, type Mentions, mentionsOf, opened } from './mentions.ts';

const AT_ONCE = 200;
const LAST = '\u{10ffff}';
/** The pieces of a search before the next caller's, so that a caller with many delays others no longer. */
const PIECES = 100;

export function createBackgroundLook(
  parts: LookParts,
  sealer: Sealer | undefined,
  change: ChangeErasure,
) {
  /** Returns the details of the person, until the erasure ends. */
  function detailsOf({ unique_identifier, selectors }: StoredErasure): Details | undefined {
    return opened(sealer, selectors, sealedOf(unique_identifier));
  }

  return {
    detailsOf,

    /** Returns the initial state of a search for a person; without a key it never begins. */
    begun(id: string, details: Details): Pick<StoredErasure, 'looked' | 'selectors' | 'place'> {
      const looks = Object.values(details).some(({ length }) => length > 0);
      if (!looks) return { looked: 'everywhere', selectors: null, place: null };
      const selectors = sealer?.seal(JSON.stringify(details), sealedOf(id)) ?? null;
      const place = selectors === null ? null : lookStart(parts.resources);
      return { looked: 'index', selectors, place };
    },

    /** Continues a search for some pieces. */
    async *work(id: string): AsyncGenerator<number, void> {
      const erasure = await parts.store.erasures.find(id);
      let place = erasure?.place ?? null;
      if (erasure === undefined || place === null) return;
      const details = detailsOf(erasure);
      if (details === undefined) {
        // The key that sealed the details is gone, so they can no longer be read.
        await change(id, (one) => ({ ...one, selectors: null, place: null }));
        return;
      }
      const country = await countryAt(parts.store, [erasure.account]);
      const mentions = mentionsOf(details, { country, leastWords: 1 });
      for (let left = PIECES; place !== null && left > 0; left -= 1) {
        const looked = await lookAt(parts, place, erasure.account, mentions);
        const isDue = looked.place === null || looked.found.length > 0 || left === 1;
        place = isDue ? (await change(id, (one) => noted(one, looked))).place : looked.place;
        yield 1;
      }
    },
  };
}

interface Looked {
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

interface LookParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly files?: readonly FilesKept[];
}

function sealedOf(erasure: string): string {
  return `the person of ${erasure}`;
}

/** Adds new findings to the erasure, unless another process finished the search or the erasure was closed. */
function noted(
  erasure: StoredErasure,
  { found, refused_rows = 0, named_in = [], place }: Looked,
): StoredErasure {
  if (erasure.place === null) return erasure;
  const matches = new Map(erasure.matches.map((match) => [match.record, match]));
  for (const { resource, record, reason } of found) {
    const reasons = matches.get(record)?.reasons ?? [];
    // A record found by its own fields always mentions the person.
    if (reasons.includes(reason) || (reason === 'mentioned' && reasons.length > 0)) continue;
    matches.set(record, { resource, record, reasons: [...reasons, reason] });
  }
  const isNew = matches.size > erasure.matches.length;
  const next = {
    ...erasure,
    matches: [...matches.values()].slice(0, MAX_MATCHES),
    status: isNew && erasure.status === 'done' ? 'ready' : erasure.status,
  };
  if (matches.size > MAX_MATCHES) return { ...next, looked: 'too_many', place: null };
  return place === null
    ? { ...next, looked: 'everywhere', refused_rows, named_in, place }
    : { ...next, place };
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
  { store, resources, files = [] }: LookParts,
  place: LookPlace,
  account: string,
  mentions: Mentions,
): Promise<Looked> {
  if (place.in === 'rows') {
    const named_in = [...(await namedIn(store, account, mentions))];
    let refused_rows = 0;
    for (const one of files) {
      refused_rows += (await one.rows(account, mentions, { cuts: false })).rows;
      named_in.push(...(await one.named(account, mentions)));
    }
    return { found: [], refused_rows, named_in, place: null };
  }
  const { met, next } = await store.search.scan({ account, place, rough: mentions.rough });
  const mentioning = met.filter(({ text }) => mentions(text));
  if (place.in === 'log') {
    const found = await historyIn({ store, resources }, account, mentioning);
    return { found, place: next ?? { in: 'rows' } };
  }
  const reason = 'mentioned';
  const found = mentioning.map(({ resource, record }) => ({ resource, record, reason }) as const);
  if (next !== undefined) return { found, place: next };
  const erasable = erasableIn(resources);
  const beyond = erasable[erasable.indexOf(place.resource) + 1];
  return { found, place: beyond ? { in: 'records', resource: beyond } : { in: 'log' } };
}

/** Finds the records of these changes, and whether each still exists or was removed. */
async function historyIn({ store, resources }: LookParts, account: string, changes: Scan['met']) {
  const found = new Map<string, Looked['found'][number]>();
  for (const { resource, record } of changes) {
    const its = resources.find(({ name, parent }) => name === resource && parent !== undefined);
    if (its === undefined || found.has(record)) continue;
    const isThere = (await store.find(its.shape, record, wholeAccount(account))) !== undefined;
    if (!isThere && (await store.log.gone(resource, record, [account])) === undefined) continue;
    found.set(record, { resource, record, reason: isThere ? 'earlier_version' : 'removed' });
  }
  return [...found.values()];
}

type Named = Readonly<{ unique_identifier: string }>;
type Books = Pick<Store, 'keys' | 'sources' | 'staff' | 'written'>;

/** Returns the unique identifiers of the objects whose names or texts mention the person. Names stay, so someone must review them. */
async function namedIn(
  { keys, sources, staff, written }: Books,
  account: string,
  mentions: (text: string) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  const look = <One extends Named>(
    all: readonly One[],
    of: (one: One) => readonly (string | null)[],
  ): void => {
    for (const one of all) if (of(one).some(isMention)) found.push(one.unique_identifier);
  };
  const isMention = (text: string | null): boolean => text !== null && mentions(text);
  const isOwn = ({ accounts }: { readonly accounts: readonly string[] }) =>
    accounts.includes(account);
  look((await keys.list()).filter(isOwn), ({ name }) => [name]);
  look(await sources.list([account]), ({ name }) => [name]);
  look((await staff.list()).filter(isOwn), ({ name, email }) => [name, email]);
  for (const list of written)
    await paged(
      (before) => list(account, before, AT_ONCE),
      (some) => look(some, ({ texts }) => texts),
    );
  return found;
}

async function paged<One extends Named>(
  list: (before: string) => Promise<readonly One[]>,
  look: (some: readonly One[]) => void,
): Promise<void> {
  for (let before = LAST; ; ) {
    const some = await list(before);
    look(some);
    const last = some.at(-1);
    if (last === undefined || some.length < AT_ONCE) return;
    before = last.unique_identifier;
    await nextTick();
  }
}
