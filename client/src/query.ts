/** Parts of an address: the query `limit=10&event_datetime[gte]=…&expand[]=location`, and identifiers in paths. */
import { isExact } from './json.ts';

/** With its question mark; empty where there is nothing to say. What a query cannot say, `requireQuery` refuses. */
export function queryText(params: object): string {
  const pairs = Object.entries(params).flatMap(([name, value]) => pairsOf(name, value));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function pairsOf(name: string, given: unknown): string[] {
  if (given === undefined) return [];
  const { toJSON } = given as { readonly toJSON?: () => unknown };
  const value = toJSON === undefined || isExact(given) ? given : toJSON.call(given);
  if (Array.isArray(value)) return value.flatMap((one) => pairsOf(`${name}[]`, one));
  if (typeof value === 'object' && value !== null && !isExact(value))
    return Object.entries(value).flatMap(([member, one]) => pairsOf(`${name}[${member}]`, one));
  return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
}

/** An identifier as a part of a path. */
export function inPath(unique_identifier: string): string {
  if (typeof unique_identifier !== 'string' || unique_identifier === '')
    throw new TypeError('A unique_identifier is needed.');
  return encodeURIComponent(unique_identifier);
}
