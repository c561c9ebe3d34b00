/** Unique identifiers: a prefix and 22 base-62 characters of a 128-bit time-ordered value. */
import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Two characters at a time: a remainder and 32 more bits stay within exact doubles. */
const PAIR = 62 * 62;
const WORD = 2 ** 32;

/** After every identifier. */
export const LAST_IDENTIFIER = '\u{10ffff}';

/** Base 62, by the alphabet that sorts as text as it counts. */
const pairs = Array.from(
  { length: PAIR },
  (_, value) => ALPHABET.charAt(Math.floor(value / 62)) + ALPHABET.charAt(value % 62),
);

/** A value of 128 bits by its pairs of characters, the highest first. */
const DIGITS = 11;

/** 128 bits, the first word the highest, as numbers below `PAIR`. */
function digits128(a: number, b: number, c: number, d: number): number[] {
  let [w, x, y, z] = [a, b, c, d];
  const digits: number[] = new Array(DIGITS).fill(0);
  for (let i = DIGITS - 1; i >= 0; i--) {
    let rest = w % PAIR;
    w = Math.floor(w / PAIR);
    let part = rest * WORD + x;
    x = Math.floor(part / PAIR);
    rest = part % PAIR;
    part = rest * WORD + y;
    y = Math.floor(part / PAIR);
    rest = part % PAIR;
    part = rest * WORD + z;
    z = Math.floor(part / PAIR);
    digits[i] = part % PAIR;
  }
  return digits;
}

function textOf(digits: readonly number[], from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += pairs[digits[i] as number] as string;
  return text;
}

/** 128 bits, the first word the highest, as 22 characters that sort as the value does. */
export function encode128(a: number, b: number, c: number, d: number): string {
  return textOf(digits128(a, b, c, d), 0, DIGITS);
}

/**
 * A maker of names for what happens in this process, each with 22 base-62 characters: 14 that are the process's own, at
 * random, and a count. Cheaper than unique identifiers, and of no order across processes.
 */
export function createSequence(
  prefix: string,
  random: (bytes: Uint8Array) => Uint8Array = randomFillSync,
): () => string {
  const [a = 0, b = 0, c = 0] = new Uint32Array(random(new Uint8Array(12)).buffer);
  const start = prefix + encode128(0, a, b, c).slice(-14);
  let count = 0;
  return () => {
    count += 1;
    let text = '';
    for (let rest = count, part = 0; part < 4; part++, rest = Math.floor(rest / PAIR)) {
      text = (pairs[rest % PAIR] as string) + text;
    }
    return start + text;
  };
}

/** The digits of what `encode128` made; any other text is a fault of the caller. */
function digitsOf(text: string): number[] {
  return Array.from(
    { length: DIGITS },
    (_, i) => ALPHABET.indexOf(text.charAt(2 * i)) * 62 + ALPHABET.indexOf(text.charAt(2 * i + 1)),
  );
}

function bitsOf(digits: readonly number[]): bigint {
  return digits.reduce((sum, digit) => sum * BigInt(PAIR) + BigInt(digit), 0n);
}

/** The 128 bits of 22 base-62 characters; `undefined` where they would be more. */
export function decode128(text: string): bigint | undefined {
  const value = bitsOf(digitsOf(text));
  return value >> 128n === 0n ? value : undefined;
}

/** A maker of numbers of 32 random bits, which asks the system for many at a time: that takes hardly longer than for one. */
export function createWords(random: (bytes: Uint8Array) => Uint8Array = randomFillSync) {
  const pool = new Uint32Array(256);
  let unused = 0;
  return (): number => {
    if (unused === 0) {
      random(new Uint8Array(pool.buffer));
      unused = pool.length;
    }
    unused -= 1;
    return pool[unused] as number;
  };
}

/** Digits that a step within one millisecond nearly always leaves as they are. */
const STEADY = 7;

/**
 * A maker of unique identifiers, each greater as text than the one before it with the same prefix, even when the clock
 * goes back: 48 bits of milliseconds, then 80 bits that start at random in each millisecond and grow by a random step.
 * Across processes the order holds to the millisecond, and as exactly as within one where `latest` is given: one with
 * the same prefix, which is passed, too.
 */
