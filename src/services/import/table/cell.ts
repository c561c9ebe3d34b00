/** Converts the cells of a column to what their parameter accepts, where that is certain. */
import type { Faults } from '../../../core/errors.ts';
import { cellValue } from '../../../core/schema/csv/row-object.ts';
import type { ColumnTarget } from '../../../core/schema/csv/targets.ts';
import type { Json } from '../../../core/schema/values.ts';
import { type DateRules, type Read, readDate, readDateTime } from './dates.ts';

export interface CellRules extends DateRules {
  /** Whether phone numbers without a country are those of the United States. */
  readonly usPhones: boolean;
}

/** As spreadsheet programs write long numbers once they have lost their digits. */
const SHORTENED = /^\s*[+-]?\d(?:[.,]\d+)?E[+]?\d+\s*$/i;
const FORMULA_ERROR = /^#(?:DIV\/0!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!|SPILL!|CALC!)$/;
const US_PHONE = /^\s*(?:\+?1[\s.-]*)?\(?(\d{3})\)?[\s.-]*(\d{3})[\s.-]*(\d{4})\s*$/;
/** As people and their programs write them. */
const YES = new Set(['true', 'yes', 'y', '1']);
const NO = new Set(['false', 'no', 'n', '0']);

/** The value that a cell sends; `undefined` for an empty one, and after a fault. */
export function readCell(
  target: ColumnTarget,
  cell: string,
  rules: CellRules,
  faults: Faults,
): Json | undefined {
  if (cell === '') return undefined;
  const read = converted(target, cell, rules);
  if ('value' in read) return readConstant(target, read.value, faults);
  faults.add(target.name, read.fault, read.values === undefined ? {} : { values: read.values });
  return undefined;
}

/** The value that the same text for every row sends. */
export function readConstant(target: ColumnTarget, text: string, faults: Faults): Json | undefined {
  const { name, holds } = target;
  if (holds === 'boolean') return truthOf(text) ?? text;
  // A number beyond a double is out of range, too.
  if (holds === 'number' && /^\d{1,40}$/.test(text)) return Number(text);
  if (holds !== 'list' || /^\s*\[/.test(text)) return cellValue(target, text, faults);
  const words = cellValue({ name, holds: 'text' }, text.trim(), faults);
  return typeof words === 'string' ? words.split(/\s+/) : undefined;
}

function converted({ kind, name, holds }: ColumnTarget, cell: string, rules: CellRules): Read {
  if (FORMULA_ERROR.test(cell)) return { fault: 'formula_error', values: { error: cell } };
  const isPhone = kind.endsWith('phone number');
  if (
    (isPhone || name.endsWith('identifier') || name.endsWith('postal_code')) &&
    SHORTENED.test(cell)
  ) {
    return { fault: 'digits_lost' };
  }
  if (holds === 'boolean' && truthOf(cell) === undefined) {
    return { fault: 'yes_or_no' };
  }
  if (kind.startsWith('date') && /^\d{5}(?:\.\d+)?$/.test(cell)) {
    return { fault: 'date_as_number' };
  }
  if (kind === 'date') return readDate(cell, rules);
  if (kind === 'date and time') return readDateTime(cell, rules);
  if (isPhone && rules.usPhones) {
    const [, area, exchange, line] = US_PHONE.exec(cell) ?? [];
    if (area !== undefined) return { value: `+1${area}${exchange}${line}` };
  }
  return { value: cell };
}

function truthOf(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
