/** The changes of increments on top of a whole backup, in a temporary file of the restore: they may exceed memory. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { temporaryFolder } from '../../../core/temporary.ts';
import { weightOf } from '../../../store/images.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import {
  type Batches,
  Batching,
  type FixedRow,
  type ReceiptImage,
} from '../../../store/promises/snapshot.ts';
import type { Part } from '../parts.ts';
import { type Backup, type BackupSource, readBackup } from '../read.ts';
import { BackupUnusable } from '../verify/damaged.ts';
import { type Chain, type FollowedFile, insteadOf } from './chain.ts';

export class Overlay {
  readonly #folder = temporaryFolder('restore');
  readonly #database = new DatabaseSync(join(this.#folder.path, 'rows'));
  readonly #replaced = new Set<string>();
  readonly #endpoints = new Set<unknown>();
  readonly #findRow: StatementSync;
  readonly #findRemoved: StatementSync;
  #taken_at = 0;
  #base = '';
  #follows: string | undefined;
  #last: string | undefined;

  private constructor() {
    this.#database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE overlay (part TEXT, key TEXT, number INTEGER, line TEXT, PRIMARY KEY (part, key)) WITHOUT ROWID;
      CREATE TABLE removed (record TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
      BEGIN`);
    this.#findRow = this.#database.prepare('SELECT 1 FROM overlay WHERE part = ? AND key = ?');
    this.#findRemoved = this.#database.prepare('SELECT number FROM removed WHERE record = ?');
  }

  /** Reads the increments of a folder. Throws a `BackupUnusable` that names a damaged one. Must be closed. */
  static async read(folder: string, chain: Chain, parts: readonly Part[]): Promise<Overlay> {
    const overlay = new Overlay();
    try {
      overlay.#base = chain.base.name;
      overlay.#taken_at = chain.base.moment;
      let before = chain.base;
      for (const file of chain.increments) {
        await overlay.#add(folder, file, before, parts);
        before = file;
      }
      return overlay;
    } catch (error) {
      overlay.close();
      throw error;
    }
  }

  /** The moment that it all shows. */
  get taken_at(): number {
    return this.#taken_at;
  }

  /** Throws `BackupUnusable` unless the increments were written after that backup. */
  wantBase({ header, trailer }: Backup): void {
    if ([undefined, trailer.sha256, header.beside].includes(this.#follows)) return;
    throw new BackupUnusable(`The increments in the folder do not follow its ${this.#base}.`);
  }

  /** The rows of a part of the whole backup, with the changes of the increments. */
  async *fold(part: Part, rows: Batches<object>): Batches<object> {
    const batching = new Batching<object>();
    for await (const row of this.#each(part, rows)) {
      const full = batching.add(row, weightOf(Object.values(row)));
      if (full !== undefined) yield full;
    }
    const rest = batching.take();
    if (rest.length > 0) yield rest;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
    this.#folder.remove();
  }

  async *#each(part: Part, rows: Batches<object>): AsyncGenerator<object, void> {
    if (part.kind === 'records') yield* this.#merged(part, rows);
    else {
      for await (const batch of rows) {
        if (this.#replaced.has(part.name)) continue;
        for (const row of batch) {
          if (part.kind !== 'changes' && this.#has(part.name, keyOf(part, row))) continue;
          const restored = this.#restored(part, row, 0);
          if (restored !== undefined) yield restored;
        }
      }
      for (const { line, number } of this.#rows(part.name)) {
        const restored = this.#restored(part, JSON.parse(line), number);
        if (restored !== undefined) yield restored;
      }
    }
  }

  /** Both are by unique identifier. */
  async *#merged(part: Part, rows: Batches<object>): AsyncGenerator<object, void> {
    const others = this.#rows(part.name)[Symbol.iterator]();
    let other = others.next();
    const take = (): object | undefined => {
      const row = JSON.parse(other.value?.line ?? '');
      other = others.next();
      return 'removed' in row ? undefined : row;
    };
    for await (const batch of rows) {
      for (const row of batch) {
        const key = keyOf(part, row);
        while (!other.done && other.value.key < key) {
          const taken = take();
          if (taken !== undefined) yield taken;
        }
        const taken = other.done || other.value.key !== key ? row : take();
        if (taken !== undefined) yield taken;
      }
    }
    while (!other.done) {
      const taken = take();
      if (taken !== undefined) yield taken;
    }
  }

  /** A row as it must be restored; `undefined` if it was removed. */
  #restored(part: Part, row: object, number: number): object | undefined {
    if (part.name === 'webhook_endpoints') {
      this.#endpoints.add((row as { unique_identifier: string }).unique_identifier);
    }
    if (part.name === 'webhook_deliveries') {
      return this.#endpoints.has((row as { endpoint: string }).endpoint) ? row : undefined;
    }
    if (part.kind !== 'receipts') return row;
    const receipt = row as ReceiptImage;
    if (receipt.expires_at <= this.#taken_at) return undefined;
    if (receipt.record === null || this.#removedAt(receipt.record) <= number) return row;
    // Drops everything of a removed record.
    return { ...receipt, record: null, document: null, updated_at: null };
  }

  async #add(
    folder: string,
    file: FollowedFile,
    before: FollowedFile,
    parts: readonly Part[],
  ): Promise<void> {
    const { number } = file;
    const put = this.#database.prepare('INSERT OR REPLACE INTO overlay VALUES (?, ?, ?, ?)');
    const remove = this.#database.prepare('INSERT OR REPLACE INTO removed VALUES (?, ?)');
    const clear = this.#database.prepare('DELETE FROM overlay WHERE part = ?');
    this.#taken_at = await this.#read(folder, file, before, {
      parts,
      take: async (part, rows) => {
        if (part.kind === 'whole') {
          clear.run(part.name);
          this.#replaced.add(part.name);
        }
        for await (const batch of rows) {
          for (const row of batch) {
            put.run(part.name, keyOf(part, row), number, JSON.stringify(row));
            const { outcome, record } = row as LoggedChange;
            if (part.kind === 'changes' && outcome === 'deleted') remove.run(record, number);
          }
        }
      },
    });
  }

  /** Returns the moment that the increment shows. */
  async #read(
    folder: string,
    { name, number }: FollowedFile,
    before: FollowedFile,
    reading: Omit<BackupSource, 'bytes'>,
  ): Promise<number> {
    try {
      const bytes = createReadStream(join(folder, name));
      const { header, trailer } = await readBackup({ bytes, ...reading });
      const { increment } = header;
      if (
        increment?.number !== number ||
        (this.#last !== undefined && increment.follows !== this.#last)
      ) {
        throw new BackupUnusable('The increment does not follow the one before it.');
      }
      this.#follows ??= increment.follows;
      this.#last = trailer.sha256;
      return Date.parse(header.taken_at);
    } catch (error) {
      if (!(error instanceof BackupUnusable)) throw error;
      throw new BackupUnusable(
        `Increment ${name} cannot be used: ${error.message} ${insteadOf(before)}`,
      );
    }
  }

  #rows(part: string) {
    const sql = 'SELECT key, number, line FROM overlay WHERE part = ? ORDER BY key';
    return this.#database.prepare(sql).iterate(part) as unknown as Iterable<{
      readonly key: string;
      readonly number: number;
      readonly line: string;
    }>;
  }

  #has(part: string, key: string): boolean {
    return this.#findRow.get(part, key) !== undefined;
  }

  /** The number of the increment that records the removal; 0 if none does. */
  #removedAt(record: string): number {
    return Number(this.#findRemoved.get(record)?.number ?? 0);
  }
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
