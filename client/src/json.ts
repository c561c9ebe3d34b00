/** Reads and writes JSON with every number as it was sent. */

/** What tells an `ExactNumber`, also that of another copy of this package. A symbol cannot be cloned, so no clone is taken for an object of texts. */
const EXACT: unique symbol = Symbol.for('ledgerstone.ExactNumber') as never;

/** A number by the grammar of JSON. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * A number of JSON that JavaScript would show or send as another one: `12345678901234567890`, `1.10`, `1e400`, `-0`. `String(it)` is the number as it was sent,
 * and it is sent so again. Arithmetic throws a `TypeError`: choose `Number(String(it))`, which rounds, `BigInt(String(it))`, or a
 * library for decimals. `structuredClone` and `postMessage` throw a `DataCloneError`: pass on `toJson(…)`.
 */
export class ExactNumber {
  readonly kind: typeof EXACT = EXACT;
  /** As it stands in the JSON. */
  readonly text: string;

  /** Throws a `TypeError` if the text is no number of JSON. */
  constructor(text: string) {
    NUMBER.lastIndex = 0;
    if (NUMBER.exec(text)?.[0] !== text)
      throw new TypeError(`${JSON.stringify(text)} is no number of JSON, such as -12.50 or 1e400.`);
    this.text = text;
    Object.freeze(this);
  }

  toString(): string {
    return this.text;
  }

  /** For `JSON.stringify`: the number, or where the runtime has no `JSON.rawJSON` (Node 20) a string of it. */
  toJSON(): unknown {
    return written(this.text) ?? this.text;
  }

  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return this.text;
    throw new TypeError(
      `${this.text} does not fit into a number of JavaScript. Number(String(it)) rounds it; BigInt(String(it)) and libraries for decimals do not.`,
    );
  }
}

export function isExact(value: unknown): value is ExactNumber {
  return (value as Partial<ExactNumber> | null | undefined)?.kind === EXACT;
}

/**
 * The value of a JSON text, as `JSON.parse` gives it, but for numbers that JavaScript would print otherwise than they stand there: each
 * is an `ExactNumber`. Throws a `SyntaxError` if the text is not JSON. Takes any runtime: it needs no source text from `JSON.parse`.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const marked = MAY_CHANGE.test(text) ? withMarks(text) : text;
  if (marked === text) return value;
  const begins = mark();
  return JSON.parse(marked, (_name, one: unknown) =>
    typeof one === 'string' && one.startsWith(begins)
      ? new ExactNumber(one.slice(begins.length))
      : one,
  );
}

/** As `JSON.stringify`, on every runtime with each `ExactNumber` as it was sent; a `bigint` is a number, too. */
export function toJson(value: unknown, indent?: number): string {
  const outer = marking;
  const inner = { isUsed: false };
  marking = inner;
  let text: string;
  try {
    text = JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The one mistake that is none here: a bigint.
    text = JSON.stringify(
      value,
      (_name, one: unknown) => (typeof one === 'bigint' ? written(String(one)) : one),
      indent,
    );
  } finally {
    marking = outer;
  }
  if (!inner.isUsed) return text;
  return text.replaceAll(new RegExp(`"${mark()}([^"\\\\]*)"`, 'g'), '$1').replaceAll(mark(), '');
}

/** That `toJson` is writing, and whether it has to take marks out where the runtime writes no number of a given text. */
let marking: { isUsed: boolean } | undefined;

function written(text: string): unknown {
  const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };
  if (rawJSON !== undefined) return rawJSON(text);
  if (marking === undefined) return undefined;
  marking.isUsed = true;
  return mark() + text;
}

let ownMark: string | undefined;

/** Begins the texts that stand for numbers: nobody has sent it. Made late, since some workers have no random numbers while they load. */
function mark(): string {
  ownMark ??= Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return ownMark;
}

/** Finds a number that JavaScript might print otherwise, or something like it inside a text, which only takes longer. */
const MAY_CHANGE = /(?:^|[:,[\s])(?:-0|-?(?:\d+[.eE]|\d{16}))/;

const STRING_OR_NUMBER = /["\d-]/g;

/** The text, which is JSON, with a marked string for each number that JavaScript prints otherwise. */
function withMarks(text: string): string {
  let marked = '';
  let copied = 0;
  STRING_OR_NUMBER.lastIndex = 0;
  for (;;) {
    const start = STRING_OR_NUMBER.exec(text)?.index;
    if (start === undefined) return marked + text.slice(copied);
    if (text[start] === '"') {
      STRING_OR_NUMBER.lastIndex = endOfString(text, start);
      continue;
    }
    NUMBER.lastIndex = start;
    const token = NUMBER.exec(text)?.[0] ?? '';
    const end = start + token.length;
    STRING_OR_NUMBER.lastIndex = end;
    if (String(Number(token)) === token) continue;
    marked += `${text.slice(copied, start)}"${mark()}${token}"`;
    copied = end;
  }
}

/** Behind its second quote: the first one before which there is an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = end - 1;
    while (text[slashes] === '\\') slashes -= 1;
    if ((end - 1 - slashes) % 2 === 0) return end + 1;
  }
}
