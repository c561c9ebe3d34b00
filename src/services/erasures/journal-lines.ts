/**
 * The lines of the journal of erasures. Each says that a record or its earlier versions were erased, or that a record
 * may be created again, and is signed with the service's key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import about from '../../../package.json' with { type: 'json' };
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { ErasedTombstone, JournalLine } from '../../store/books/erasing/journal.ts';
import { ERASED } from '../../store/promises/erasing/book.ts';

const { version: release } = about;

/** The name of the journal's file in each folder. */
export const JOURNAL_FILE = 'erasures.ndjson';
/** The purpose that the keys of the signatures are derived for. */
const JOURNAL = 'journal of erasures';

/** An untrustworthy journal, of which nothing was applied. The message is one sentence for the operator. */
export class JournalUnusable extends Error {
  override readonly name = 'JournalUnusable';
}

/** A record whose earlier versions were erased, and the version that stayed. */
export type ErasedHistory = Pick<ErasedTombstone, 'account' | 'record' | 'resource' | 'erasure'> & {
  readonly version: number;
};

export type Word =
  | ({ readonly did: 'erased' } & ErasedTombstone)
  | ({ readonly did: 'past_erased' } & ErasedHistory)
  | { readonly did: 'lifted'; readonly account: string; readonly record: string };

/** A word, the number of its line in the store that wrote it, and when the change happened, as RFC 3339. */
export type JournalEntry = Word & {
  readonly line: number;
  readonly at: string;
  /** The release that wrote it; 1.0.0 left it out. */
  readonly release?: string;
};

const SIGNED = /^(\{"line":\d+,.*,"signed_by":"([\w-]{8})"),"mac":"([\w-]{43})"\}$/s;

/** Returns the signature of a line, which identifies it. */
export function macOf({ text }: Pick<JournalLine, 'text'>): string | undefined {
  return SIGNED.exec(text)?.[3];
}

/** Creates the journal's keys from SECRET_KEY_FILE: the first one signs, and each of them verifies. */
export function createJournalKeys(sealer: Pick<Sealer, 'derived'>) {
  const named = new Map(sealer.derived(JOURNAL).map((key) => [nameOf(key), key]));
  const [newest] = named;
  if (newest === undefined) throw new TypeError('There is no key to sign with.');
  const keyNames = new Set(sealer.derived(ERASED).map(nameOf));
  const keyLost = (where: string): JournalUnusable =>
    new JournalUnusable(
      `${where} was written with a key that is not in SECRET_KEY_FILE: put that key into the file again, on a line of its own after the newest. If it is the journal of another store, move it away. If the key is lost for good, move the journal away, too: whom it alone names is in the store then, and is to be erased again. Nothing of the journal is applied.`,
    );
  return {
    sign(line: number, word: Word, now: number): JournalLine {
      const [name, key] = newest;
      const at = new Date(now).toISOString();
      const body = JSON.stringify({ line, at, ...word, release, signed_by: name }).slice(0, -1);
      return { line, text: `${body},"mac":"${hash(key, body)}"}` };
    },
    /** Reads a line. Throws `JournalUnusable`, which begins with `where`, unless this service has signed it. */
    read(text: string, where: string): JournalEntry {
      const [, body = '', name = '', mac = ''] = SIGNED.exec(text) ?? [];
      const key = named.get(name);
      if (name !== '' && key === undefined) throw keyLost(where);
      if (key === undefined || !isSame(hash(key, body), mac))
        throw new JournalUnusable(
          `${where} is not as it was written. Nothing of the journal is applied. Use a copy of it that is whole, or move it away to go on without it.`,
        );
      const entry = entryOf({ text });
      if (!['erased', 'past_erased', 'lifted'].includes(entry.did))
        throw new JournalUnusable(
          `${where} was written by ${entry.release === undefined ? 'a newer Ledgerstone: use that version' : `Ledgerstone ${entry.release}, and this is ${release}: use ${entry.release} or a later version`}. Nothing of the journal is applied.`,
        );
      if (entry.did === 'erased' && !keyNames.has(entry.key)) throw keyLost(where);
      return entry;
    },
  };
}

/** Reads a line whose signature was checked before. */
export function entryOf({ text }: Pick<JournalLine, 'text'>): JournalEntry {
  return JSON.parse(text) as JournalEntry;
}

/** Returns the subject of a line; the latest line about a subject counts. */
export function subjectOf({ account, record, did }: JournalEntry): string {
  return `${account} ${record}${did === 'past_erased' ? ' past' : ''}`;
}

/** Returns when the change happened, in milliseconds since 1970. */
export function timeOf(entry: JournalEntry): number {
  return entry.did === 'erased' ? entry.erased_at : Date.parse(entry.at);
}

/** Returns the name of a key, which hashes of erased records also carry. */
function nameOf(key: Uint8Array): string {
  return hash(key, 'name').slice(0, 8);
}

/** Compares two hashes in constant time. */
export function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

function hash(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
