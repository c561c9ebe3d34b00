/** What a value of JavaScript says in a request. What cannot be said is a `TypeError` that names it: nothing is left out but `undefined`. */
import { isExact, toJson } from './json.ts';

const ANYTHING =
  'send a string, a finite number, a boolean, a Date, an array or a plain object, such as { ...it }.';
const INSTEAD: Readonly<Record<string, string>> = {
  Promise: 'await it first.',
  Map: 'send Object.fromEntries(it).',
  Set: 'send an array, [...it].',
};

/** `name` is the path of a member: `seating.rows[2]`. */
export function unsaid(name: string, what: string, instead = ANYTHING): TypeError {
  return new TypeError(`${name} is ${what}, which a request cannot say: ${instead}`);
}

/** What is written of the value: itself, or what its `toJSON` gives. Throws a `TypeError` for what JSON would leave out, or write as something else. */
export function said(given: unknown, name: string): unknown {
  const { toJSON } = (given ?? {}) as { readonly toJSON?: unknown };
  const value = typeof toJSON === 'function' && !isExact(given) ? toJSON.call(given, name) : given;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw unsaid(name, String(value), 'send a finite number.');
    case 'object':
      if (value === null && given !== null) throw unsaid(name, `no valid ${kindOf(given)}`);
      if (value === null || isExact(value) || Array.isArray(value) || isPlain(value)) return value;
  }
  const kind = kindOf(value);
  throw unsaid(name, kind === 'undefined' ? kind : `a ${kind}`, INSTEAD[kind]);
}

/** Whether its members are all there is of it, in this realm or another one: what a class has made may hold more than they show. */
export function isPlain(value: object): boolean {
  const above: unknown = Object.getPrototypeOf(value);
  return above === null || Object.getPrototypeOf(above) === null;
}

/** Whether it is of one of these kinds of the runtime, in this realm or another one, such as that of a runner of tests. */
export function isKind(value: unknown, ...kinds: readonly string[]): boolean {
  return kinds.includes(Object.prototype.toString.call(value).slice('[object '.length, -1));
}

/** Throws a `TypeError` for what would be empty if its members were looked at, such as a Map. */
export function requirePlain(value: object, name: string): void {
  if (Array.isArray(value) || !isPlain(value))
    throw unsaid(name, `a ${kindOf(value)}`, INSTEAD[kindOf(value)]);
}

function kindOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value;
  const { name } = value.constructor ?? {};
  return typeof name === 'string' && name !== '' ? name : 'object of a class';
}

/** The JSON of a body, as `toJson` writes it; `path` is what it is itself a member of. */
export function bodyText(value: unknown, path = ''): string {
  requireSaid(value, path);
  return toJson(value);
}

/** Throws a `TypeError` for the first member that cannot be said; `whole` is what all of it is called. */
export function requireSaid(
  given: unknown,
  path = '',
  whole = 'The body',
  above: readonly object[] = [],
): void {
  const name = path === '' ? whole : path;
  const value = said(given, name);
  if (typeof value !== 'object' || value === null || isExact(value)) return;
  if (above.includes(value)) throw unsaid(name, 'inside itself', 'send a copy without the circle.');
  const inside = [...above, value];
  if (Array.isArray(value)) {
    // By its length: `forEach` passes over what is missing.
    for (let at = 0; at < value.length; at += 1)
      requireSaid(value[at], `${path}[${at}]`, whole, inside);
    return;
  }
  for (const [member, one] of Object.entries(value))
    if (one !== undefined)
      requireSaid(one, path === '' ? member : `${path}.${member}`, whole, inside);
}

/** Lists that add something: with none of it nothing is added, while any other list that is empty would find everything. */
const ADDS = /^(?:expand|include)$/;

/** Throws a `TypeError` for what a query cannot say: null, what is empty, and half a character. */
export function requireQuery(params: object): void {
  requirePlain(params, 'The query');
  requireSaid(params, '', 'The query');
  for (const [name, value] of Object.entries(params)) {
    const isNone = ADDS.test(name) && Array.isArray(value) && value.length === 0;
    if (value !== undefined && !isNone) requireAsked(value, name);
  }
}

function requireAsked(given: unknown, name: string): void {
  const value = said(given, name);
  if (value === null) throw unsaid(name, 'null', 'leave it out.');
  if (typeof value === 'string') {
    if (/\p{Surrogate}/u.test(value)) throw unsaid(name, 'half a character');
  } else if (typeof value === 'object' && !isExact(value)) {
    const members = Object.entries(value);
    // Left out, it would find everything.
    if (members.length === 0) throw unsaid(name, 'empty', 'leave it out where all are meant.');
    for (const [member, one] of members)
      if (one !== undefined) requireAsked(one, `${name}.${member}`);
  }
}
