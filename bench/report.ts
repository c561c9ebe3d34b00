/** Results as tables for a terminal or a page. */
import { cpus, totalmem } from 'node:os';
import type { Chart } from './chart.ts';

/** What a bench gives. */
export interface Report {
  readonly text: string;
  readonly json: object;
  readonly chart: Chart;
}

/** Titles of columns, and what stands in them. */
export type Columns<T> = readonly (readonly [string, (result: T) => string])[];

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

export function machine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${first?.model ?? 'processor'}, ${memory} GiB, Node ${process.versions.node}`;
}

/** A Markdown table for each workload, under its name. */
export function tables<T extends { readonly workload: string }>(
  columns: Columns<T>,
  results: readonly T[],
): string {
  const workloads = Map.groupBy(results, ({ workload }) => workload);
  return [...workloads].map(([name, of]) => [name, '', table(columns, of)].join('\n')).join('\n\n');
}

/** A Markdown table. */
export function table<T>(columns: Columns<T>, results: readonly T[]): string {
  const rows = [
    columns.map(([title]) => title),
    ...results.map((one) => columns.map(([, show]) => show(one))),
  ];
  const widths = columns.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] as string).length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padStart(widths[column] as number)).join(' | ')} |`;
  const [head, ...body] = rows.map(line);
  const rule = `|${widths.map((width) => `${'-'.repeat(width + 1)}:`).join('|')}|`;
  return [head, rule, ...body].join('\n');
}
