/** A file that was sent to be imported: it travels once, and is kept for an hour. */

import type { ErrorCode } from '../../../core/errors.ts';
import {
  bytes,
  count,
  flag,
  identifier,
  json,
  jsonTexts,
  time,
} from '../../../core/objects/kinds.ts';
import {
  field,
  nullable,
  type ObjectOf,
  ownObject,
  ownTable,
} from '../../../core/objects/own-object.ts';
import { text } from '../../../core/schema/fields/index.ts';

/** How long it is kept. */
export const UPLOAD_MS = 3_600_000;

const hidden = { to: [] };

/** A look at a file by its bytes, whatever its name. */
export interface UploadLook {
  /** As `TextDecoder` names it. */
  readonly encoding: string;
  /** Whether it is an archive, as workbooks are, and not text. */
  readonly isPacked: boolean;
  /** Whether its lines end with a carriage return alone, as on old Macs. */
  readonly endsInReturns?: boolean | undefined;
  /** Where it is no table, the code of its refusal. */
  readonly other?: ErrorCode | undefined;
  /** Texts that are no UTF-8, where the encoding was guessed: as they read decides whether it is right. */
  readonly doubts?: readonly string[] | undefined;
}

/** Findings of a check in all of its rows, for the import of the same file in the same way. */
export interface UploadFacts {
  readonly key: string;
  readonly facts: object;
}

export const upload = ownObject({
  name: 'upload',
  says: 'A file that was sent to be imported, and is kept for an hour.',
  path: '/v1/uploads',
  removable: true,
  table: 'upload',
  indexes: { owner: 'owner, unique_identifier', expires: 'expires_at' },
  holds: 'Files that were sent to be imported',
  goes: 'After an hour, when its sender deletes it, or when someone of the account is erased',
  content: 'facts look',
  identifiers: 'owner accounts sha256',
  fields: {
    unique_identifier: field(identifier('upl_'), 'Identifies the upload'),
    name: field(text(), 'The name of the file; its ending says what it is', {
      example: 'Services 2027.csv',
      personal: true,
    }),
    bytes: field(count(), 'How large it is', { example: 48_213 }),
    sha256: field(text(), 'SHA-256 of its bytes, in hexadecimal digits', {
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    owner: field(text(), 'The key or the person who sent it', hidden),
    accounts: field(jsonTexts(), 'The accounts of who sent it', hidden),
    look: field(json<UploadLook>(), 'What was seen of its bytes', hidden),
    ready: field(flag(), 'Whether all of it is there', hidden),
    facts: nullable(json<UploadFacts>(), 'What a check has found in it', hidden),
    inserted_at: field(time(), 'When it arrived, in UTC', { example: '2026-11-20T14:30:00Z' }),
    expires_at: field(time(), 'When it goes, in UTC', { example: '2026-11-20T15:30:00Z' }),
  },
});

export type Upload = ObjectOf<typeof upload.fields>;

export const uploadPart = ownTable({
  table: 'upload_part',
  key: ['upload', 'number'],
  holds: 'The bytes of files that were sent to be imported',
  goes: 'With its file: after an hour at the latest',
  content: 'bytes',
  fields: {
    upload: field(identifier('upl_'), 'The file'),
    number: field(count(), 'Its place in the file'),
    bytes: field(bytes(), 'Some of its bytes'),
  },
});
