/**
 * The lines of the journal of erasures. The first names the store; each other one tells of a record that was erased,
 * of one whose earlier versions were, or of one that may be made again, and is signed together with the line before it: none can be changed, moved or left out unnoticed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import { ERASED } from '../../store/promises/erasing/book.ts';
import type {
  ErasedTombstone,
  JournalBook,
  JournalLine,
} from '../../store/promises/erasing/journal.ts';

/** The name of the file in each folder. */
export const JOURNAL_FILE = 'erasures.ndjson';
/** The purpose that the keys of the signatures are derived for. */
const JOURNAL = 'journal of erasures';

/** The journal cannot be trusted, and nothing of it was done: one clear sentence for the operator. */
export class JournalUnusable extends Error {
  override readonly name = 'JournalUnusable';
}

/** The store may lack what that journal tells: whom it holds again cannot be known. */
export class JournalAhead extends JournalUnusable {}

interface Told {
  readonly line: number;
  /** When it was told, as RFC 3339. */
  readonly at: string;
}

/** A record whose earlier versions were erased, and the version that stayed. */
export type PastErased = Pick<ErasedTombstone, 'account' | 'record' | 'resource' | 'erasure'> & {
  readonly version: number;
};

export type JournalEntry = Told &
  (
    | ({ readonly did: 'erased' } & ErasedTombstone)
    | ({ readonly did: 'past_erased' } & PastErased)
    | { readonly did: 'lifted'; readonly account: string; readonly record: string }
  );

/** An entry without its place. */
export type Word = JournalEntry extends infer One
  ? One extends Told
    ? Omit<One, keyof Told>
    : never
  : never;

/** The version of the format. A journal with a greater one is for a newer Ledgerstone. */
const FORMAT = 1;
const SIGNED = /^(.*,"signed_by":"([\w-]{8})"),"mac":"([\w-]{43})"\}$/s;

function firstLine(store: string): JournalLine {
  return { line: 1, text: JSON.stringify({ ledgerstone: 'erasures', format: FORMAT, store }) };
}

/** The last line; the first one names the store, and is made where there is none. */
export async function namedStore(
  book: Pick<JournalBook, 'last' | 'append'>,
  identify: (prefix: string) => string = createIdentifiers(Date.now),
): Promise<JournalLine> {
  for (;;) {
    const last = await book.last();
    if (last !== undefined) return last;
    await book.append([firstLine(identify('sto_'))]);
  }
}

/** The store that a first line names. Throws `JournalAhead`; `where` names the journal. */
export function storeIn(text: string, where: string): string {
  const { ledgerstone, format, store } = (parsed(text) ?? {}) as Readonly<Record<string, unknown>>;
  if (ledgerstone !== 'erasures' || typeof format !== 'number' || typeof store !== 'string')
    throw new JournalAhead(
      `${where}: line 1 is not the beginning of a journal of erasures. Move the file away, or name another folder.`,
    );
  if (format <= FORMAT) return store;
  throw new JournalAhead(
    `${where}: line 1 says that a newer Ledgerstone wrote it: use that version.`,
  );
}

/** By which a line is known: no other one has it. */
export function macOf({ text }: JournalLine): string | undefined {
  return SIGNED.exec(text)?.[3];
}

export interface JournalKeys {
  /** The line after that one. */
  sign(before: JournalLine, word: Word, now: number): JournalLine;
  /** What a line tells. Throws `JournalUnusable` unless it was signed as the one after `before`. */
  read(before: JournalLine, text: string, where: string): JournalEntry;
}

/** By the keys in SECRET_KEY_FILE: the first signs, and each of them proves. */
export function createJournalKeys(sealer: Pick<Sealer, 'derived'>): JournalKeys {
  const named = new Map(sealer.derived(JOURNAL).map((key) => [nameOf(key), key]));
  const [newest] = named;
  if (newest === undefined) throw new TypeError('There is no key to sign with.');
  const marks = new Set(sealer.derived(ERASED).map(nameOf));
  const keyLost = (what: string): JournalUnusable =>
    new JournalUnusable(
      `${what} was written with a key that is not in SECRET_KEY_FILE: put that key into the file again, on a line of its own after the newest. Nothing of the journal is applied.`,
    );
  return {
    sign(before, word, now) {
      const [name, key] = newest;
      const line = before.line + 1;
      const at = new Date(now).toISOString();
      const body = JSON.stringify({ line, at, ...word, signed_by: name }).slice(0, -1);
      const mac = hash(key, `${before.text}\n${body}`);
      return { line, text: `${body},"mac":"${mac}"}` };
    },
    read(before, text, where) {
      const what = `${where}: line ${before.line + 1}`;
      const [, body = '', name = '', mac = ''] = SIGNED.exec(text) ?? [];
      const key = named.get(name);
      if (name !== '' && key === undefined) throw keyLost(what);
      if (key === undefined || !isSame(hash(key, `${before.text}\n${body}`), mac))
        throw new JournalUnusable(
          `${what} is not as it was written: it, or the line before it, was changed, moved or removed. Nothing of the journal is applied. Use a copy of it that is whole.`,
        );
      const entry = entryOf({ text });
      if (entry.did === 'erased' && !marks.has(entry.key)) throw keyLost(what);
      return entry;
    },
  };
}

/** What a line tells that was proved before. */
export function entryOf({ text }: Pick<JournalLine, 'text'>): JournalEntry {
  return JSON.parse(text) as JournalEntry;
}

/** What the hashes of erased records call their key, too. */
function nameOf(key: Uint8Array): string {
  return hash(key, 'name').slice(0, 8);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function hash(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
