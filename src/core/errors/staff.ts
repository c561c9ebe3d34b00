/** Errors of the console: of signing in, sessions, staff, keys and files. */
import {
  conflict,
  denied,
  finer,
  gone,
  invalid,
  limited,
  unauthenticated,
  unavailable,
} from './entry.ts';

const refused = invalid(
  'The file cannot be imported as it is.',
  'The message says what is wrong with the file, or with the fields that its columns are for. Nothing was saved.',
);
const row = {
  ...refused,
  hint: 'Stands in the file of refused rows. Correct the row there, and import that file.',
};
const file = 'visitors.csv';

const importErrors = {
  import_refused: refused,
  ...finer('import_refused', refused, {
    file_empty: ['{file} is empty.', { file }],
    header_missing: ['{file} has no header: a row must name the columns.', { file }],
    sheets_missing: ['{file} has no sheet.', { file }],
    sheet_unknown: [
      '{file} has no sheet {sheet}. It has {sheets}.',
      { file, sheet: '"May"', sheets: '"June", "July"' },
    ],
    workbook_unreadable: ['{file} cannot be read as XLSX.', { file }],
    column_missing: [
      '{file} has no column for {fields}, which every row needs.',
      { file, fields: 'visitor_full_name' },
    ],
    parent_column_missing: [
      '{file} has no column that says to which record each row belongs.',
      { file },
    ],
    column_given_twice: [
      '{file} has a column for {field}, and every row is given a value for it as well.',
      { file, field: 'visitor_full_name' },
    ],
    columns_rival: [
      'The columns {first} and {second} are both for {field}.',
      { first: '"Name"', second: '"Visitor"', field: 'visitor_full_name' },
    ],
    columns_filled_too_many: [
      'The value of {field} for all rows names {has} columns, and may name at most {most}.',
      { field: 'event_name', has: 11, most: 10 },
    ],
    date_order_unclear: [
      '{file} has dates such as 03/04/2026 (row {row}), and nothing in it shows whether the month or the day comes first.',
      { file, row: 2 },
    ],
    date_orders_mixed: [
      '{file} writes the month first in row {month_first} and the day first in row {day_first}.',
      { file, month_first: 2, day_first: 7 },
    ],
    times_without_zone: [
      '{file} has times without an offset from UTC (row {row}), and nothing in it says where they are.',
      { file, row: 2 },
    ],
    import_too_old: {
      message:
        'The log of changes no longer goes back to the start of this import, so it cannot be undone.',
      hint: 'Correct the records one by one, or restore a backup.',
    },
  }),
  ...finer('import_refused', row, {
    cells_wrong: ['The row has {has} cells, and the header {header}.', { has: 3, header: 4 }],
    row_unplaced: '{param}: nothing in the row says which one it belongs to.',
    place_unknown: '{param}: there is no location with this name or identifier.',
    place_ambiguous: '{param} is the name of several locations: write the identifier of one.',
    identifier_unknown: '{param}: there is no record with this identifier.',
    cell_empty: '{param} is empty, and every row needs it.',
    phone_unreadable:
      '{param} is not a phone number: write it with its area code, such as (217) 555-0123, or begin with + and the country code.',
    date_unreadable: '{param} is not a date: write it such as 3/20/2027 or March 20, 2027.',
    moment_unreadable:
      '{param} is not a date and time: write it such as 3/20/2027 or March 20, 2027, with its time, such as 2:30 PM.',
    moment_zone_unknown:
      '{param} is not a time whose time zone is known: write it such as 3/20/2027 or March 20, 2027, with its time, such as 2:30 PM.',
    formula_error: ['{param} is the error {error} of a formula.', { error: '#REF!' }],
    digits_lost:
      '{param} was shortened by a spreadsheet program: format the column as text there, and enter it again.',
    yes_or_no: '{param} must be yes or no, y or n, true or false, 1 or 0.',
    date_as_number:
      '{param} is a date as spreadsheet programs count it: format the column as a date there.',
    time_unexpected: '{param} holds a time of day, and its field takes a date.',
    time_missing: '{param} holds a date, and its field needs a time of day too.',
    time_unreadable:
      '{param} holds a time of day that cannot be read: write it as 14:30 or 2:30 PM.',
    zone_missing: {
      message: '{param} has no offset from UTC: say --time-zone, such as America/New_York.',
      person: '{param} has no offset from UTC: name their time zone, at "Time zone of the times".',
    },
    time_ambiguous: [
      '{param} is a time that {zone} has twice or not at all, when its clocks change: write it with its offset, such as {example}.',
      { zone: 'America/New_York', example: '2027-03-14T02:30:00-05:00' },
    ],
    year_missing: '{param} has no year of four digits: write it as 2027-03-20.',
    year_short: '{param} has a year of fewer than four digits: write all four.',
    date_order_missing: {
      message:
        '{param} is a date of which the order is not known: choose with --dates mdy or --dates dmy.',
      person:
        '{param} is a date of which the order is not known: choose which is meant, at "Dates such as 03/04/2026".',
    },
  }),
} as const;

const password = invalid(
  'This password would be among the first that are guessed. Choose another one, such as four or five unrelated words.',
  'Choose at least 15 characters that nobody would guess, such as four or five unrelated words. No kind of character is required.',
);

