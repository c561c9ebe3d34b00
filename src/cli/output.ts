/** Prints results: JSON for programs, aligned tables for people. */

/** Prints one JSON document. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLines(...lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** The rows under their headings, each column as wide as its widest text. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  return align([headings, ...rows]);
}

/** The rows, each column as wide as its widest text. */
export function align(rows: readonly (readonly string[])[]): readonly string[] {
  const shown = rows.map((row) => row.map(plain));
  const widths: number[] = [];
  for (const row of shown) {
    for (const [column, text] of row.entries()) {
      // The last text of a row has nothing after it to be aligned.
      const needed = column === row.length - 1 ? 0 : width(text);
      widths[column] = Math.max(widths[column] ?? 0, needed);
    }
  }
  return shown.map((row) =>
    row
      .map((text, column) => text.padEnd(text.length + (widths[column] ?? 0) - width(text)))
      .join('  ')
      .trimEnd(),
  );
}

/** A text that a terminal shows and does not obey: without control characters and changes of direction. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/** `1 key`, `2,000 keys`. */
export function count(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;
}

function width(text: string): number {
  return [...text].length;
}

/** Prints the value as JSON where that is wanted, and otherwise the lines. */
export function print(json: true | undefined, value: unknown, ...lines: readonly string[]): void {
  if (json) printJson(value);
  else printLines(...lines);
}
