/** Why rows were rejected: what is alike but for its values is told once, with how often it was. */
import { count } from '../../../cli/output.ts';
import { cellsOf, RecordEnds } from '../../../core/schema/csv/cells.ts';
import type { RejectedRow } from '../serves/rejected.ts';

/** Reasons that are told; the others are counted. */
const TOLD = 5;
/** Reasons that are kept apart. */
const MOST = 1_000;

export interface Reason {
  readonly file: string;
  /** The number of the first row of which it is said. */
  readonly row: number;
  readonly message: string;
  rows: number;
}

export type Reasons = ReturnType<typeof createReasons>;

export function createReasons() {
  const kinds = new Map<string, Reason>();
  const all = () => [...kinds.values()].sort((one, other) => other.rows - one.rows);
  return {
    add(file: string, rows: readonly Pick<RejectedRow, 'number' | 'error'>[]): void {
      for (const { number: row, error: message } of rows) {
        const kind = message.replaceAll(/"[^"]*"/g, '""').replaceAll(/\d+/g, '0');
        const known = kinds.get(kind);
        if (known !== undefined) known.rows += 1;
        else if (kinds.size < MOST) kinds.set(kind, { file, row, message, rows: 1 });
      }
    },
    get all(): readonly Reason[] {
      return all();
    },
    /** Lines for people. `ofFile` says whether they name the file. */
    lines(ofFile: boolean): readonly string[] {
      const [told, others] = [all().slice(0, TOLD), all().slice(TOLD)];
      const left = others.reduce((sum, { rows }) => sum + rows, 0);
      return [
        ...told.map(({ file, row, message, rows }) => {
          const where = `row ${row}${ofFile ? ` of ${file}` : ''}`;
          return rows === 1
            ? `Rejected, ${where}: ${message}`
            : `Rejected, ${count(rows, 'row')}, first ${where}: ${message}`;
        }),
        ...(left > 0 ? [`Rejected, ${count(left, 'row')} for other reasons.`] : []),
      ];
    },
  };
}

/** Reads the rows of a file of rejected rows: a table, or JSON lines. */
export function rejectedIn(text: string): readonly Pick<RejectedRow, 'number' | 'error'>[] {
  if (text.startsWith('{'))
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [, number = '', error = '""'] =
          /^\{"_row":(\d+),"_error":("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
        return { number: Number(number), error: JSON.parse(error) };
      });
  const bytes = Buffer.from(text);
  const ends = new RecordEnds(',');
  const rows: Pick<RejectedRow, 'number' | 'error'>[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = ends.find(bytes, from);
    const upto = end < 0 ? bytes.length : end;
    const cells = cellsOf(bytes.subarray(from, upto), ',');
    if (from > 0 && !('says' in cells)) {
      const [number = '', error = ''] = cells;
      rows.push({ number: Number(number), error });
    }
    from = upto + 1;
  }
  return rows;
}
