/** Tells which servers of a cluster have to answer a statement, by its text. */
import { prepared } from '../statements/prepare.ts';
import { call, type Statement } from '../wire/session.ts';
import type { Sessions } from '../wire/sessions.ts';

type Reach = 'alone' | 'all' | number;

/** Tables that a statement reads, and the value that says the account of each. */
const TABLES = /\b(?:FROM|JOIN)\s+"?([a-z_]+)"?/gi;
const ACCOUNT = /\baccount = \(?(?:SELECT )?\$(\d+)/g;

/**
 * Tells which servers a statement asks: one `alone`, as each has a copy of what it reads; that of the account in the
 * value of this place; or `all`.
 */
export function createReach(spread: ReadonlySet<string>) {
  const known = new Map<string, Reach>();

  function reachIn(text: string): Reach {
    const tables = [...text.matchAll(TABLES)].filter(([, table = '']) => spread.has(table));
    if (tables.length === 0) return 'alone';
    const said = [...text.matchAll(ACCOUNT)].map(([, place]) => Number(place) - 1);
    const [first = 0] = said;
    const isOne = said.length >= tables.length && said.every((place) => place === first);
    return isOne ? first : 'all';
  }

  return ({ text }: Statement<readonly unknown[]>) =>
    known.getOrInsertComputed(text, () => reachIn(text));
}

const answering = prepared<readonly [number]>`SELECT 1`;

/** Whether the server of these sessions answers. */
export function answers(sessions: Sessions): Promise<boolean> {
  return sessions.rows(call(answering)).then(
    () => true,
    () => false,
  );
}
