/** CSV as RFC 4180 has it: commas, and quotes around what holds a comma, a quote, a line end, or a space at its end. */

/** One line of a table, with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
