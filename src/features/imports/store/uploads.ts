/** The book of uploads: files that wait to be imported, in parts, so that all processes over a store have them. */
import type { ColumnKind } from '../../../core/objects/kinds.ts';
import { ownColumns } from '../../../core/objects/own-object.ts';
import { Book } from '../../../store/books/book.ts';
import type { Dialect } from '../../../store/books/dialects.ts';
import { inserted, newRow, rowReader, selected } from '../../../store/books/rows/own-rows.ts';
import {
  type BookParts,
  type BookTables,
  erasing,
  statements,
} from '../../../store/books/tables.ts';
import { quoteName } from '../../../store/names.ts';
import {
  UPLOAD_MS,
  type Upload,
  type UploadFacts,
  upload,
  uploadPart,
} from '../declares/upload.ts';

/** The room of a key or a person: where there is none, their oldest ones go. */
export const OWN = { count: 10, bytes: 67_108_864 };
/** The room of all of them, in the whole store. */
export const ALL = { count: 1_000, bytes: 1_073_741_824 };
const PART_BYTES = 1_048_576;
const PURGED_AT_ONCE = 20;
const LAST = '\u{10ffff}';

const toUpload = rowReader(upload);
const COLUMNS = ownColumns(upload);
/** The place of the bytes among the values. */
const SIZE = COLUMNS.findIndex(({ name }) => name === 'bytes') + 1;
const typed = (as: Dialect['as'], kind: ColumnKind, at: number): string =>
  kind === 'flag'
    ? `CAST($${at + 1} AS boolean)`
    : as(`$${at + 1}`, kind === 'number' ? 'bigint' : 'text');
const select = `SELECT ${selected(upload)} FROM upload`;
const THERE = 'ready AND expires_at > $2';
/** The older ones of owner $1, where the newer ones and $2 bytes more take all the room. */
const BEYOND = `SELECT unique_identifier FROM (
    SELECT unique_identifier, sum(bytes) OVER newer AS taken, row_number() OVER newer AS place
    FROM upload WHERE owner = $1 WINDOW newer AS (ORDER BY unique_identifier DESC)
  ) AS own WHERE taken > ${OWN.bytes} - $2 OR place >= ${OWN.count}`;
const ofAccount = {
  sqlite: 'SELECT unique_identifier FROM upload WHERE instr(accounts, $1)',
  postgres: 'SELECT unique_identifier FROM upload WHERE strpos(accounts, $1) > 0',
};

export const uploadSql = statements({
  /** Who adds one waits for the others: together they would exceed the room. */
  lockUploads: {
    sqlite: 'SELECT 1',
    postgres: `SELECT pg_advisory_xact_lock(${0x4c646775}, 0)::text`,
  },
  dropPartsBeyond: erasing(`DELETE FROM upload_part WHERE upload IN (${BEYOND})`),
  dropBeyond: erasing(`DELETE FROM upload WHERE unique_identifier IN (${BEYOND})`),
  addUpload: ({
    as,
  }) => `INSERT INTO upload (${COLUMNS.map(({ name }) => quoteName(name)).join(', ')})
    SELECT ${COLUMNS.map(({ kind }, at) => typed(as, kind, at)).join(', ')}
    WHERE (SELECT count(*) FROM upload) < ${ALL.count}
      AND (SELECT coalesce(sum(bytes), 0) FROM upload) <= ${ALL.bytes} - ${as(`$${SIZE}`, 'bigint')}`,
  addPart: inserted(uploadPart),
  uploaded: 'UPDATE upload SET ready = true WHERE unique_identifier = $1',
  renewUpload: 'UPDATE upload SET expires_at = $2 WHERE unique_identifier = $1',
  findUpload: `${select} WHERE unique_identifier = $1 AND ${THERE}`,
  sameUpload: `${select} WHERE owner = $1 AND ${THERE} AND sha256 = $3 AND name = $4
    ORDER BY unique_identifier DESC LIMIT 1`,
  uploadsOf: ({ limit, as }) => `${select} WHERE owner = $1 AND ${THERE}
    AND unique_identifier < ${as('$3', 'text')} ORDER BY unique_identifier DESC LIMIT ${limit('$4')}`,
  part: 'SELECT bytes FROM upload_part WHERE upload = $1 AND number = $2',
  noteFacts: 'UPDATE upload SET facts = $2 WHERE unique_identifier = $1',
  dropParts: erasing(({ among }) => `DELETE FROM upload_part WHERE ${among('upload', '$1')}`),
  drop: erasing(({ among }) => `DELETE FROM upload WHERE ${among('unique_identifier', '$1')}`),
  expired: ({ limit }) =>
    `SELECT unique_identifier FROM upload WHERE expires_at <= $1 LIMIT ${limit('$2')}`,
  ofAccount,
});

