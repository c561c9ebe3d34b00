/** Errors of importing files, as entries of the catalogue: of a file, and of its rows. */
import { finer } from './entry.ts';

const refused = {
  status: 400,
  message: 'The file cannot be imported as it is.',
  hint: 'The message says what is wrong with the file, or with the fields that its columns are for. Nothing was saved.',
} as const;
const row = {
  ...refused,
  hint: 'Stands in the file of refused rows. Correct the row there, and import that file.',
} as const;
const file = 'visitors.csv';

export const importErrors = {
  import_refused: refused,
  ...finer('import_refused', refused, {
    file_empty: { message: '{file} is empty.', values: { file } },
    header_missing: {
      message: '{file} has no header: a row must name the columns.',
      values: { file },
    },
    sheets_missing: { message: '{file} has no sheet.', values: { file } },
    sheet_unknown: {
      message: '{file} has no sheet {sheet}. It has {sheets}.',
      values: { file, sheet: '"May"', sheets: '"June", "July"' },
    },
    workbook_unreadable: { message: '{file} cannot be read as XLSX.', values: { file } },
    column_missing: {
      message: '{file} has no column for {fields}, which every row needs.',
      values: { file, fields: 'visitor_full_name' },
    },
    parent_column_missing: {
      message: '{file} has no column that says to which record each row belongs.',
      values: { file },
    },
    column_given_twice: {
      message: '{file} has a column for {field}, and every row is given a value for it as well.',
      values: { file, field: 'visitor_full_name' },
    },
    columns_rival: {
      message: 'The columns {first} and {second} are both for {field}.',
      values: { first: '"Name"', second: '"Visitor"', field: 'visitor_full_name' },
    },
    columns_filled_too_many: {
      message:
        'The value of {field} for all rows names {has} columns, and may name at most {most}.',
      values: { field: 'event_name', has: 11, most: 10 },
    },
    date_order_unclear: {
      message:
        '{file} has dates such as 03/04/2026 (row {row}), and nothing in it shows whether the month or the day comes first.',
      values: { file, row: 2 },
    },
    date_orders_mixed: {
      message:
        '{file} writes the month first in row {month_first} and the day first in row {day_first}.',
      values: { file, month_first: 2, day_first: 7 },
    },
    times_without_zone: {
      message:
        '{file} has times without an offset from UTC (row {row}), and nothing in it says where they are.',
      values: { file, row: 2 },
    },
    import_too_old: {
      message:
        'The log of changes no longer goes back to the start of this import, so it cannot be undone.',
      hint: 'Correct the records one by one, or restore a backup.',
    },
  }),
  ...finer('import_refused', row, {
    cells_wrong: {
      message: 'The row has {has} cells, and the header {header}.',
      values: { has: 3, header: 4 },
    },
    row_unplaced: { message: '{param}: nothing in the row says which one it belongs to.' },
    place_unknown: { message: '{param}: there is no location with this name or identifier.' },
    place_ambiguous: {
      message: '{param} is the name of several locations: write the identifier of one.',
    },
    identifier_unknown: { message: '{param}: there is no record with this identifier.' },
    cell_empty: { message: '{param} is empty, and every row needs it.' },
    phone_unreadable: {
      message:
        '{param} is not a phone number: write it with its area code, such as (217) 555-0123, or begin with + and the country code.',
    },
    date_unreadable: {
      message: '{param} is not a date: write it such as 3/20/2027 or March 20, 2027.',
    },
    moment_unreadable: {
      message:
        '{param} is not a date and time: write it such as 3/20/2027 or March 20, 2027, with its time, such as 2:30 PM.',
    },
    moment_zone_unknown: {
      message:
        '{param} is not a time whose time zone is known: write it such as 3/20/2027 or March 20, 2027, with its time, such as 2:30 PM.',
    },
    formula_error: {
      message: '{param} is the error {error} of a formula.',
      values: { error: '#REF!' },
    },
    digits_lost: {
      message:
        '{param} was shortened by a spreadsheet program: format the column as text there, and enter it again.',
    },
    yes_or_no: { message: '{param} must be yes or no, y or n, true or false, 1 or 0.' },
    date_as_number: {
      message:
        '{param} is a date as spreadsheet programs count it: format the column as a date there.',
    },
    time_unexpected: { message: '{param} holds a time of day, and its field takes a date.' },
    time_missing: { message: '{param} holds a date, and its field needs a time of day too.' },
    time_unreadable: {
      message: '{param} holds a time of day that cannot be read: write it as 14:30 or 2:30 PM.',
    },
    zone_missing: {
      message: '{param} has no offset from UTC: say --time-zone, such as America/New_York.',
      person: '{param} has no offset from UTC: name their time zone, at "Time zone of the times".',
    },
    time_ambiguous: {
      message:
        '{param} is a time that {zone} has twice or not at all, when its clocks change: write it with its offset, such as {example}.',
      values: { zone: 'America/New_York', example: '2027-03-14T02:30:00-05:00' },
    },
    year_missing: { message: '{param} has no year of four digits: write it as 2027-03-20.' },
    year_short: { message: '{param} has a year of fewer than four digits: write all four.' },
    date_order_missing: {
      message:
        '{param} is a date of which the order is not known: choose with --dates mdy or --dates dmy.',
      person:
        '{param} is a date of which the order is not known: choose which is meant, at "Dates such as 03/04/2026".',
    },
  }),
} as const;