export const staffErrors = {
  sign_in_needed: unauthenticated(
    'You are not signed in, or your session has ended. Sign in.',
    'Sessions of the console end after an hour without a request, after 12 hours, and when someone ends them. API keys and cookies are never taken for each other.',
  ),
  sign_in_failed: unauthenticated(
    'That did not match. Check what you entered, or ask an administrator to invite you again.',
    'The answer is the same for an unknown email, a wrong password, a passkey that is not known here, and a person who is disabled.',
  ),
  sign_in_limited: limited(
    'Too many sign-ins failed. Wait before you try again, or use a passkey.',
    'Retry after the seconds in `Retry-After`. From the fifth failure on, the wait for an email doubles up to 15 minutes; a network may fail 30 times in 15 minutes. Passkeys are not limited for an email.',
  ),
  reauthentication_needed: denied(
    'Confirm that it is you: this needs a sign-in within the last 10 minutes.',
    'Keys, staff, passwords and passkeys are changed only within 10 minutes of a sign-in. Call `POST /console/api/reauthenticate` and repeat the request.',
  ),
  invitation_invalid: gone(
    'This invitation was used, was replaced or has expired. Ask for a new one.',
    'An invitation is good for one use within 48 hours. A new one for the same person replaces it.',
  ),
  ...importErrors,
  password_refused: password,
  ...finer('password_refused', password, {
    password_too_short: [
      'A password must have at least {least} characters, and this one has {has}. Four or five unrelated words make a good one.',
      { least: 15, has: 8 },
    ],
    password_too_long: ['A password may have at most {most} characters.', { most: 1_000 }],
  }),
  passkey_needed: denied(
    'You sign in with a passkey or single sign-on here, not with a password.',
    'Register a passkey with the invitation, or sign in by single sign-on. This holds for administrators.',
  ),
  passkey_refused: invalid(
    'The passkey could not be verified. Start again.',
    'A request to the browser is good for one answer within 5 minutes, at the address of this service.',
  ),
  last_way_in: conflict(
    'This is your only way to sign in. Add another passkey first.',
    'Register another passkey, or set a password, before you remove the last one.',
  ),
  sign_in_insecure: denied(
    'People sign in over HTTPS only, or on this machine at localhost.',
    'Set `TLS_CERT` and `TLS_KEY`, or put a TLS proxy in front and set `PUBLIC_URL` to its https address.',
  ),
  single_sign_on_failed: unavailable(
    'The provider of single sign-on does not answer. Try again, or sign in another way.',
    'Check that `OIDC_ISSUER` can be reached from the service and names the provider exactly as it names itself.',
  ),
  sign_in_busy: unavailable(
    'Too many people are signing in right now. Try again in a few seconds.',
    'Retry after the seconds in `Retry-After`.',
  ),
  own_rights: denied(
    'You cannot change what you may do yourself. Ask another administrator.',
    'Another administrator of the account changes it.',
  ),
  email_invalid: invalid(
    'The email must be an address such as director@example.com.',
    'Send one address, without a name.',
  ),
  administrator_limited: invalid(
    'An administrator works for whole accounts: leave the locations or the region out, or choose the role editor.',
    'Only editors and viewers are limited to locations.',
  ),
  administrator_without_passkey: invalid(
    'They sign in with a password alone, and administrators need a passkey: ask them to create one under "My account" first, or invite them again as administrator.',
    'Administrators sign in with a passkey or single sign-on.',
  ),
  accounts_not_yours: invalid(
    '{param} must be among those that you administer.',
    'The message names the accounts.',
  ),
  accounts_mixed: invalid(
    '{param} must be all live or all test: a key cannot be for both.',
    'Create a key for the live accounts, and another one for the test accounts.',
  ),
  locations_elsewhere: invalid(
    '{param} must be locations of these accounts, or null for all of them.',
    'The message names the first one that is not.',
  ),
  rate_invalid: invalid(
    '{param} must be a number of requests a second or a minute, such as 100/s or 6000/m, from 1/m to 1000000/s.',
    'A plain number means requests a second.',
  ),
  network_invalid: invalid(
    '{param} must be addresses and networks, such as 203.0.113.7 and 203.0.113.0/24.',
    'The message names the first one that is neither.',
  ),
  time_past: invalid(
    '{param} must be a time in the future with its offset, such as 2027-01-31T18:00:00Z.',
    'Leave it out for a key that does not expire.',
  ),
  files_waiting: limited(
    '{most} files of your account already wait to be read. Try again when one is done.',
    'Retry after the seconds in `Retry-After`.',
    { most: 4 },
  ),
  exports_running: limited(
    '{most} exports of your account are running, which is its limit. Try again when one has ended.',
    'Retry after the seconds in `Retry-After`.',
    { most: 2 },
  ),
  export_too_long: unavailable(
    'The export was not done after {minutes} minutes. Export fewer records, or ask the operator for "ledgerstone export".',
    'Filter the list, or export one location at a time.',
    { minutes: 30 },
  ),
  cross_site_refused: denied(
    'This request does not come from the console. It must be sent by a page of this service, with the header "Ledgerstone-Console: 1".',
    'Only the console calls `/console/api`. Programs use `/v1` with an API key.',
  ),
} as const;