export const uploadBook = (tables: BookTables, parts: BookParts) => new UploadBook(tables, parts);

type NewUpload = Pick<Upload, 'name' | 'sha256' | 'owner' | 'accounts' | 'look'>;

export class UploadBook extends Book {
  /**
   * Stores a file for an hour; one that its owner has sent before is the same again. `undefined`: the store has no room
   * for more of them. Where only its owner has too many, their oldest ones go.
   */
  async add(made: NewUpload, file: Uint8Array): Promise<Upload | undefined> {
    const now = this.now();
    const expires_at = now + UPLOAD_MS;
    const { owner, sha256, name } = made;
    const same = await this.first(toUpload, uploadSql.sameUpload, owner, now, sha256, name);
    if (same !== undefined) {
      await this.did(uploadSql.renewUpload, same.unique_identifier, expires_at);
      return { ...same, expires_at };
    }
    const one = await this.reserve(made, file.length);
    if (one === undefined) return undefined;
    for (let number = 0; number * PART_BYTES < file.length; number += 1) {
      const bytes = file.subarray(number * PART_BYTES, (number + 1) * PART_BYTES);
      await this.did(
        uploadSql.addPart,
        ...newRow(uploadPart, { upload: one.unique_identifier, number, bytes }),
      );
    }
    // It may have been removed meanwhile, since its account is erased.
    await this.did(uploadSql.uploaded, one.unique_identifier);
    return { ...one, ready: true };
  }

  /** Takes room for a file, which is offered when all of it is there. `undefined`: there is none. */
  async reserve(made: NewUpload, bytes: number): Promise<Upload | undefined> {
    const now = this.now();
    const one: Upload = {
      ...made,
      ...{ unique_identifier: this.identify('upl_'), bytes, ready: false, facts: null },
      ...{ inserted_at: now, expires_at: now + UPLOAD_MS },
    };
    const { owner } = made;
    const [, , , room] = await this.tables.write([
      [uploadSql.lockUploads],
      [uploadSql.dropPartsBeyond, owner, bytes],
      [uploadSql.dropBeyond, owner, bytes],
      [uploadSql.addUpload, ...newRow(upload, one)],
    ]);
    return room === 1 ? one : undefined;
  }

  /** One of an owner's, while it is there. */
  async find(owner: string, unique_identifier: string): Promise<Upload | undefined> {
    const one = await this.first(toUpload, uploadSql.findUpload, unique_identifier, this.now());
    return one?.owner === owner ? one : undefined;
  }

  /** The newest first, before that one. */
  readonly list = (owner: string, limit: number, before = LAST) =>
    this.all(toUpload, uploadSql.uploadsOf, owner, this.now(), before, limit);

  /** Some of its bytes after another: it may go meanwhile, and then ends early. */
  async *parts({ unique_identifier }: Pick<Upload, 'unique_identifier'>) {
    for (let number = 0; ; number += 1) {
      const [bytes] = await this.column<Uint8Array>(uploadSql.part, unique_identifier, number);
      if (bytes === undefined) return;
      yield bytes;
    }
  }

  readonly noteFacts = (unique_identifier: string, facts: UploadFacts) =>
    this.did(uploadSql.noteFacts, unique_identifier, JSON.stringify(facts));

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.tables.write([
      [uploadSql.dropParts, ids],
      [uploadSql.drop, ids],
    ]);
  }

  /** The unique identifiers of those that may hold somebody of that account. */
  readonly ofAccount = (account: string) => this.column<string>(uploadSql.ofAccount, account);

  /** Removes some whose hour has passed; returns whether there may be more. */
  async purge(): Promise<boolean> {
    const found = await this.column<string>(uploadSql.expired, this.now(), PURGED_AT_ONCE);
    await this.remove(found);
    return found.length === PURGED_AT_ONCE;
  }
}
