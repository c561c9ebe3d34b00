/**
 * Writes all that commands print: JSON for programs, aligned tables for people. Nothing else writes, so that nothing that
 * somebody else has written is obeyed by a terminal.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ListColumns } from '../core/objects/own-object.ts';
import { plain, plainJson, plainLines } from '../core/observe/plain.ts';

export { plain, plainJson };

/** Prints one JSON document. */
export function printJson(value: unknown): void {
  printLines(...jsonLines(value));
}

/** Prints each value as a line of JSON. */
export function printJsonLines(...values: readonly unknown[]): void {
  printLines(...values.map(jsonLine));
}

/** The lines of one JSON document, for `printLines`. */
export function jsonLines(value: unknown): readonly string[] {
  return plainJson(JSON.stringify(value, null, 2)).split('\n');
}

/** One line of JSON, for `printLines`. */
export function jsonLine(value: unknown): string {
  return plainJson(JSON.stringify(value));
}

/** Prints lines, each of which stays one line. */
export function printLines(...lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${plain(line)}\n`).join(''));
}

/** Prints a text of several lines, with its last line end. */
export function printText(text: string): void {
  process.stdout.write(plainLines(text));
}

/** Prints lines beside the result, on standard error. */
export function say(...lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${plain(line)}\n`).join(''));
}

/** Prints lines beside the result that somebody must read, on standard error. */
export function warn(...lines: readonly string[]): void {
  say(...lines.map((line) => `ledgerstone: ${line}`));
}

/** Prints bytes as they are, no faster than they are read; on a terminal, as a text. */
export async function pour(bytes: AsyncIterable<string | Uint8Array>): Promise<void> {
  const poured = isTerminal() ? shown(bytes) : bytes;
  await pipeline(Readable.from(poured, { objectMode: false }), process.stdout, { end: false });
}

async function* shown(bytes: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const some of bytes) {
    const text = typeof some === 'string' ? some : decoder.decode(some, { stream: true });
    // A table ends its lines with both; alone, the first one would write over its line.
    yield plainLines(text.replaceAll('\r', '').replaceAll('\t', '  '));
  }
}

/** Whether a person reads the result. */
export function isTerminal(): boolean {
  return process.stdout.isTTY;
}

/** Calls back once nobody reads the result any more. */
export function whenUnread(listener: () => void): void {
  process.stdout.once('error', listener);
}

/** Lets a reader stop early, as `head` does; ends the process, with a line, where the output cannot be written. */
export function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') return;
      if (stream !== process.stderr) warn(`The output could not be written: ${message}.`);
      process.exit(1);
    });
  }
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

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The seconds since a moment of the performance clock, to a tenth. */
export function secondsSince(began: number): number {
  return Number(((performance.now() - began) / 1000).toFixed(1));
}

/** `1 key`, `2,000 keys`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}

function width(text: string): number {
  return [...text].length;
}

/** Prints the value as JSON where that is wanted, and otherwise the lines that there are. */
export function print(
  json: true | undefined,
  value: unknown,
  ...lines: readonly (string | false)[]
): void {
  if (json) printJson(value);
  else printLines(...lines.filter((line) => line !== false));
}

/** The entries in their columns; the last column is left out where it says nothing. */
export function tableOf(columns: ListColumns, entries: readonly object[]): readonly string[] {
  const cells = columns.map((one) => {
    const [heading, cell] = typeof one === 'string' ? [headingOf(one).toUpperCase(), one] : one;
    const texts = entries.map((entry) =>
      textOf(typeof cell === 'string' ? entry[cell as never] : cell(entry as never)),
    );
    return { heading, texts };
  });
  if (cells.at(-1)?.texts.every((text) => text === '')) cells.pop();
  return align([
    cells.map(({ heading }) => heading),
    ...entries.map((_, row) => cells.map(({ texts }) => texts[row] || '-')),
  ]);
}

/** All members of an answer that say something, each under its heading; each text of a list on a line. */
export function rowsOf(answer: object): readonly string[] {
  return align(
    Object.entries(answer)
      .filter(([name]) => name !== 'object')
      .flatMap(([name, value]) => {
        const texts = (Array.isArray(value) ? value : [value]).map(textOf).filter(Boolean);
        return texts.map((text, at) => [at === 0 ? headingOf(name) : '', text]);
      }),
  );
}

/** `requests_at_once`: Requests at once; `revoked_at`: Revoked. */
function headingOf(name: string): string {
  if (name === 'unique_identifier') return 'ID';
  if (name === 'inserted_at') return 'Created';
  const words = name.replace(/_at$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, one]) => [headingOf(name).toLowerCase(), textOf(one)])
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} ${text}`)
    .join(', ');
}

const EVERY_MS = 200;

/** A line that counts rows, and goes from the terminal when it is disposed of. */
export function countingProgress() {
  const line = progressLine();
  return {
    show: (what: string, rows: number): void => line.show(() => `${what}: ${count(rows, 'row')}`),
    clear: line.clear,
    [Symbol.dispose]: line.clear,
  };
}

/** A line that is written over, now and then, by what `text` makes. */
export function progressLine() {
  const { stderr } = process;
  let shownAt = 0;
  return {
    show(text: () => string): void {
      const now = performance.now();
      if (!stderr.isTTY || now - shownAt < EVERY_MS) return;
      shownAt = now;
      stderr.write(`\r\u001b[K${plain(text())}`);
    },
    clear(): void {
      if (shownAt > 0) stderr.write('\r\u001b[K');
      shownAt = 0;
    },
  };
}
