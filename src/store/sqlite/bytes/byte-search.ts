/**
 * Searches the files of a store, byte by byte, for texts that no row has any more. SQLite overwrites what is removed, but
 * when it merges pages it can leave a copy of a row in the unused part of a page.
 */
import { Buffer } from 'node:buffer';
import { close, fstatSync, open, read } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ByteSearch } from '../../promises/erasing/book.ts';
import { isInCell } from './page-cells.ts';

/** Read at once, about: two milliseconds of work. */
const PIECE = 1_048_576;
/** Of the log of a file: its header, and that of each page. */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** A page that is being written can look like anything. */
const SETTLED_MS = 500;

/** An open file, and the path of its log. */
export interface SearchedFile {
  readonly descriptor: number;
  readonly log: string;
}

interface Pages {
  readonly descriptor: number;
  readonly first: number;
  /** Bytes before each page. */
  readonly before: number;
  readonly size: number;
  readonly usable: number;
}

interface Hit {
  readonly pages: Pages;
  /** Of the page, and of the byte in it. */
  readonly offset: number;
  readonly at: number;
}

interface Left {
  readonly copies: Map<string, readonly Hit[]>;
  /** Texts in a log. */
  readonly unsure: Set<string>;
}

const readAt = promisify(read);
const openFile = promisify(open);
const closeFile = promisify(close);

/**
 * The texts of which there is a copy, once it is through; between two pieces it gives others a turn. What content holds,
 * such as the phone number of a family, tells nothing and is not among them.
 */
export async function* searched(
  files: readonly SearchedFile[],
  texts: readonly string[],
): ByteSearch {
  const wanted = new Needles(texts);
  const left: Left = { copies: new Map(), unsure: new Set() };
  const logs: number[] = [];
  try {
    for (const { descriptor, log } of files) {
      const own = await pagesOf(descriptor);
      if (own === undefined) continue;
      yield* lookThrough(own, wanted, left);
      const logFile = await openFile(log, 'r').catch(() => undefined);
      if (logFile === undefined) continue;
      logs.push(logFile);
      const frames = { descriptor: logFile, first: LOG_HEADER, before: FRAME_HEADER };
      yield* lookThrough({ ...own, ...frames }, wanted, left);
    }
    if (left.copies.size > 0) await pause(SETTLED_MS);
    const found: string[] = [];
    for (const [text, hits] of left.copies) {
      if (wanted.has(text) && (await someStays(hits, text))) found.push(text);
      yield;
    }
    const isUnsure = [...left.unsure].some((text) => wanted.has(text));
    return found.length === 0 && isUnsure ? 'later' : found;
  } finally {
    for (const log of logs) await closeFile(log);
  }
}

/** `undefined`: it is no database, or has no pages. */
async function pagesOf(descriptor: number): Promise<Pages | undefined> {
  const { bytesRead, buffer } = await readAt(descriptor, Buffer.alloc(100), 0, 100, 0);
  if (bytesRead < 100) return undefined;
  const named = buffer.readUInt16BE(16);
  const size = named === 1 ? 65_536 : named;
  return { descriptor, first: 0, before: 0, size, usable: size - (buffer[20] ?? 0) };
}

async function* lookThrough(
  pages: Pages,
  wanted: Needles,
  { copies, unsure }: Left,
): AsyncGenerator<undefined, void> {
  const { descriptor, first, before, size, usable } = pages;
  const stride = before + size;
  const { size: end } = fstatSync(descriptor);
  const bytes = Buffer.alloc(Math.max(1, Math.floor(PIECE / stride)) * stride);
  let unused: UnusedPages | undefined;
  for (let from = first; from < end; from += bytes.length) {
    const { bytesRead } = await readAt(descriptor, bytes, 0, bytes.length, from);
    for (const { text, at } of wanted.in(bytes.subarray(0, bytesRead))) {
      const offset = at - (at % stride) + before;
      if (offset + size > bytesRead || at < offset) continue;
      const page = bytes.subarray(offset, offset + size);
      const isLog = before > 0;
      const number = isLog ? bytes.readUInt32BE(offset - before) : (from + offset) / size + 1;
      if (!isLog) unused ??= await unusedPages(pages);
      // A page without cells goes on with a large row.
      const isContent =
        !unused?.has(number) && (isInCell(page, number, usable, at - offset) ?? true);
      if (isContent) {
        // A log has pages as they were, too.
        if (isLog) unsure.add(text);
        else wanted.drop(text);
        continue;
      }
      const hit = { pages, offset: from + offset, at: at - offset };
      copies.set(text, [...(copies.get(text) ?? []), hit].slice(0, MOST));
    }
    yield;
  }
}

