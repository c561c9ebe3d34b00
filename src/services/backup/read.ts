/** Reads a backup part by part. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { type AccountImage, type Batches, Batching } from '../../store/promises/snapshot.ts';
import {
  assertKnown,
  BackupUnusable,
  damaged,
  END,
  type Header,
  LONGEST_LINE,
  notBackup,
  PART,
  type PartLine,
  type Trailer,
  unsealed,
} from './format.ts';
import type { Part } from './parts.ts';
import { createDigests, rowLine } from './verify/digest.ts';

export interface Backup {
  readonly header: Header;
  readonly trailer: Trailer;
}

export interface BackupSource {
  readonly bytes: Readable;
  readonly parts: readonly Part[];
  /** Called with each part, in order; must read all of its rows. Left out: they are checked alone. */
  readonly take?: (part: Part, rows: Batches<object>) => Promise<void>;
  /** Called after each batch with the number of rows so far. */
  readonly onRows?: (rows: number) => void;
}

/**
 * Throws `BackupUnusable` unless all of it is as it was written. Do not rely on any row before the end. Rows of an
 * earlier release, and their digests in the trailer, are as this one writes them.
 */
export async function readBackup({ bytes, parts, take = pass, onRows }: BackupSource) {
  const lines = readLines(bytes);
  const digests = createDigests();
  const renewed = createDigests();
  let at = await lines.next();
  let count = 0;
  const header = readHeader(at.value ?? '');
  const named = new Map(parts.map((part) => [part.name, part]));
  at = await lines.next();

  async function* rowsOf(part: Part): Batches<object> {
    const columns = part.columns && new Set(part.columns.map(({ name }) => name));
    const batching = new Batching<object>();
    for (at = await lines.next(); !at.done && !isMark(at.value); at = await lines.next()) {
      const written = parse<object>(at.value);
      const row = part.asNow?.(written) ?? written;
      const strange = columns && Object.keys(row).find((name) => !columns.has(name));
      if (strange !== undefined) throw unknownIn(`${part.name}.${strange}`, header);
      const counted = part.counted?.(row) ?? part.name;
      digests.add(counted, at.value);
      if (part.asNow !== undefined) renewed.add(counted, rowLine(row));
      const full = batching.add(row, at.value.length);
      if (full === undefined) continue;
      count += full.length;
      yield full;
      onRows?.(count);
    }
    const rest = batching.take();
    count += rest.length;
    if (rest.length > 0) yield rest;
    onRows?.(count);
  }

  while (!at.done && at.value.startsWith(PART)) {
    const { part: name } = parse<PartLine>(at.value);
    const part = named.get(name);
    if (part === undefined) throw unknownIn(name, header);
    named.delete(name);
    digests.begin(name);
    await take(part, rowsOf(part));
  }
  if (at.done || !at.value.startsWith(END)) throw damaged('its parts are not in order');
  const trailer = parse<Trailer>(at.value);
  at = await lines.next();
  if (!at.done || !isSame(trailer, digests))
    throw damaged('its rows are not those that were counted');
  return {
    header,
    trailer: { ...trailer, digests: { ...trailer.digests, ...renewed.digests } },
  };
}

async function pass(_: Part, rows: Batches<object>): Promise<void> {
  for await (const batch of rows) void batch;
}

function readHeader(line: string): Header {
  const header = line.startsWith('{"ledgerstone":') ? parse<Header>(line) : undefined;
  if (header?.ledgerstone !== 'backup') throw notBackup();
  assertKnown(header);
  return header;
}

/** The first lines of a backup. */
export interface Head {
  readonly header: Header;
  /** Unique identifiers and names of the accounts that it holds, where it begins with them. */
  readonly accounts: ReadonlyMap<string, string>;
}

