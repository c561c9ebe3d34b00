/** The chain of entries that one process adds to the audit: each is sealed with the one before it. */
import { createHmac, randomBytes } from 'node:crypto';
import {
  type AuditEntry,
  type AuditFacts,
  type AuditHead,
  sealedText,
} from '../../core/objects/requests/audit-entry.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import { type AuditBook, dayOf } from '../../store/books/log/audit.ts';
import { StoreUnavailable, StoreUnsure } from '../../store/promises/store.ts';

/** The purpose that the keys of chains are derived for. */
export const AUDIT = 'audit';
/** The key of a process that has none: what it writes is proof against accidents alone. */
export const NO_KEY = new Uint8Array();

/** Facts with the time at which they were noted. */
export type TimedFacts = AuditFacts & { readonly time: number };

type Unsealed = Omit<AuditEntry, 'mac'>;

export interface ChainParts {
  readonly book: Pick<AuditBook, 'append' | 'head' | 'find'>;
  readonly key: Uint8Array | undefined;
  readonly now: () => number;
}

export function macOf(key: Uint8Array, previous: string, entry: Unsealed): string {
  const text = `${previous}\n${sealedText(entry)}`;
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** The chain of this process. Each day it begins another one, so that old ones can be removed as a whole. */
export function createAuditChain(parts: ChainParts) {
  const { book, now } = parts;
  const identify = createIdentifiers(now);
  let today = '';
  let name = '';
  let head: AuditHead | undefined;
  /** Entries of which the store never said whether it has them: they keep their places. */
  let unsure: readonly AuditEntry[] = [];
  let working: Promise<unknown> = Promise.resolve();

  async function appendNow(facts: readonly TimedFacts[]): Promise<boolean> {
    if (unsure.length > 0) {
      await book.append(unsure);
      unsure = [];
    }
    const at = now();
    const day = dayOf(at);
    if (day !== today) {
      today = day;
      name = `${day}-${randomBytes(9).toString('base64url')}`;
      head = undefined;
    }
    const before = head;
    const entries = sealed(facts, name, before, parts, identify);
    head = entries.at(-1) ?? before;
    try {
      await book.append(entries);
      return true;
    } catch (error) {
      if (error instanceof StoreUnsure) {
        unsure = entries;
        return false;
      }
      head = before;
      throw error;
    }
  }

  return {
    get head(): AuditHead | undefined {
      return head;
    },
    /**
     * Adds entries, one call after the other. Gives `false` where the store never said whether it has them: the next call
     * hands them over again. Throws where none was added.
     */
    append(facts: readonly TimedFacts[]): Promise<boolean> {
      const appended = working.then(() => appendNow(facts));
      working = appended.catch(() => undefined);
      return appended;
    },
  };
}

/** One sequence of identifiers for each clock: lists are in their order within a millisecond. */
const sequences = new WeakMap<() => number, (prefix: string) => string>();

/** How often a command tries: others may add to the chain of commands at the same time. */
const TRIES = 50;

/** How many entries a command adds in one commit. */
const ADDED_AT_ONCE = 1_000;

/** Adds entries to the chain that all commands of a day share. */
export async function appendShared(
  parts: ChainParts,
  ...facts: readonly TimedFacts[]
): Promise<void> {
  for (let from = 0; from < facts.length; from += ADDED_AT_ONCE)
    await appendSome(parts, facts.slice(from, from + ADDED_AT_ONCE));
}

async function appendSome(parts: ChainParts, facts: readonly TimedFacts[]): Promise<void> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    if (await (await nextOf(parts, 'commands'))(facts)) return;
  }
  throw new StoreUnavailable('Too many commands write to the audit at once.');
}

/** Adds to a chain that processes share for a day; gives `false`, with nothing added, where another one was faster. */
export async function nextOf(
  parts: ChainParts,
  name: string,
): Promise<(facts: readonly TimedFacts[]) => Promise<boolean>> {
  const { book, now } = parts;
  const identify = sequences.getOrInsertComputed(now, () => createIdentifiers(now));
  const chain = `${dayOf(now())}-${name}`;
  const before = await book.head(chain);
  return async (facts) => {
    const entries = sealed(facts, chain, before, parts, identify);
    if ((await book.append(entries)) > 0) return true;
    // A connection may have been lost after they were added.
    return (await book.find(entries[0]?.unique_identifier ?? '')) !== undefined;
  };
}

function sealed(
  facts: readonly TimedFacts[],
  chain: string,
  before: AuditHead | undefined,
  { key = NO_KEY, now }: Pick<ChainParts, 'key' | 'now'>,
  identify: (prefix: string) => string,
): readonly AuditEntry[] {
  const written_at = now();
  let { number, mac } = before ?? { number: 0, mac: chain };
  return facts.map((one) => {
    number += 1;
    const entry: Unsealed = {
      unique_identifier: identify('aud_'),
      time: one.time,
      account: one.account || null,
      by: one.by || null,
      action: one.action,
      resource: one.resource ?? null,
      record: one.record || null,
      what: one.what ?? null,
      count: one.count ?? 1,
      address: one.address ?? null,
      request_id: one.request_id ?? null,
      chain,
      number,
      written_at,
    };
    mac = macOf(key, mac, entry);
    return { ...entry, mac };
  });
}