/** Places of a text that are looked at again. */
const MOST = 8;

/** The pages that nothing uses, by the list in the file. */
class UnusedPages {
  readonly #bits: Uint8Array;

  constructor(pages: number) {
    this.#bits = new Uint8Array((pages >> 3) + 1);
  }

  /** Returns whether it is new; a list that is being changed may lead in a circle. */
  add(number: number): boolean {
    const [at, bit] = [number >> 3, 1 << (number & 7)];
    const known = this.#bits[at];
    if (known === undefined || (known & bit) !== 0) return false;
    this.#bits[at] = known | bit;
    return true;
  }

  has(number: number): boolean {
    return ((this.#bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }
}

async function unusedPages({ descriptor, size }: Pages): Promise<UnusedPages> {
  const unused = new UnusedPages(Math.ceil(fstatSync(descriptor).size / size));
  const { buffer: header } = await readAt(descriptor, Buffer.alloc(100), 0, 100, 0);
  const page = Buffer.alloc(size);
  for (let trunk = header.readUInt32BE(32); trunk > 0 && unused.add(trunk); ) {
    await readAt(descriptor, page, 0, size, (trunk - 1) * size);
    const count = Math.min(page.readUInt32BE(4), size / 4 - 2);
    for (let index = 0; index < count; index += 1) unused.add(page.readUInt32BE(8 + 4 * index));
    trunk = page.readUInt32BE(0);
  }
  return unused;
}

/** Whether one of the copies is still there. */
async function someStays(hits: readonly Hit[], text: string): Promise<boolean> {
  const bytes = Buffer.from(text);
  for (const { pages, offset, at } of hits) {
    const { size, usable, before, descriptor } = pages;
    const page = Buffer.alloc(size);
    await readAt(descriptor, page, 0, size, offset);
    if (!page.subarray(at, at + bytes.length).equals(bytes)) continue;
    const number = before === 0 ? offset / size + 1 : 0;
    const isUnused = before === 0 && (await unusedPages(pages)).has(number);
    if (isUnused || isInCell(page, number, usable, at) === false) return true;
  }
  return false;
}

/** The beginnings of texts tell where to look closer: a pass takes as long for one as for thousands. */
class Needles {
  readonly #starts = new Uint8Array(1 << 18);
  /** By how many bytes they have, each byte a character. */
  readonly #byLength = new Map<number, Map<string, string>>();
  readonly #wanted: Set<string>;

  constructor(texts: readonly string[]) {
    this.#wanted = new Set(texts);
    for (const text of this.#wanted) {
      const bytes = Buffer.from(text);
      this.#starts[slotOf(bytes.readInt32BE(0), bytes.readInt32BE(4))] = 1;
      const same = this.#byLength.get(bytes.length) ?? new Map<string, string>();
      this.#byLength.set(bytes.length, same.set(bytes.toString('latin1'), text));
    }
  }

  has(text: string): boolean {
    return this.#wanted.has(text);
  }

  /** Looks for it no more. */
  drop(text: string): void {
    this.#wanted.delete(text);
  }

  in(bytes: Buffer): readonly Found[] {
    const found: Found[] = [];
    const starts = this.#starts;
    let [before, last] = [0, 0];
    for (let at = 0; at < bytes.length; at += 1) {
      before = (before << 8) | (last >>> 24);
      last = (last << 8) | (bytes[at] as number);
      const from = at - START + 1;
      if (starts[slotOf(before, last)] === 0 || from < 0) continue;
      for (const [length, texts] of this.#byLength) {
        const text = texts.get(bytes.toString('latin1', from, from + length));
        if (text !== undefined && this.#wanted.has(text)) found.push({ text, at: from });
      }
    }
    return found;
  }
}

interface Found {
  readonly text: string;
  readonly at: number;
}

/** Bytes of the beginning of a text. */
const START = 8;

function slotOf(before: number, last: number): number {
  return (Math.imul(before, 0x9e3779b1) ^ Math.imul(last, 0x85ebca6b)) >>> 14;
}
