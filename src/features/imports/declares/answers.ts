/** The answers about an upload and its import. */
import { count, flag, json, texts } from '../../../core/objects/kinds.ts';
import { arrayOf, derived, given, objectOf, ownObject } from '../../../core/objects/own-object.ts';
import { choice, text } from '../../../core/schema/fields/index.ts';
import type { JsonSchema } from '../../../core/schema/fields/kind.ts';
import type { Json } from '../../../core/schema/values.ts';
import { countsSchema } from './import-run.ts';

const TEXT: JsonSchema = { type: 'string' };
const rowsOfTexts: JsonSchema = { type: 'array', items: { type: 'array', items: TEXT } };
const mappingSchema: JsonSchema = {
  type: 'object',
  additionalProperties: { type: ['string', 'null'] },
};
const leftOut = { leftOut: true, seldom: true } as const;

const read = given(
  objectOf({
    encoding: given(text(), 'Its encoding', { ...leftOut, example: 'utf-8' }),
    delimiter: given(text(), 'What separates its cells', { ...leftOut, example: ',' }),
    sheet: given(text(), 'The sheet of a workbook', { ...leftOut, example: 'Services' }),
    header_row: given(count(1), 'The row that names the columns, if not the first', {
      ...leftOut,
      example: 3,
    }),
    dates: given(text(), 'The order of the parts of dates, where the file proves it', {
      ...leftOut,
      example: 'mdy',
    }),
  }),
  'How the file was read',
  { example: { encoding: 'utf-8', delimiter: ',' } },
);

const WHAT = [
  'encoding_guessed',
  'hidden_rows',
  'hidden_columns',
  'hidden_sheets',
  'merged_cells',
  'names_reversed',
  'years_short',
  'phones_with_words',
  'phones_short',
  'times_short',
  'dates_none',
] as const;

/** Something that a person should know of a file before its rows are written. */
export interface Notice {
  readonly what: (typeof WHAT)[number];
  readonly count: number;
  readonly examples: readonly string[];
  /** The first cells with it, where rows have it. */
  readonly places?: readonly NoticedCell[];
}

/** A cell of a row, with what stands in it, and whom the row is about. */
export interface NoticedCell {
  readonly row: number;
  readonly column: string;
  readonly text: string;
  readonly of: string;
}

const noticed = given(
  arrayOf('Something to know.', {
    what: given(
      choice(...WHAT),
      '`encoding_guessed`: it is not UTF-8, and the examples are how its names are read; `hidden_rows`, `hidden_columns`: the sheet hides them, and they are imported; `hidden_sheets`: they are not read; `merged_cells`: of each range only the first cell has a value; `names_reversed`: names with the family name first, and how `names` turns them round; `years_short`, `phones_with_words`, `phones_short`: values that are read by `short_years`, `phone_words` and `area_code`, and refused otherwise; `times_short`: times such as `3:00p`, unless `short_times` is false; `dates_none`: days such as `0001-01-01`, by which programs say that there is none: their cells count as empty',
      { example: 'hidden_rows' },
    ),
    count: given(count(1), 'How many', { example: 2 }),
    examples: given(texts(), 'The first of them', { example: ['7', '12'] }),
    places: given(
      arrayOf('A cell.', {
        row: given(count(1), 'The row', { example: 7 }),
        column: given(text(), 'The name of its column', { example: 'NOK Phone' }),
        text: given(text(), 'What stands there', { example: '507 555 0111 (cell)' }),
        of: given(text(), 'Whom the row is about', { example: 'Jane Doe' }),
      }),
      'The first 100 cells with it, where rows have it',
      {
        ...leftOut,
        example: [{ row: 7, column: 'NOK Phone', text: '507 555 0111 (cell)', of: 'Jane Doe' }],
      },
    ),
  }),
  'What to know of the file before its rows are written',
  { ...leftOut, example: [{ what: 'hidden_rows', count: 2, examples: ['7', '12'] }] },
);

