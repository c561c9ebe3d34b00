/** The first rows of a file of refused rows, as they are shown: the number of each, and why. */

export type RefusedRow = readonly [number: string, why: string];

const SHOWN = 20;
/** A number and a text: the two cells with which each row of the file begins. */
const BEGINNING = /^(\d+),(?:"((?:[^"]|"")*)"|([^",\r\n]*))/;

export function refusedRows(text: string): readonly RefusedRow[] {
  const rows: RefusedRow[] = [];
  // A cell may contain a line break: a line that does not begin as a row does continues one.
  for (const line of text.split(/\r\n/)) {
    const [, number, quoted, plain] = BEGINNING.exec(line) ?? [];
    if (number !== undefined)
      rows.push([number, quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"')]);
    if (rows.length === SHOWN) break;
  }
  return rows;
}
