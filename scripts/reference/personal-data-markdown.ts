/** The page that says where personal data is, and when it goes. */
import { OUT_OF_REACH } from '../../src/core/objects/records/out-of-reach.ts';
import type { Resource } from '../../src/core/schema/define.ts';
import type { Field } from '../../src/core/schema/fields/kind.ts';
import { code, paragraphs, table } from './markdown.ts';
import { recordsTable, SEARCH_TABLES, TABLES, type Table } from './personal-data.ts';
import { type Files, OTHER_FILES, STORE_FILES } from './personal-files.ts';

const STORES = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export function personalDataMarkdown(resources: readonly Resource[]): string {
  const records = resources
    .filter(({ parent }) => parent !== undefined)
    .map((resource): [string, Table] => [resource.name, recordsTable(resource)]);
  const tables = [...records, ...Object.entries(TABLES)];
  return paragraphs([
    '# Where personal data is',
    'For your record of processing: every table and file that the service writes, what it holds of people, and when that goes. The tests of Ledgerstone fail if a column or file is missing here.',
    '- **Content** is what was said of a person, or may be: names, phone numbers, addresses, free text, and identifiers of the sending system, which are often names.\n- **Identifiers** lead to a person only together with the rest of the store: identifiers that Ledgerstone made, network addresses, hashes.',
    '## Fields of records',
    table(
      ['Records', 'Personal', 'Not personal'],
      resources.map(({ name, fields, public_data }) => {
        const all = Object.entries<Field>({ ...fields, ...public_data });
        const names = (is: boolean): string =>
          all
            .filter(([, { personal = false }]) => personal === is)
            .map(([field]) => code(field))
            .join(', ');
        return [code(name), names(true), names(false)];
      }),
    ),
    'Every `external_identifier` may be personal, too.',
    '## Tables',
    'Columns that are not named hold nothing of people.',
    rowsOf(tables.filter(([, { goes }]) => goes !== undefined)),
    `These hold nothing of people but the identifier of an account or location: ${tables
      .filter(([, { goes }]) => goes === undefined)
      .map(([name]) => code(name))
      .join(', ')}.`,
    'On SQLite the search index is in a file of its own:',
    rowsOf(Object.entries(SEARCH_TABLES).filter(([, { goes }]) => goes !== undefined)),
    '## Files',
    ...[STORE_FILES, OTHER_FILES].map((files) =>
      filesTable(files.filter(({ holds }) => holds !== 'nothing')),
    ),
    '[Data on disk](storage.md#removed-records) says how bytes leave a SQLite file, and [PostgreSQL](postgresql.md#removed-records) what stays in the files of its server.',
    '## Beyond the service',
    [
      '- **Proxies** log addresses, and queries with them. The files that we ship for [nginx and Caddy](network.md) log none; send searches by `POST /v1/search`.',
      "- **PostgreSQL's own log** prints values with `log_min_duration_statement` or `log_statement`, unless `log_parameter_max_length` is 0. `ledgerstone doctor` checks this.",
      '- **Systems that follow your changes** learn of each removal, by webhook or in the log of changes, and remove their own copies.',
      '- **Browsers** store no record and no search: everything that people read in the console is sent with `no-store`. Addresses of filtered lists hold what they are filtered by.',
    ].join('\n'),
    '## What an erasure does not reach',
    'Every certificate lists these places, and `ledgerstone doctor` those of its machine. Records of others that name the person, such as a note, are among the matches as `mentioned`: correct them, or erase them.',
    table(
      ['Where', 'What to do', 'On'],
      OUT_OF_REACH.map((one) => [one.says, one.remedy, 'on' in one ? STORES[one.on] : '']),
    ),
  ]);
}

function rowsOf(tables: readonly (readonly [string, Table])[]): string {
  const columns = (names = ''): string =>
    names.trim().split(/\s+/).filter(Boolean).map(code).join(', ');
  return table(
    ['Table', 'What it is for', 'Content', 'Identifiers', 'When it goes'],
    tables.map(([name, { says, content, identifiers, goes = '' }]) => [
      code(name),
      says,
      columns(content),
      columns(identifiers),
      goes,
    ]),
  );
}

function filesTable(files: readonly Files[]): string {
  return table(
    ['Files', 'What they hold of people', 'When it goes'],
    files.map(({ files, holds, goes }) => [files, holds, goes]),
  );
}