export const importLook = ownObject({
  name: 'import_look',
  says: 'What an upload looks like: its columns, its first rows, and what each column may be.',
  fields: {
    question: given(
      objectOf({
        about: given(choice('sheet', 'delimiter'), 'What has to be said first', {
          example: 'sheet',
        }),
        choices: given(texts(), 'The possible answers', { example: ['Services', 'Families'] }),
      }),
      'What has to be chosen before the file can be read: the member of that name. Nothing else is known then',
      { ...leftOut, example: { about: 'sheet', choices: ['Services', 'Families'] } },
    ),
    read,
    noticed,
    like: given(
      objectOf({
        import: given(text(), 'The import', { example: 'imp_036Vq1rXbU9kTqPpLw3aZc' }),
        name: given(text(), 'The name of its file', { example: 'services 2025.csv' }),
      }),
      'The latest import of a file with the same columns: `mapping` is as it was chosen there',
      {
        ...leftOut,
        example: { import: 'imp_036Vq1rXbU9kTqPpLw3aZc', name: 'services 2025.csv' },
      },
    ),
    choices: given(
      json<Json>({ type: 'object' }),
      'What else was chosen there: `set`, `dates`, `time_zone`, `us_phones`, `names`, `empty` and `chosen`, to be sent as they are',
      { ...leftOut, example: { dates: 'mdy', us_phones: true } },
    ),
    header: given(texts(), 'The names of its columns, each once', {
      example: ['Identifier', 'Deceased'],
    }),
    header_row: given(count(), 'The row that names the columns', { example: 1 }),
    beginning: given(
      arrayOf('A row.', {
        number: given(count(1), 'Its number'),
        text: given(text(), 'What stands in it'),
      }),
      'The first rows of the file, among which the header can be',
      { example: [{ number: 1, text: 'Identifier, Deceased' }] },
    ),
    rows: given(json<readonly (readonly string[])[]>(rowsOfTexts), 'The first rows', {
      example: [['s-1', 'Robert Palmer']],
    }),
    mapping: given(
      json<Readonly<Record<string, string | null>>>(mappingSchema),
      'By the name of a column the field that it is taken for; `null` where nothing says so: send it as `map`, corrected',
      { example: { Identifier: 'external_identifier', Deceased: 'person.full_name' } },
    ),
    fields: given(
      arrayOf('A field.', {
        name: given(text(), 'Its name'),
        label: given(text(), 'What people call it'),
      }),
      'Every field that a column may be for',
      { example: [{ name: 'external_identifier', label: 'Identifier' }] },
    ),
    details: given(
      json<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: TEXT }),
      'By the name of a column the field by which it is kept as a detail with that name, such as notes; empty where records have none',
      { example: { Notes: 'additional_event_metadata.Notes' } },
    ),
    required: given(texts(), 'The fields that every row needs', {
      example: ['external_identifier'],
    }),
    parent: given(
      json<readonly (readonly string[])[]>(rowsOfTexts),
      'The fields that name the record that a row belongs to: those of one of these ways',
      { example: [['location_unique_identifier']] },
    ),
  },
});

/** A record that several rows of a file name. */
export interface RepeatedRecord {
  readonly identifier: string;
  readonly column: string;
  readonly rows: readonly { readonly row: number; readonly of: string }[];
}

const REPEATED = {
  identifier: '26-041',
  column: 'Case #',
  rows: [
    { row: 2, of: 'Dana Example' },
    { row: 9, of: 'Robin Example' },
  ],
};

/** A record that a row would change, and how. */
export interface ChangedRecord {
  readonly row: number;
  readonly of: string;
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly from: string;
    readonly to: string;
  }[];
}

const twice = given(
  objectOf({
    count: given(count(), 'How many rows', { example: 2 }),
    examples: given(
      json<Json>({ type: 'array', items: { type: 'array', items: { type: 'integer' } } }),
      'The first of them, each with the earlier row',
      { example: [[9, 2]] },
    ),
    records: given(
      arrayOf('A record.', {
        identifier: given(text(), 'Its identifier', { example: '26-041' }),
        column: given(text(), 'The column in which that is', { example: 'Case #' }),
        rows: given(
          arrayOf('A row.', {
            row: given(count(1), 'The row', { example: 2 }),
            of: given(text(), 'Whom it is about', { example: 'Dana Example' }),
          }),
          'The rows that name it',
          { example: [{ row: 2, of: 'Dana Example' }] },
        ),
      }),
      'The first 50 records that several rows name',
      { leftOut: true, example: [REPEATED] },
    ),
  }),
  'Rows that name the same record as an earlier one',
  { ...leftOut, example: { count: 2, examples: [[9, 2]], records: [REPEATED] } },
);

