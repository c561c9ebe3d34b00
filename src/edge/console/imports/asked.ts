/** The body of an import: a line of JSON with its options, followed by the unchanged file. */
import { ApiError } from '../../../core/errors.ts';
import { parseStored } from '../../../core/schema/json/json.ts';
import type { Mode } from '../../../services/import/importing.ts';
import type { ImportOptions } from '../../../services/import/plan.ts';
import { isTimeZone } from '../../../services/import/table/dates.ts';

/** The options of an import: its target, and how to read its file. */
export interface AskedImport
  extends Omit<ImportOptions, 'resources' | 'resource' | 'ask' | 'remedies' | 'places'> {
  /** Of the file, with its ending. */
  readonly name: string;
  /** The path name of the resource. */
  readonly resource: string;
  readonly mode?: Mode;
}

const LONGEST_LINE = 65_536;
const LINE_FEED = 0x0a;
const LONGEST_TEXT = 500;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT;
const isOneOf =
  (...words: readonly string[]) =>
  (value: unknown) =>
    words.includes(String(value));
const isRecord = (of: (value: unknown) => boolean) => (value: unknown) =>
  typeof value === 'object' && value !== null && Object.values(value).every(of);

const members: Readonly<Record<keyof AskedImport, (value: unknown) => boolean>> = {
  name: isText,
  resource: isText,
  account: isText,
  map: isRecord((value) => value === null || isText(value)),
  set: isRecord(isText),
  encoding: isText,
  delimiter: isText,
  sheet: isText,
  header_row: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  dates: isOneOf('mdy', 'dmy', 'ymd'),
  time_zone: isText,
  us_phones: (value) => typeof value === 'boolean',
  empty: isOneOf('keep', 'remove'),
  mode: isOneOf('create_only', 'update_only'),
  chosen: isRecord(isText),
};

/** Throws `json_invalid`, `parameter_unknown`, `parameter_missing` and `value_invalid`. */
export function readAsked(body: Uint8Array): {
  readonly asked: AskedImport;
  readonly file: Uint8Array;
} {
  const end = body.indexOf(LINE_FEED);
  if (end < 0 || end > LONGEST_LINE) throw malformed();
  const asked = parsed(Buffer.from(body.subarray(0, end)).toString());
  for (const [name, value] of Object.entries(asked)) {
    const fits = Object.hasOwn(members, name) ? members[name as keyof AskedImport] : undefined;
    if (fits === undefined)
      throw new ApiError('parameter_unknown', {
        message: `The first line has an unknown member. It may have ${Object.keys(members).join(', ')}.`,
      });
    if (!fits(value))
      throw new ApiError('value_invalid', {
        param: name,
        message: `${name} has a value that is not accepted.`,
      });
  }
  for (const name of ['name', 'resource'] as const) {
    if (asked[name] === undefined)
      throw new ApiError('parameter_missing', { param: name, message: `${name} is required.` });
  }
  const { time_zone } = asked;
  if (time_zone !== undefined && !isTimeZone(time_zone)) {
    throw new ApiError('value_invalid', {
      param: 'time_zone',
      message: `${JSON.stringify(time_zone)} is not a time zone. Name one such as America/New_York.`,
    });
  }
  return { asked: asked as AskedImport, file: body.subarray(end + 1) };
}

function parsed(line: string): Partial<AskedImport> {
  try {
    // Columns are named as their sender likes.
    const value: unknown = parseStored(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw malformed();
}

function malformed(): ApiError {
  return new ApiError('json_invalid', {
    message: 'The body must begin with a line of JSON that says what the file is.',
  });
}