/** Reads the first lines of a backup of any release. Throws `BackupUnusable` where it does not begin as one. */
export async function readHead(bytes: Readable, root: string): Promise<Head> {
  const lines = split(unpacked(bytes));
  const accounts = new Map<string, string>();
  try {
    const { value: first = '' } = await lines.next();
    const header = first.startsWith('{"ledgerstone":') ? parse<Header>(first) : undefined;
    if (header?.ledgerstone !== 'backup') throw notBackup();
    const { value: part = '' } = await lines.next();
    if (!part.startsWith(PART) || parse<PartLine>(part).part !== root) return { header, accounts };
    for await (const line of lines) {
      if (isMark(line)) break;
      const { unique_identifier, document = '{}' } = parse<Partial<AccountImage>>(line);
      if (unique_identifier !== undefined)
        accounts.set(unique_identifier, String(parse<{ name?: string }>(document).name ?? ''));
    }
    return { header, accounts };
  } finally {
    await lines.return();
    bytes.destroy();
  }
}

function unknownIn(name: string, { version }: Header): BackupUnusable {
  return new BackupUnusable(
    `The backup holds ${name}, which this Ledgerstone does not know: use version ${version}, which wrote it.`,
  );
}

function isMark(line: string): boolean {
  return line.startsWith(PART) || line.startsWith(END);
}

/** Whether the counts agree with the trailer. */
export function isSame(
  trailer: Pick<Trailer, 'rows' | 'digests'>,
  { rows, digests }: Pick<Trailer, 'rows' | 'digests'>,
): boolean {
  return (
    Object.entries(rows).every(([name, count]) => trailer.rows[name] === count) &&
    Object.entries(digests).every(([name, digest]) => trailer.digests[name] === digest) &&
    Object.keys(trailer.digests).length === Object.keys(digests).length
  );
}

function parse<Value>(line: string): Value {
  try {
    return JSON.parse(line) as Value;
  } catch {
    throw damaged('a line of it is no JSON');
  }
}

/**
 * Every line up to the trailer, which is the last. Throws `BackupUnusable` if the bytes are not those that were
 * written, at the latest after the trailer: do not rely on any line before the end.
 */
async function* readLines(bytes: Readable): AsyncGenerator<string, void> {
  const sha256 = createHash('sha256');
  let last: string | undefined;
  for await (const line of split(unpacked(bytes))) {
    if (last !== undefined) throw damaged('there is something after its end');
    if (line.startsWith(END)) {
      last = line;
      if (parse<Trailer>(line).sha256 !== sha256.digest('hex'))
        throw damaged('its contents do not match their hash');
    } else {
      sha256.update(`${line}\n`);
    }
    yield line;
  }
  if (last === undefined) throw damaged('its end is missing');
}

async function* unpacked(bytes: Readable): AsyncGenerator<Buffer, void> {
  const zstd = createZstdDecompress();
  const packed = Readable.from(unsealed(begun(bytes)), { objectMode: false });
  packed.once('error', (error) => zstd.destroy(error));
  packed.pipe(zstd);
  try {
    for await (const chunk of zstd) yield chunk as Buffer;
  } catch (error) {
    throw isCodec(error) ? damaged('it cannot be unpacked') : error;
  } finally {
    packed.destroy();
    zstd.destroy();
    bytes.destroy();
  }
}

/** The magic number of zstd. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

async function* begun(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (first === undefined) {
      yield chunk;
      continue;
    }
    first = Buffer.concat([first, chunk]);
    if (first.length < MAGIC.length) continue;
    if (!first.subarray(0, MAGIC.length).equals(MAGIC)) throw notBackup();
    yield first;
    first = undefined;
  }
  if (first !== undefined) throw notBackup();
}

/** An error of zstd, not of the disk. */
function isCodec(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('ZSTD_') || code.startsWith('Z_');
}

async function* split(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    rest += decode(decoder, chunk);
    let from = 0;
    for (let to = rest.indexOf('\n'); to >= 0; to = rest.indexOf('\n', from)) {
      yield rest.slice(from, to);
      from = to + 1;
    }
    rest = rest.slice(from);
    if (rest.length > LONGEST_LINE) throw damaged('a line of it is too long');
  }
  if (rest !== '') throw damaged('its last line is cut off');
}

function decode(decoder: TextDecoder, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw damaged('it has bytes that are not text');
  }
}