export const importResult = ownObject({
  name: 'import_result',
  says: 'What became of the rows of an upload, or would.',
  fields: {
    import: derived(
      text(),
      'The import; `null` where it was only checked',
      ({ import: one }: { readonly import: string | null }) => one,
      { nullable: true, example: 'imp_036Vq1rXbU9kTqPpLw3aZc' },
    ),
    total: given(count(), 'How many rows the file has', { example: 3 }),
    read,
    local_times: given(
      flag(),
      'Whether it has times without an offset, which are read by the clock of the location of each row, or by `time_zone`',
      { example: false },
    ),
    twice,
    noticed,
    counts: given(
      json(countsSchema()),
      'The numbers of rows that were `created`, `updated`, `unchanged` and refused (`failed`)',
      { example: { created: 2, updated: 0, unchanged: 0, failed: 1 } },
    ),
    done: given(flag(), 'Whether all rows are done', { example: true }),
    stopped: given(
      choice('too_many_failed', 'interrupted'),
      'Why it ended before: send the same again to go on',
      { ...leftOut, example: 'interrupted' },
    ),
    rejected: given(
      text(),
      'The refused rows as CSV, each with its number and the reason: corrected, they can be sent as they are',
      { example: '_row,_error,Identifier,Deceased\r\n3,Deceased is empty.,s-2,\r\n' },
    ),
    cut: given(count(), 'How many refused rows are not in `rejected`, which has a limit', {
      ...leftOut,
      example: 12,
    }),
    unplaced: given(
      texts(),
      'What the file calls a location, and means none or several: say in `chosen` which is meant',
      { ...leftOut, example: ['Main Street'] },
    ),
    changes: given(
      arrayOf('A row.', {
        row: given(count(1), 'The row', { example: 3 }),
        of: given(text(), 'Whom it is about', { example: 'Dana Example' }),
        fields: given(
          arrayOf('A field.', {
            name: given(text(), 'Its name', { example: 'event_name' }),
            label: given(text(), 'What people call it', { example: 'Service' }),
            from: given(text(), 'What is stored', { example: 'Wake' }),
            to: given(text(), 'What would be', { example: 'Vigil' }),
          }),
          'What it would change',
          { example: [{ name: 'event_name', label: 'Service', from: 'Wake', to: 'Vigil' }] },
        ),
      }),
      'The first three rows of a check that would change a record',
      {
        ...leftOut,
        example: [
          {
            row: 3,
            of: 'Dana Example',
            fields: [{ name: 'event_name', label: 'Service', from: 'Wake', to: 'Vigil' }],
          },
        ],
      },
    ),
    like: given(
      objectOf({
        import: given(text(), 'The import', { example: 'imp_036Vq1rXbU9kTqPpLw3aZc' }),
        name: given(text(), 'The name of its file', { example: 'services 2025.csv' }),
      }),
      'The import whose choices were used',
      {
        ...leftOut,
        example: { import: 'imp_036Vq1rXbU9kTqPpLw3aZc', name: 'services 2025.csv' },
      },
    ),
    undecided: given(
      texts(),
      'Identifiers of what rows belong to that several records have, at different locations: say in `chosen` at which location each is',
      { ...leftOut, example: ['26-041'] },
    ),
  },
});

export const importUndo = ownObject({
  name: 'import_undo',
  says: 'What was undone of an import, or would be.',
  fields: {
    removed: given(count(), 'Records that were created, and are removed', { example: 2 }),
    restored: given(count(), 'Records that were changed, and are what they were', { example: 1 }),
    kept: given(count(), 'Records that have changed since, and stay', { example: 0 }),
    left: given(
      arrayOf('A record that stays.', {
        resource: given(text(), 'Its resource, by its path name', { example: 'events' }),
        record: given(text(), 'Its unique_identifier', { example: 'evt_036Vq1rXbU9kTqPpLw3aZc' }),
        reason: given(text(), 'Why', { example: 'it has changed since' }),
      }),
      'The first 50 of these',
      { example: [] },
    ),
  },
});

export const importRejected = ownObject({
  name: 'import_rejected',
  says: 'The refused rows of an import, which are kept for seven days.',
  fields: {
    rows: given(text(), 'The rows as CSV, each with its number and the reason', {
      example: '_row,_error,Identifier,Deceased\r\n3,Deceased is empty.,s-2,\r\n',
    }),
  },
});

export const importTemplate = ownObject({
  name: 'import_template',
  says: 'A table with nothing but the names of columns, each of which is understood.',
  fields: {
    resource: given(text(), 'What its rows are, by its path name', { example: 'events' }),
    csv: given(text(), 'The table as CSV', { example: 'Identifier,Deceased\r\n' }),
  },
});