export function createIdentifiers(
  now: () => number,
  random: (bytes: Uint8Array) => Uint8Array = randomFillSync,
): (prefix: string, latest?: string) => string {
  const word = createWords(random);
  let time = 0;
  let digits = digits128(0, 0, 0, 0);
  /** The characters of the steady ones of the digits. */
  let steady = '';
  const goTo = (to: number[], at: number): void => {
    time = at;
    digits = to;
    steady = textOf(digits, 0, STEADY);
  };
  const step = (): void => {
    let carry = 1 + word();
    let at = DIGITS;
    while (carry > 0) {
      at -= 1;
      const sum = (digits[at] as number) + carry;
      digits[at] = sum % PAIR;
      carry = Math.floor(sum / PAIR);
    }
    if (at < STEADY) steady = textOf(digits, 0, STEADY);
  };
  return (prefix, latest = '') => {
    const at = now();
    if (at > time) {
      const a = Math.floor(at / 65_536) % WORD;
      // The top bit of what is random stays free, so that steps within one millisecond cannot run over.
      const b = (at % 65_536) * 65_536 + (word() & 0x7fff);
      goTo(digits128(a, b, word(), word()), at);
    } else {
      step();
    }
    const made = prefix + steady + textOf(digits, STEADY, DIGITS);
    if (made > latest) return made;
    const passed = digitsOf(latest.slice(prefix.length));
    goTo(passed, Number(bitsOf(passed) >> 80n));
    step();
    return prefix + steady + textOf(digits, STEADY, DIGITS);
  };
}

const FORM = /^[0-9A-Za-z]{22}$/;

/** The place of a change in the log of its account, and its commit: the parts of an identifier. */
export interface Cursor {
  readonly position: number;
  /** The index among the changes of the commit: 0, 1, 2, … */
  readonly place: number;
  /** 48 random bits that distinguish the commit from any other with that position. */
  readonly token: number;
}

/** Makes and reads identifiers with that prefix; a text that is none of the account is read as `undefined`. */
function cursorsWith(prefix: string) {
  const write = (account: string, cursor: Cursor): string => prefix + encodeCursor(account, cursor);
  const read = (account: string, text: string): Cursor | undefined =>
    text.startsWith(prefix) ? decodeCursor(account, text.slice(prefix.length)) : undefined;
  return [write, read] as const;
}

export const [changeId, readChangeId] = cursorsWith('chg_');

/** A removal is named by the change that removed its first record. */
export const [removalId, readRemovalId] = cursorsWith('rem_');

/** 40 bits of position, 20 of place, 48 of token, 20 of the account. */
function encodeCursor(account: string, { position, place, token }: Cursor): string {
  const [high, low] = [Math.floor(token / 2 ** 44), token % 2 ** 44];
  return encode128(
    Math.floor(position / 2 ** 8),
    (((position % 2 ** 8) << 24) | (place << 4) | high) >>> 0,
    Math.floor(low / 2 ** 12),
    (((low % 2 ** 12) << 20) | checkOf(account)) >>> 0,
  );
}

function decodeCursor(account: string, text: string): Cursor | undefined {
  if (!FORM.test(text)) return undefined;
  const bits = decode128(text);
  if (bits === undefined || Number(bits & 0xfffffn) !== checkOf(account)) return undefined;
  return {
    position: Number(bits >> 88n),
    place: Number((bits >> 68n) & 0xfffffn),
    token: Number((bits >> 20n) & 0xffffffffffffn),
  };
}

/** FNV-1a, folded to 20 bits: distinguishes a change of one account from those of others that the same caller has. */
function checkOf(account: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < account.length; at++) {
    hash = Math.imul(hash ^ account.charCodeAt(at), 0x01000193);
  }
  return ((hash >>> 12) ^ hash) & 0xfffff;
}

/** Begins the identifier of a notification of no change of a record. */
export const OF_NO_CHANGE = 'msg_';
