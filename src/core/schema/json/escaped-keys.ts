/**
 * Reads JSON texts in which keys are escaped, since V8 reads some of those wrongly: where an earlier text had a key
 * that ends in a backslash, it takes any escaped key at that place for that one, from any sender (Node's issue 63785,
 * open in November 2026). So V8 is given none.
 */
import { randomUUID } from 'node:crypto';
import type { Json } from '../values.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Begins the keys that V8 is given in place of others. No sender knows it, so no text has it. */
const MARK = randomUUID();

type Revive = (value: unknown, context: { readonly source?: string }) => unknown;

/** Whether a key of the text has an escape, if it is JSON. */
export function hasEscapedKey(text: string): boolean {
  return text.includes('\\') && escapedKeys(text).next().done !== true;
}

/** As `JSON.parse`, with the very keys of the text; `revive` is given each value with its source, innermost first. */
export function parseEscapedKeys(text: string, revive: Revive = (value) => value): Json {
  const stood: string[] = [];
  const numbers = new Map<string, number>();
  let plain = '';
  let copied = 0;
  for (const { start, end } of escapedKeys(text)) {
    const key = decoded(text.slice(start, end));
    // A key that is not a string is not JSON, and stays so.
    if (key === undefined) continue;
    const number = numbers.get(key) ?? stood.push(key) - 1;
    numbers.set(key, number);
    plain += `${text.slice(copied, start)}"${MARK}${number}"`;
    copied = end;
  }
  plain += text.slice(copied);
  return JSON.parse(plain, (_key, value, context) =>
    withKeys(stood, revive(value, context) as Json),
  ) as Json;
}

/** Puts the keys of the text back where others stood for them. */
function withKeys(stood: readonly string[], value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([key]) => key.startsWith(MARK))) return value;
  return Object.fromEntries(
    entries.map(([key, member]) => [
      key.startsWith(MARK) ? (stood[Number(key.slice(MARK.length))] as string) : key,
      member,
    ]),
  ) as Json;
}

/** Where the strings with an escape and a colon behind them begin and end, quotes included. */
function* escapedKeys(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = text.indexOf('"'); start >= 0; ) {
    let at = start + 1;
    let escaped = false;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code !== BACKSLASH) continue;
      escaped = true;
      at += 1;
    }
    const end = at + 1;
    if (escaped && hasColonNext(text, end)) yield { start, end };
    start = text.indexOf('"', end);
  }
}

function hasColonNext(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

function decoded(token: string): string | undefined {
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}
