/** The changes of increments on top of a whole backup, in a temporary file of the restore: they may exceed memory. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '../../../core/temporary.ts';
import { weightOf } from '../../../store/images.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import {
  type Batches,
  Batching,
  type FixedRow,
  type ReceiptImage,
} from '../../../store/promises/snapshot.ts';
import { BackupUnusable, type Made } from '../format.ts';
import type { Part } from '../parts.ts';
import { type Backup, type BackupSource, readBackup } from '../read.ts';
import { type Chain, type FollowedFile, insteadOf } from './chain.ts';

export type Overlay = Awaited<ReturnType<typeof readOverlay>>;

/** Reads the increments of a folder. Throws a `BackupUnusable` that names a damaged one. Must be closed. */
export async function readOverlay(
  folder: string,
  { base, increments }: Chain,
  parts: readonly Part[],
) {
  const temporary = temporaryFolder('restore');
  const database = new DatabaseSync(join(temporary.path, 'rows'));
  database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
    CREATE TABLE overlay (part TEXT, key TEXT, number INTEGER, line TEXT, PRIMARY KEY (part, key)) WITHOUT ROWID;
    CREATE TABLE removed (record TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
    BEGIN`);
  const findRow = database.prepare('SELECT 1 FROM overlay WHERE part = ? AND key = ?');
  const findRemoved = database.prepare('SELECT number FROM removed WHERE record = ?');
  const put = database.prepare('INSERT OR REPLACE INTO overlay VALUES (?, ?, ?, ?)');
  const remove = database.prepare('INSERT OR REPLACE INTO removed VALUES (?, ?)');
  const bringBack = database.prepare('DELETE FROM removed WHERE record = ?');
  const clear = database.prepare('DELETE FROM overlay WHERE part = ?');
  const replaced = new Set<string>();
  const endpoints = new Set<unknown>();
  let taken_at = base.moment;
  let follows: string | undefined;
  let last: string | undefined;
  let of: Made | undefined;

  async function* each(part: Part, rows: Batches<object>): AsyncGenerator<object, void> {
    if (part.kind === 'records') yield* merged(part, rows);
    else {
      for await (const batch of rows) {
        if (replaced.has(part.name)) continue;
        for (const row of batch) {
          if (part.kind !== 'changes' && findRow.get(part.name, keyOf(part, row))) continue;
          const restored = asRestored(part, row, 0);
          if (restored !== undefined) yield restored;
        }
      }
      for (const { line, number } of changesOf(part.name)) {
        const restored = asRestored(part, JSON.parse(line), number);
        if (restored !== undefined) yield restored;
      }
    }
  }

  /** Both are by unique identifier. */
  async function* merged(part: Part, rows: Batches<object>): AsyncGenerator<object, void> {
    const others = changesOf(part.name)[Symbol.iterator]();
    let other = others.next();
    function* take(): Generator<object, void> {
      const row = JSON.parse(other.value?.line ?? '');
      other = others.next();
      if (!('removed' in row)) yield row;
    }
    for await (const batch of rows) {
      for (const row of batch) {
        const key = keyOf(part, row);
        while (!other.done && other.value.key < key) yield* take();
        if (other.done || other.value.key !== key) yield row;
        else yield* take();
      }
    }
    while (!other.done) yield* take();
  }

  /** A row as it must be restored; `undefined` if it was removed. */
  function asRestored(part: Part, row: object, number: number): object | undefined {
    if (part.name === 'webhook_endpoints')
      endpoints.add((row as { unique_identifier: string }).unique_identifier);
    if (part.name === 'webhook_deliveries')
      return endpoints.has((row as { endpoint: string }).endpoint) ? row : undefined;
    if (part.kind !== 'receipts') return row;
    const receipt = row as ReceiptImage;
    if (receipt.expires_at <= taken_at) return undefined;
    if (receipt.record === null || removedAt(receipt.record) <= number) return row;
    // Drops everything of a removed record.
    return { ...receipt, record: null };
  }

  async function add({ name, number }: FollowedFile, before: FollowedFile) {
    const take: BackupSource['take'] = async (part, rows) => {
      if (part.kind === 'whole') {
        clear.run(part.name);
        replaced.add(part.name);
      }
      for await (const batch of rows) {
        for (const row of batch) {
          put.run(part.name, keyOf(part, row), number, JSON.stringify(row));
          const { outcome, record } = row as LoggedChange;
          if (part.kind !== 'changes') continue;
          if (outcome === 'deleted') remove.run(record, number);
          else if (outcome === 'restored') bringBack.run(record);
        }
      }
    };
    try {
      const bytes = createReadStream(join(folder, name));
      const { header, trailer } = await readBackup({ bytes, parts, take });
      const { increment } = header;
      if (increment?.number !== number || (last !== undefined && increment.follows !== last))
        throw new BackupUnusable('The increment does not follow the one before it.');
      follows ??= increment.follows;
      last = trailer.sha256;
      taken_at = Date.parse(header.taken_at);
      of = header.of;
    } catch (error) {
      if (!(error instanceof BackupUnusable)) throw error;
      const advice = insteadOf(before);
      throw new BackupUnusable(`Increment ${name} cannot be used: ${error.message} ${advice}`);
    }
  }

  function changesOf(part: string) {
    const sql = 'SELECT key, number, line FROM overlay WHERE part = ? ORDER BY key';
    return database.prepare(sql).iterate(part) as unknown as Iterable<{
      readonly key: string;
      readonly number: number;
      readonly line: string;
    }>;
  }

  /** The number of the increment that records the removal; 0 if none does. */
  function removedAt(record: string): number {
    return Number(findRemoved.get(record)?.number ?? 0);
  }

  function close(): void {
    if (database.isOpen) database.close();
    temporary.remove();
  }

  try {
    let before = base;
    for (const file of increments) {
      await add(file, before);
      before = file;
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    taken_at,
    of,
    /** Throws `BackupUnusable` unless the increments were written after that backup. */
    assertBase({ header, trailer }: Backup): void {
      if ([undefined, trailer.sha256, header.beside].includes(follows)) return;
      throw new BackupUnusable(`The increments in the folder do not follow its ${base.name}.`);
    },
    /** The rows of a part of the whole backup, with the changes of the increments. */
    async *fold(part: Part, rows: Batches<object>): Batches<object> {
      const batching = new Batching<object>();
      for await (const row of each(part, rows)) {
        const full = batching.add(row, weightOf(Object.values(row)));
        if (full !== undefined) yield full;
      }
      const rest = batching.take();
      if (rest.length > 0) yield rest;
    },
    close,
  };
}

/** The keys of the rows of a part, in the order in which they are loaded. */
function keyOf({ kind, table }: Part, row: object): string {
  if (kind === 'changes') {
    const { account, position, place } = row as LoggedChange;
    return `${account} ${String(position).padStart(16, '0')} ${String(place).padStart(16, '0')}`;
  }
  if (kind === 'receipts') {
    const { owner, idempotency_key, account } = row as ReceiptImage;
    return JSON.stringify([owner, idempotency_key, account]);
  }
  if (table !== undefined) return JSON.stringify(table.key.map((name) => (row as FixedRow)[name]));
  return (row as { unique_identifier: string }).unique_identifier;
}
