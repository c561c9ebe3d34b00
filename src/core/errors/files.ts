/** Errors of files that are imported, and of the rows in them. */
import { finer, invalid, limited } from './entry.ts';

const refused = invalid(
  'The file cannot be imported as it is.',
  'The message says what is wrong. Nothing was saved.',
);
const row = {
  ...refused,
  hint: 'Correct the row in the file of refused rows, and import that file.',
};
const file = 'visitors.csv';

export const fileErrors = {
  import_refused: refused,
  ...finer('import_refused', refused, {
    file_empty: ['{file} is empty.', { file }],
    header_missing: ['{file} has no header: a row must name the columns.', { file }],
    sheets_missing: ['{file} has no sheet.', { file }],
    sheet_unknown: [
      '{file} has no sheet {sheet}. It has {sheets}.',
      { file, sheet: '"May"', sheets: '"June", "July"' },
    ],
    workbook_unreadable: [
      '{file} cannot be read as XLSX. Open it in a spreadsheet program, and save the table as CSV, or as an Excel workbook (.xlsx) again.',
      { file },
    ],
    file_compressed: [
      '{file} is compressed, or an archive: unpack it, and import the table in it.',
      { file },
    ],
    file_document: [
      '{file} is no table: it is a document, a picture, or a file of another program. Save the table in it as CSV, or as an Excel workbook (.xlsx).',
      { file },
    ],
    file_json: [
      '{file} holds JSON: write one object on each line, without brackets or commas between them, and name the file .ndjson.',
      { file },
    ],
    file_locked: [
      '{file} has a password: open it in a spreadsheet program, and save it without one, as an Excel workbook (.xlsx).',
      { file },
    ],
    file_old_workbook: [
      '{file} is a workbook of an old kind, as Excel 2003 and before saved it: open it in a spreadsheet program, and save it as an Excel workbook (.xlsx).',
      { file },
    ],
    file_other_workbook: [
      '{file} is a workbook of another kind, such as .ods, .xlsb or .numbers: open it in its program, and save it as an Excel workbook (.xlsx), or as CSV.',
      { file },
    ],
    file_page: [
      '{file} is a web page, whatever its name says: open it in a spreadsheet program, and save it as an Excel workbook (.xlsx).',
      { file },
    ],
    file_xml: [
      '{file} holds XML: save the table in it as CSV, or as an Excel workbook (.xlsx).',
      { file },
    ],
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
    row_too_large: ['The row is larger than {most} bytes.', { most: 1_048_576 }],
    column_unnamed: [
      'The row has something in column {column}, which nothing names: name the column, or empty the cell.',
      { column: 'E' },
    ],
    characters_damaged:
      '{param} has characters that cannot be read: a program has cut or mixed them. Write the cell again, and save the file as UTF-8.',
    quote_unclosed:
      '{param} begins with a quote that nothing closes: add the closing quote, or take the first one away.',
    quote_ended_early:
      '{param} goes on after its closing quote: write a quote within a cell as two quotes.',
    quote_alone:
      '{param} has a quote within: enclose the cell in quotes, and write that quote as two.',
    return_alone: '{param} has a line break within: enclose the cell in quotes.',
    row_unplaced: '{param}: nothing in the row says which one it belongs to.',
    place_unknown: '{param}: there is no location with this name or identifier.',
    place_ambiguous: '{param} is the name of several locations: write the identifier of one.',
    identifier_ambiguous:
      '{param} is the identifier of several records, at different locations: say in the file at which location it is.',
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
    formula_unsaved:
      '{param} is a formula that was never calculated: open the file in a spreadsheet program, save it there, and import that.',
    made_a_date:
      '{param} is a date: a spreadsheet program has made it of what was entered, such as 26-1. Format the column as text there, and enter it again.',
    json_unreadable:
      '{param} is not JSON, which its field takes: an object such as {"plot": "12"}, or a list. Choose another field for the column, or correct the cell.',
    amount_not_cents:
      '{param} is an amount with decimals, and its field takes cents: choose the field in dollars for the column.',
    weekday_wrong: '{param} has another day of the week than its date: correct one of them.',
    no_such_day: '{param} is a day that there is not: correct the date.',
    digits_lost:
      '{param} was shortened by a spreadsheet program: format the column as text there, and enter it again.',
    number_unreadable: '{param} is not a whole number: write it in digits.',
    cell_too_long: [
      '{param} has {has} {unit}, and its field takes {most}: shorten it.',
      { has: 612, unit: 'characters', most: 500 },
    ],
    cell_character: '{param} has a character that cannot be stored: write it again without.',
    yes_or_no: '{param} must be yes or no, y or n, true or false, 1 or 0.',
    amount_unreadable:
      '{param} is not an amount: write it with a period before the cents, such as 2,100.00 or $2,100.',
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
  files_waiting: limited(
    '{most} files of your account already wait to be read. Try again when one is done.',
    'Retry after the seconds in `Retry-After`.',
    { most: 4 },
  ),
} as const;
