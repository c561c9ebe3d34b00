/** Texts of the screen of exports. */
const rows = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? 'record' : 'records'}`;
const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

export const says = {
  title: 'Export',
  about: 'Download records as files. Importing them again changes nothing.',
  what: 'What to export',
  archive: 'A file for each, in one ZIP archive, all as they stand at one moment.',
  only: 'Only those that match',
  format: 'Format',
  formats: [
    ['xlsx', 'Excel workbook', 'to read and work with; every cell is text'],
    [
      'spreadsheet_csv',
      'CSV for spreadsheets',
      'text that would be run as a formula begins with an apostrophe',
    ],
    ['csv', 'CSV for programs', 'exactly what is stored: do not open it in a spreadsheet'],
    ['ndjson', 'NDJSON', 'for programs: one line of JSON for each record'],
  ],
  submit: 'Export',
  starting: 'Starting …',
  so_far: (bytes: number) => `${size(bytes)} so far`,
  done: (count: number | undefined, bytes: number, name: string): string =>
    `${count === undefined ? '' : `${rows(count)} in `}${name} (${size(bytes)}).`,
  stays: 'It continues while you look at other screens.',
  ended: 'The connection ended before the export was complete. Nothing was saved; try again.',
  none: 'Choose what to export.',
} as const;
