/** An import of files: its files, its progress, and the outcomes of its rows. */

import { choice, text } from '../../schema/fields/index.ts';
import type { Mark } from '../../schema/id.ts';
import { count, identifier, json, jsonTexts, time } from '../kinds.ts';
import { arrayOf, derived, field, local, type ObjectOf, ownObject, STAFF } from '../own-object.ts';

const COUNTS = ['created', 'updated', 'unchanged', 'failed'] as const;
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
  },
  backup: 'imports',
  holds: 'Imports from files',
  goes: 'Rejected rows after seven days, or when the account is wiped; the names of files when the account is removed',
  content: 'files rejected',
  identifiers: 'fingerprint accounts began position',
  nothing: 'counts',
  to: STAFF,
  fields: {
    unique_identifier: field(identifier('imp_'), 'Identifier of the import'),
    /** The fingerprint by which the same files go on with the same import. */
    fingerprint: field(text(), 'SHA-256 of what is imported, and how', hidden),
    status: field(
      choice('running', 'finished', 'undoing', 'undone'),
      '`running`, `finished`, `undoing` while it is undone, or `undone`',
    ),
    files: field(files, 'The files, each with its rejected rows', { to: ['cli'] }),
    uploads: derived(uploads, 'The files, without their folders', uploadsOf, {
      as: 'files',
      to: ['console'],
    }),
    accounts: field(jsonTexts(), 'The accounts it writes to'),
    /** `null`: there was none. */
    began: field(
      json<Readonly<Record<string, Mark | null>>>(),
      'The last change of each account before the first row',
      hidden,
    ),
    /** Until its end: what was done of each commit is found again by its first row. */
    chunk: field(count(), 'Rows of one commit', hidden),
    position: field(json<ImportPosition>(), 'Where it continues', hidden),
    counts: field(
      json<ImportCounts>(countsSchema()),
      'The numbers of rows that were `created`, `updated`, `unchanged` and refused (`failed`)',
    ),
    rejected: local(text(), 'Rows that can still be corrected, as CSV', { orNull: true }),
    inserted_at: field(time(), 'When it began'),
    updated_at: field(time(), 'When it last continued, or was undone'),
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

function countsSchema() {
  const properties = Object.fromEntries(COUNTS.map((one) => [one, { type: 'integer' }]));
  return { type: 'object', properties, required: COUNTS };
}
