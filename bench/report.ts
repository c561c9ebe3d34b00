/** Results as a table for a terminal or a page. */
import type { Result } from './measure.ts';

const COLUMNS: readonly [string, (result: Result) => string][] = [
  ['connections', (one) => String(one.connections)],
  ['upserts/s', (one) => Math.round(one.perSecond).toLocaleString('en')],
  ['bare/s', (one) => Math.round(one.barePerSecond).toLocaleString('en')],
  ['ratio', (one) => one.ratio.toFixed(2)],
  ['p50 ms', (one) => one.p50Ms.toFixed(2)],
  ['p99 ms', (one) => one.p99Ms.toFixed(2)],
  ['max ms', (one) => one.maxMs.toFixed(1)],
  ['CPU service', (one) => one.serviceCpu.toFixed(2)],
  ['CPU load', (one) => one.loadCpu.toFixed(2)],
  ['MiB', (one) => one.residentMiB.toFixed(0)],
  ['failed', (one) => String(one.failed)],
];

/** One workload's results as a Markdown table. */
export function table(results: readonly Result[]): string {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...results.map((one) => COLUMNS.map(([, show]) => show(one))),
  ];
  const widths = COLUMNS.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] as string).length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padStart(widths[column] as number)).join(' | ')} |`;
  const [head, ...body] = rows.map(line);
  const rule = `|${widths.map((width) => `${'-'.repeat(width + 1)}:`).join('|')}|`;
  return [head, rule, ...body].join('\n');
}
