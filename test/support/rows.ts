/** Rows for many upserts at once, and what is answered to them. */
import assert from 'node:assert/strict';
import { parseJson } from './parse-json.ts';
import type { Answer, Body, Sent } from './service.ts';
import type { World } from './world.ts';

export const LINES_TYPE = 'application/x-ndjson';

/** Sends rows as a JSON array: values, or the text as it is. */
export function sendArray(
  { service }: World,
  path: string,
  rows: readonly Body[] | string,
  { query = '', ...sent }: Sent & { readonly query?: string } = {},
): Promise<Answer> {
  return service.json(`/v1/${path}/upsert_many${query}`, rows, sent);
}

/** Sends lines as they are. */
export function sendLines(
  { service }: World,
  path: string,
  lines: string | Uint8Array,
  { query = '', headers, ...sent }: Sent & { readonly query?: string } = {},
): Promise<Answer> {
  return service.send('POST', `/v1/${path}/upsert_many${query}`, {
    ...sent,
    headers: { 'Content-Type': LINES_TYPE, ...headers },
    body: lines,
  });
}

/** The answers to the lines, and the last one, which sums up. */
export function answersIn(text: string): { readonly rows: Body[]; readonly last: Body } {
  assert.ok(text.endsWith('\n'), `The last line has no end: ${text.slice(-200)}`);
  const lines: Body[] = text.slice(0, -1).split('\n').map(parseJson);
  const last = lines.pop();
  assert.ok(last?.summary !== undefined, `The last line sums up nothing: ${text.slice(-200)}`);
  return { rows: lines, last };
}

/** What each row was answered, in short: its outcome, or the code of its error. */
export function inShort(rows: readonly Body[]): string[] {
  return rows.map((row) => row.outcome ?? row.error.code);
}

/** What rows come to together, as it is answered. */
export function summary(
  created: number,
  updated: number,
  unchanged: number,
  failed: number,
): Readonly<Record<string, number>> {
  return { created, updated, unchanged, failed };
}
