/** An import of files: its files, its progress, and the outcomes of its rows. */

import { count, identifier, json, jsonTexts, time } from '../../../core/objects/kinds.ts';
import {
  arrayOf,
  derived,
  field,
  local,
  nullable,
  type ObjectOf,
  ownObject,
  secretOrNull,
} from '../../../core/objects/own-object.ts';
import { choice, text } from '../../../core/schema/fields/index.ts';
import type { Cursor } from '../../../core/schema/id.ts';

const COUNTS = ['created', 'updated', 'unchanged', 'failed'] as const;
const SAYS = {
  ...{ created: 'created', updated: 'updated', unchanged: 'left as they were', failed: 'refused' },
} as const;
export interface ImportCounts extends Readonly<Record<(typeof COUNTS)[number], number>> {
  /** Rows that were left out because their records were erased. */
  readonly erased?: number;
}

/** The position at which an import continues: nothing before it is done again. */
export interface ImportPosition {
  /** The index of the file, in the order in which files are read. */
  readonly file: number;
  /** Rows of the file that are done. */
  readonly rows: number;
  /** Bytes of each file of rejected rows up to here. */
  readonly rejected: readonly number[];
}

const hidden = { to: [] };
const name = field(text(), 'Its name');
const resource = field(text(), 'The resource of its rows, by its path name');
const rejected = field(text(), 'The file of its rejected rows');
const files = arrayOf('A file.', { name, resource, rejected });
const uploads = arrayOf('A file.', { name, resource });

export const importRun = ownObject({
  name: 'import',
  says: 'An import of files.',
  table: 'import_run',
  indexes: {
    fingerprint: 'fingerprint, unique_identifier',
    undoing: "unique_identifier WHERE status = 'undoing'",
    headings: 'headings, unique_identifier WHERE remembered IS NOT NULL',
  },
  path: '/v1/imports',
  ofSeveral: 'rejected remembered',
  backup: 'imports',
  holds: 'Imports from files',
  goes: 'Rejected rows after seven days, or when the account is wiped; what was chosen for a file when the account is wiped, or when it mentions someone who is erased; the names of files when the account is removed',
  content: 'files rejected remembered',
  identifiers: 'fingerprint accounts began position begun_by',
  nothing: 'counts headings',
  fields: {
    unique_identifier: field(identifier('imp_'), 'Identifier of the import'),
    /** The fingerprint by which the same files go on with the same import. */
    fingerprint: field(text(), 'SHA-256 of what is imported, and how', hidden),
    status: field(
      choice('running', 'finished', 'undoing', 'undone'),
      '`running`, `finished`, `undoing` while it is undone, or `undone`',
      { example: 'finished' },
    ),
    files: field(files, 'The files, each with its rejected rows', { to: ['cli'] }),
    uploads: derived(uploads, 'The files, without their folders', uploadsOf, {
      as: 'files',
      to: ['api', 'console'],
      example: [{ name: 'Services 2027.csv', resource: 'events' }],
    }),
    accounts: field(jsonTexts(), 'The accounts it writes to', {
      example: ['acct_036Vq1rXbU9kTqPpLw3aZc'],
    }),
    /** `null`: there was none. */
    began: field(
      json<Readonly<Record<string, Cursor | null>>>(),
      'The last change of each account before the first row',
      hidden,
    ),
    /** Until its end: what was done of each commit is found again by its first row. */
    chunk: field(count(), 'Rows of one commit', hidden),
    position: field(json<ImportPosition>(), 'Where it continues', hidden),
    counts: field(
      json<ImportCounts>(countsSchema()),
      'The numbers of rows that were `created`, `updated`, `unchanged` and refused (`failed`)',
      { example: { created: 2, updated: 0, unchanged: 0, failed: 1 } },
    ),
    rejected: local(text(), 'Rows that can still be corrected, as CSV', { orNull: true }),
    headings: secretOrNull(text(), 'SHA-256 of the names of its columns, in no order'),
    remembered: secretOrNull(
      text(),
      'The choices for it, as JSON, for files with the same columns',
    ),
    /** A service began it for them; `null`: a command over the store. */
    by: nullable(text(), 'The key or the person who began it', { ...hidden, column: 'begun_by' }),
    inserted_at: field(time(), 'When it began', { example: '2026-11-20T14:30:00Z' }),
    updated_at: field(time(), 'When it last continued, or was undone', {
      example: '2026-11-20T14:31:00Z',
    }),
  },
});

export type ImportRun = ObjectOf<typeof importRun.fields>;

interface Imported {
  readonly files: readonly { readonly name: string; readonly resource: string }[];
}

/** Without the folder that a file was in while it was read. */
function uploadsOf({ files }: Imported) {
  return files.map(({ name, resource }) => ({ name: name.split('/').at(-1) ?? name, resource }));
}

export function countsSchema() {
  const properties = Object.fromEntries(
    COUNTS.map((one) => [
      one,
      { type: 'integer', description: `How many rows were ${SAYS[one]}.`, examples: [1] },
    ]),
  );
  return { type: 'object', properties, required: COUNTS };
}
