/** How an upload is to be read and imported, as callers say it. */
import {
  boolean,
  choice,
  optional,
  required,
  text,
  textMap,
  timeZone,
  wholeNumber,
} from '../../../core/schema/fields/index.ts';
import type { ParamsOf } from '../../../core/schema/fields/object.ts';

const LONGEST_MAP = 65_536;
const LONGEST_CELLS = 262_144;
const short = text({ max: 500 });
const shorts = textMap({ maxBytes: LONGEST_MAP });

/** How the file is read. */
export const reading = {
  resource: required(short, 'What the rows are, by its name in paths', 'events'),
  account: optional(
    short,
    'The account of rows that name none; by default the only one of the key',
  ),
  map: optional(
    shorts,
    'By the name of a column the name of a field, or null to leave it out; by default what the names of columns say',
  ),
  set: optional(
    shorts,
    'By the name of a field its value in every row; `{Column}` in it takes what stands in that column',
  ),
  encoding: optional(short, 'The encoding of the file; by default detected'),
  delimiter: optional(short, 'What separates its cells; by default detected'),
  sheet: optional(short, 'The sheet of a workbook; by default the only one'),
  header_row: optional(wholeNumber({ min: 1 }), 'The row that names the columns'),
  dates: optional(
    choice('mdy', 'dmy', 'ymd'),
    'The order of the parts of dates such as 03/04/2026',
  ),
  time_zone: optional(
    timeZone(),
    'The time zone of times without an offset; by default that of the location of each row',
  ),
  us_phones: optional(
    boolean(),
    'Whether phone numbers without a country code are read: as those of the country of their location’s time zone, and of the United States where it has none',
  ),
  names: optional(
    choice('last_first', 'as_written'),
    'How names of people are written: with `last_first`, `Example, Dana` is turned round; with `as_written`, which is the default, names stay as they are',
  ),
  phone_words: optional(
    choice('leave_out', 'keep'),
    'What becomes of the words of `507 555 0111 (cell)`: left out, or kept as a detail, where records have details; by default such a number is refused',
  ),
  area_code: optional(
    text({ max: 4 }),
    'The area code of US phone numbers of seven digits; by default that which was said for their location before, and else these are refused; `none` refuses them, and takes back what was said',
    '507',
  ),
  short_years: optional(
    boolean(),
    'Whether years of two digits are read: of a birth and a death in the past, of a service near today; by default they are refused',
  ),
  short_times: optional(
    boolean(),
    'Whether `3:00p` is read as 3:00 PM; by default it is, and `false` refuses it',
  ),
  cells: optional(
    textMap({ maxBytes: LONGEST_CELLS }),
    'Texts in place of what stands in cells: by the number of a row, a colon, and the name of a column, such as `12:Phone`',
  ),
  empty: optional(choice('keep', 'remove'), 'What an empty cell does; by default `keep`'),
  like: optional(
    short,
    'The import whose choices are used where nothing else is said; by default the latest of a file with the same columns, and with `none` no other',
    'imp_036Vq1rXbU9kTqPpLw3aZc',
  ),
  chosen: optional(
    shorts,
    'For each name of a location that the file has, and each identifier that several records have, the unique_identifier of the location',
  ),
} as const;

/** How its rows are written. */
export const writing = {
  ...reading,
  mode: optional(choice('create_only', 'update_only'), 'Whether only to create, or to update'),
  max_failed: optional(wholeNumber({ min: 0 }), 'Stop when more rows than this are refused'),
} as const;

export const running = {
  upload: required(text({ max: 100 }), 'The unique_identifier of the upload'),
  ...writing,
  source: optional(
    text({ max: 500 }),
    'The name of the source that the rows are from, made where it is new; for callers of whole accounts',
  ),
  repeated: optional(
    boolean(),
    'Whether this was sent before, and its answer did not arrive: where that import has ended, the answer says what came of it, and nothing is done again',
  ),
  from_start: optional(
    boolean(),
    'Whether to start over where the same import was stopped; by default it goes on from there',
  ),
} as const;

export type Asked = Partial<Omit<ParamsOf<typeof running>, 'resource'>> &
  Pick<ParamsOf<typeof running>, 'resource'>;
