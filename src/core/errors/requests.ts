/** Faults of a body, a query string or a header, as entries of the catalogue. */
import { finer, invalid, PAGE_OUTDATED, PAGE_UNREADABLE, withStatus } from './entry.ts';

const tooLarge = invalid(
  'A value takes too many bytes.',
  'Send less, or remove stored members: the limit applies to what you send and to the merged result, in bytes of compact JSON.',
);
const date = invalid(
  '{param} is not a date of the form YYYY-MM-DD; send for example 1948-02-29.',
  'Send the date as `YYYY-MM-DD`, such as `1948-02-29`. Nobody was born or died later than tomorrow.',
);
const value = invalid(
  'A parameter has a value that is not accepted.',
  'Send one of the values that the message names.',
);
const conflict = invalid(
  'Two parameters contradict each other.',
  'Send one of the parameters that the message names, not both.',
);

export const requestErrors = {
  parameter_missing: invalid(
    'A required parameter is missing.',
    'Send the parameter named in `param`. Required parameters are required in every upsert, updates included, and in no PATCH; text that is only white space counts as missing.',
  ),
  parameter_unknown: invalid(
    'A parameter is unknown.',
    'Correct the spelling (the message and `values.nearest` name the nearest known parameter, as the request spells it) or leave it out. With the header `Ledgerstone-Unknown-Fields: ignore`, unknown parameters of that request are ignored.',
  ),
  parameter_repeated: invalid(
    'A parameter was sent more than once.',
    'Send each parameter once: which of two values to keep would be a guess. This holds for form fields, for query strings and for the keys of every JSON object at every depth. An array in a form or a query is sent as `array[]=…`, once for each element.',
  ),
  parameters_conflict: conflict,
  ...finer('parameters_conflict', conflict, {
    date_too_early: {
      message:
        '{param} is {date}, which is before {after}, {earliest}: check both, and send them together.',
      hint: 'Check both dates, and send them together.',
      values: { date: '1947-03-01', after: 'date_of_birth', earliest: '1948-02-29' },
    },
  }),
  type_invalid: invalid(
    'A parameter has the wrong type.',
    'JSON bodies take JSON types only: a string is `"7"`, a number is `7`. In forms, booleans are `true`, `false`, `1` or `0` and numbers are decimal digits; a member of an object is `object[member]=…` and an element of an array is `array[]=…` or `array[0]=…`.',
  ),
  text_invalid: invalid(
    'A text holds a character that cannot be stored.',
    'Remove NUL characters and lone surrogates (halves of a UTF-16 pair) from the value or key that `param` names.',
  ),
  text_too_long: invalid(
    '{param} has {has} {unit}; send at most {most}.',
    'Shorten the text to the length that the message names. Lengths are counted in Unicode code points.',
    { has: 612, unit: 'characters', most: 500 },
  ),
  value_too_large: {
    ...tooLarge,
    message: '{param} takes {has} bytes of compact JSON; send at most {most}.',
    person: '{param} takes {has} bytes, and may take {most}. Shorten it.',
    values: { has: 10_245, most: 10_240 },
  },
  ...finer('value_too_large', tooLarge, {
    parts_too_many: {
      message:
        'The body has more than 32,768 members or fields, or more than 65,536 members, elements, objects and arrays together; no record keeps as many. Send less.',
      hint: 'Send less in one record: a body may hold 32,768 members or fields, and 65,536 members, elements, objects and arrays together.',
    },
  }),
  phone_number_invalid: invalid(
    'A phone number is not in an accepted form.',
    'Send E.164: a plus sign, the country code and the number, digits only, such as `+14155550123`; after `+1` there are always ten digits. In a form body the plus sign is percent-encoded as `%2B`. A direct mail reply also takes ten-digit US numbers in the usual punctuation.',
  ),
  datetime_invalid: invalid(
    'A date and time is not in an accepted form.',
    'Send an RFC 3339 date and time with its offset, such as `2026-11-20T14:30:00Z` or `2026-11-20T09:30:00-05:00`.',
  ),
  datetime_offset_missing: invalid(
    'A date and time has no offset from UTC.',
    'Add `Z` or an offset such as `-05:00`: without it the service would have to guess the time zone, and a funeral must not move by hours. In a form body the plus sign of an offset is percent-encoded as `%2B`.',
  ),
  date_invalid: date,
  ...finer('date_invalid', date, {
    date_not_real: '{param} is not a real calendar date; check its month and day.',
    date_in_future: '{param} is in the future, and it cannot be; check its year.',
  }),
  value_invalid: value,
  ...finer('value_invalid', value, {
    choice_invalid: [
      '{param} must be {choices}, in exactly these letters.',
      { choices: ['thin', 'full'] },
    ],
    number_not_whole: {
      message: '{param} must be a whole number, without a fraction.',
      hint: 'Send a whole number.',
    },
    time_zone_unknown: {
      message: '{param} is not the name of a time zone. Send for example America/New_York.',
      hint: 'Send a name of the IANA database, such as `America/New_York`, or `UTC`.',
    },
  }),
  number_out_of_range: invalid(
    '{param} must be a number from {least} to {most}.',
    'Send a number within the range that the message names. Free-form content takes numbers of up to 1,000 significant digits whose first digit has an exponent from -1,000 to 1,000.',
    { least: 1, most: 1_000 },
  ),
  array_length_invalid: invalid(
    '{param} has {has} elements; send from {least} to {most}.',
    'Send the number of elements that the message names.',
    { has: 11, least: 1, most: 10 },
  ),
  image_url_invalid: invalid(
    'An image URL is not accepted.',
    'Send an absolute `http` or `https` URL of at most 2,048 characters that points to a JPG.',
  ),
  image_unavailable: withStatus(424)(
    'The image cannot be shown.',
    'The record exists, but the URL of the image does not answer with a JPEG. The message says why. Correct `image_urls`, or retry if the URL could not be reached.',
  ),
  nesting_too_deep: invalid(
    'The body is nested too deeply.',
    'Send at most 32 levels of objects and arrays, counting the body itself as the first.',
  ),
  json_invalid: invalid(
    { message: 'The body is not valid JSON.', person: PAGE_UNREADABLE },
    'Send one JSON object. The message names the byte offset at which the body stops being JSON. Send a form body with `Content-Type: application/x-www-form-urlencoded`.',
  ),
  form_invalid: invalid(
    { message: 'The form body is malformed.', person: PAGE_UNREADABLE },
    'Percent-encode field names and values (`%25` for a percent sign, `%26` for an ampersand) and write nested names as `object[member]` or `array[]`. Send JSON with `Content-Type: application/json`; curl declares a form unless you set this header.',
  ),
  csv_invalid: invalid(
    {
      message: 'The table is malformed.',
      person: 'The table is malformed: each row must have as many cells as the header.',
    },
    'Send CSV as RFC 4180 describes it: as many cells in each row as the header has, and cells that hold the delimiter, a quote or the end of a line enclosed in quotes, with each quote in them doubled. The message names the cell.',
  ),
  encoding_invalid: invalid(
    {
      message: 'The body is not valid UTF-8.',
      person: 'The text is not in UTF-8. Save the file in UTF-8, and send it again.',
    },
    'Send the body as UTF-8. The message names the byte offset of the first byte that is not.',
  ),
  header_invalid: invalid(
    { message: 'A header has a value that is not accepted.', person: PAGE_OUTDATED },
    'Send one of the values that the message names, or leave the header out. A header that begins with `Ledgerstone-` and is not read by that request is refused, too: the message and `values.nearest` name the nearest known one. So is a write with a header that asks for what the service does not do, such as `X-Idempotency-Key`, `If-Unmodified-Since` or `X-HTTP-Method-Override`: the message says what to send instead.',
  ),
  body_unexpected: invalid(
    { message: 'This request takes no body.', person: PAGE_OUTDATED },
    'Send the parameters of a GET or DELETE request in its query string.',
  ),
  request_malformed: invalid(
    {
      message: 'The request is not valid HTTP.',
      person: 'The connection ended before everything had arrived. Try again.',
    },
    'The bytes that arrived are not a valid HTTP/1.1 request. Check the client and any proxy in between.',
  ),
} as const;
