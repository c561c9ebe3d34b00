/** Parts of an address: the query `limit=10&event_datetime[gte]=…&expand[]=location`, and identifiers in paths. */
import { isExact } from './json.ts';
import { requirePlain, requireSaid, said, unsaid } from './said.ts';

/** Lists that add something: with none of it nothing is added, while any other list that is empty would find everything. */
const ADDS: ReadonlySet<string> = new Set(['expand', 'include']);

/** With its question mark; empty where there is nothing to say. Throws a `TypeError` for what a query cannot say, such as null. */
export function queryText(params: object, cursor: object = {}): string {
  requirePlain(params, 'The query');
  requireSaid(params, '', 'The query');
  const pairs = Object.entries({ ...params, ...defined(cursor) }).flatMap(([name, value]) =>
    ADDS.has(name) && Array.isArray(value) && value.length === 0 ? [] : pairsOf(name, value),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** What is undefined takes the place of nothing. */
const defined = (cursor: object): object =>
  Object.fromEntries(Object.entries(cursor).filter(([, value]) => value !== undefined));

function pairsOf(name: string, given: unknown): string[] {
  if (given === undefined) return [];
  const value = said(given, name);
  if (value === null) throw unsaid(name, 'null', 'leave it out.');
  if (typeof value !== 'object' || isExact(value))
    return [`${encoded(name, name)}=${encoded(String(value), name)}`];
  const members = Array.isArray(value)
    ? Array.from(value, (one) => [`${name}[]`, said(one, `${name}[]`)] as const)
    : Object.entries(value).map(([member, one]) => [`${name}[${member}]`, one] as const);
  // What is left out would find everything.
  if (members.length === 0)
    throw unsaid(name, 'empty', 'leave it out where it is to choose nothing.');
  return members.flatMap(([inner, one]) => pairsOf(inner, one));
}

function encoded(text: string, name: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw unsaid(name, 'a text with half a character');
  }
}

/** An identifier as a part of a path. */
export function inPath(unique_identifier: string): string {
  if (typeof unique_identifier !== 'string' || unique_identifier === '')
    throw new TypeError(
      `A unique_identifier is needed, and not ${unique_identifier === '' ? 'an empty text' : String(unique_identifier)}.`,
    );
  return encoded(unique_identifier, 'The unique_identifier');
}
