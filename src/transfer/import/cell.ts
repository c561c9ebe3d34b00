/** Converts the cells of a column to what their field accepts, where that is certain. */
import { BOOLEANS } from './body.ts';
import { type DateRules, type Read, readDate, readDateTime } from './dates.ts';
import type { FieldTarget } from './target.ts';

export interface CellRules extends DateRules {
  /** Whether phone numbers without a country are those of the United States. */
  readonly usPhones: boolean;
}

/** As spreadsheet programs write long numbers once they have lost their digits. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?E[+]?\d+$/i;
const FORMULA_ERRORS = new Set([
  ...['#DIV/0!', '#N/A', '#NAME?', '#NULL!', '#NUM!', '#REF!', '#VALUE!', '#SPILL!', '#CALC!'],
]);
const US_PHONE = /^\s*(?:\+?1[\s.-]*)?\(?(\d{3})\)?[\s.-]*(\d{3})[\s.-]*(\d{4})\s*$/;

export function readCell({ kind, name, holds }: FieldTarget, cell: string, rules: CellRules): Read {
  if (cell === '') return { value: '' };
  if (FORMULA_ERRORS.has(cell)) return { fault: `is the error ${cell} of a formula` };
  const isPhone = kind.endsWith('phone number');
  if (
    (isPhone || name.endsWith('identifier') || name.endsWith('postal_code')) &&
    SHORTENED.test(cell.trim())
  ) {
    return {
      fault:
        'was shortened by a spreadsheet program: format the column as text there, and enter it again',
    };
  }
  if (holds === 'boolean' && !BOOLEANS.has(cell.trim().toLowerCase())) {
    return { fault: 'must be yes or no, y or n, true or false, 1 or 0' };
  }
  if (kind.startsWith('date') && /^\d{5}(?:\.\d+)?$/.test(cell)) {
    return {
      fault: 'is a date as spreadsheet programs count it: format the column as a date there',
    };
  }
  if (kind === 'date') return readDate(cell, rules);
  if (kind === 'date and time') return readDateTime(cell, rules);
  if (isPhone && rules.usPhones) {
    const [, area, exchange, line] = US_PHONE.exec(cell) ?? [];
    if (area !== undefined) return { value: `+1${area}${exchange}${line}` };
  }
  return { value: cell };
}
