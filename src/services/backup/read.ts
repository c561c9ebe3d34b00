/** Reads a backup part by part. */
import type { Readable } from 'node:stream';
import { type Batches, Batching } from '../../store/promises/snapshot.ts';
import { END, FORMAT, type Header, PART, type PartLine, type Trailer } from './format.ts';
import { readLines } from './lines.ts';
import type { Part } from './parts.ts';
import { BackupUnusable, damaged, notBackup } from './verify/damaged.ts';
import { Digests } from './verify/digest.ts';

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

/** Throws `BackupUnusable` unless all of it is as it was written. Do not rely on any row before the end. */
export async function readBackup({
  bytes,
  parts,
  take = pass,
  onRows,
}: BackupSource): Promise<Backup> {
  const lines = readLines(bytes);
  const digests = new Digests();
  let at = await lines.next();
  let count = 0;
  const header = readHeader(at.value ?? '');
  const named = new Map(parts.map((part) => [part.name, part]));
  at = await lines.next();

  async function* rowsOf(part: Part): Batches<object> {
    const columns = part.columns && new Set(part.columns.map(({ name }) => name));
    const batching = new Batching<object>();
    for (at = await lines.next(); !at.done && !isMark(at.value); at = await lines.next()) {
      const row = parse<object>(at.value);
      const strange = columns && Object.keys(row).find((name) => !columns.has(name));
      if (strange !== undefined) throw unknownIn(`${part.name}.${strange}`, header);
      digests.add(part.counted?.(row) ?? part.name, at.value);
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
  return { header, trailer };
}

async function pass(_: Part, rows: Batches<object>): Promise<void> {
  for await (const batch of rows) void batch;
}

function readHeader(line: string): Header {
  const header = line.startsWith('{"ledgerstone":') ? parse<Header>(line) : undefined;
  if (header?.ledgerstone !== 'backup') throw notBackup();
  if (header.format <= FORMAT) return header;
  throw new BackupUnusable(
    `The backup was written by a newer Ledgerstone (${header.version}): use that version to restore it.`,
  );
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
