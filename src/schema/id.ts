/** Unique identifiers: a prefix and 22 base-62 characters of a 128-bit time-ordered value. */
import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Two characters at a time: a remainder and 32 more bits stay within exact doubles. */
const PAIR = 62 * 62;
const WORD = 2 ** 32;

/** Base 62 of a whole number, by the alphabet that sorts as text as it counts. */
function base62(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

const pairs = Array.from({ length: PAIR }, (_, value) => base62(value, 2));

/** 128 bits, the first word the highest, as 22 characters that sort as the value does. */
export function encode128(a: number, b: number, c: number, d: number): string {
  let [w, x, y, z] = [a, b, c, d];
  let text = '';
  for (let i = 0; i < 11; i++) {
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
    text = (pairs[part % PAIR] as string) + text;
  }
  return text;
}

/**
 * A maker of names for what happens in this process, each with 22 base-62
 * characters: 14 that are the process's own, at random, and a count. Cheaper
 * than unique identifiers, and of no order across processes.
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

/** The words of what `encode128` made; any other text is a fault of whoever asks. */
function decode128(text: string): readonly [a: number, b: number, c: number, d: number] {
  let value = 0n;
  for (const character of text) value = value * 62n + BigInt(ALPHABET.indexOf(character));
  const word = (shift: bigint) => Number((value >> shift) & 0xffff_ffffn);
  return [word(96n), word(64n), word(32n), word(0n)];
}

/**
 * A maker of unique identifiers, each greater as text than the one before it
 * with the same prefix, even when the clock goes back: 48 bits of milliseconds,
 * then 80 bits that start at random in each millisecond and grow by a random
 * step. Across processes the order holds to the millisecond, and as exactly
 * as within one where `latest` is given: one with the same prefix, which is
 * passed, too.
 */
export function createIdentifiers(
  now: () => number,
  random: (bytes: Uint8Array) => Uint8Array = randomFillSync,
): (prefix: string, latest?: string) => string {
  const pool = new Uint32Array(256);
  let unused = 0;
  const word = (): number => {
    if (unused === 0) {
      random(new Uint8Array(pool.buffer));
      unused = pool.length;
    }
    unused -= 1;
    return pool[unused] as number;
  };
  let time = 0;
  let high = 0;
  let middle = 0;
  let low = 0;
  const step = (): void => {
    low += 1 + word();
    if (low < WORD) return;
    low -= WORD;
    middle += 1;
    if (middle < WORD) return;
    middle -= WORD;
    high += 1;
  };
  const written = (prefix: string): string => {
    const a = Math.floor(time / 65_536) % WORD;
    const b = (time % 65_536) * 65_536 + high;
    return prefix + encode128(a, b, middle, low);
  };
  return (prefix, latest = '') => {
    const at = now();
    if (at > time) {
      time = at;
      // The top bit stays free, so that steps within one millisecond cannot run over.
      high = word() & 0x7fff;
      middle = word();
      low = word();
    } else {
      step();
    }
    const made = written(prefix);
    if (made > latest) return made;
    const [a, b, c, d] = decode128(latest.slice(prefix.length));
    time = a * 65_536 + Math.floor(b / 65_536);
    high = b % 65_536;
    middle = c;
    low = d;
    step();
    return written(prefix);
  };
}
