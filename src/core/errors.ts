/**
 * The two values that carry errors through the code: `Fault` (one thing wrong with
 * what was sent) and `ApiError` (an answer).
 */
import {
  type CatalogueEntry,
  catalogue,
  type ErrorCode,
  type ErrorType,
  type FaultValues,
  typeOfStatus,
} from './errors/catalogue.ts';
import { bracketed, inBrackets } from './errors/names.ts';

export * from './errors/catalogue.ts';

/** One thing that is wrong with what was sent. */
export interface Fault {
  /** Dotted path of the field, such as `image_urls.0`; absent where the whole request is meant. */
  readonly param?: string;
  readonly code: ErrorCode;
  /** Says what was wrong and what to send instead. */
  readonly message: string;
  /** Values that the message has of this request: a limit, what arrived instead. */
  readonly values?: FaultValues;
  /** Sentences for programs alone, which read them behind the message: what to send, and how. */
  readonly advice?: string;
}

/** The parts of a fault beyond its code. Without a message, it has the catalogue's. */
export interface Said {
  readonly message?: string;
  readonly values?: FaultValues;
  readonly advice?: string;
}

/** `{rows, plural, one {row} other {rows}}`, as ICU MessageFormat writes it. */
const PLURAL = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g;

/** The catalogue's message with these values, about what is called `param`; for a person, if `reader` says so. */
export function messageOf(
  code: ErrorCode,
  {
    param,
    values,
  }: { readonly param?: string | undefined; readonly values?: FaultValues | undefined },
  reader: 'program' | 'person' = 'program',
): string {
  const { message, person = message }: CatalogueEntry = catalogue[code];
  const known: FaultValues = { ...values, param: param ?? 'The body' };
  return (reader === 'person' ? person : message)
    .replace(PLURAL, (_, key: string, one: string, other: string) =>
      known[key] === 1 ? one : other,
    )
    .replace(/\{(\w+)\}/g, (_, key: string) => {
      const value = known[key] ?? '…';
      return typeof value === 'object' ? value.join(' or ') : String(value);
    });
}

/** How many faults one answer names; the rest are counted. */
export const MAX_NAMED_FAULTS = 100;

/**
 * Collects the faults of one request: the first ones, 100 of them where nothing else is said, in full, one for each
 * field, the rest as a count. What is said may be a function, so that a costly
 * sentence (a nearest name) is only made for a fault that will be named.
 */
export class Faults {
  readonly named: Fault[] = [];
  readonly #most: number;
  #params = new Set<string>();
  #unnamed = 0;
  #brackets = false;

  /** `most` is how many are named. */
  constructor(most = MAX_NAMED_FAULTS) {
    this.#most = most;
  }

  /** Reads a form or a query: messages of the faults spell names as those do, `person[full_name]`, and `param` has dots all the same. */
  inForm<Read>(read: () => Read): Read {
    const before = this.#brackets;
    this.#brackets = true;
    try {
      return read();
    } finally {
      this.#brackets = before;
    }
  }

  /** The dotted path as what is read now spells it. */
  spelt(path: string): string {
    return this.#brackets ? bracketed(path) : path;
  }

  get isFull(): boolean {
    return this.named.length >= this.#most;
  }

  /** `about`: what has one fault only, if not the parameter. */
  add(
    param: string | undefined,
    code: ErrorCode,
    said: string | Said | (() => string | Said) = {},
    about = param,
  ): void {
    if (this.isFull) {
      this.#unnamed += 1;
      return;
    }
    if (about !== undefined) {
      if (this.#params.has(about)) return;
      this.#params.add(about);
    }
    const details = typeof said === 'function' ? said() : said;
    const fault = faultOf(
      code,
      param,
      typeof details === 'string' ? { message: details } : details,
    );
    this.named.push(this.#brackets ? asFormSays(fault) : fault);
  }

  get count(): number {
    return this.named.length + this.#unnamed;
  }

  throwIfAny(): void {
    if (this.named.length > 0) throw new ApiError(this.named, { unnamed: this.#unnamed });
  }
}

interface ApiErrorDetails extends Said {
  param?: string;
  /** Headers that the answer must carry, such as `Allow` or `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/**
 * An answer that is an error. Its `code`, `param`, `message` and `values` are those of
 * its first fault. Only `http/error-response.ts` writes one to a wire.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, details?: ApiErrorDetails);
  constructor(faults: readonly Fault[], details?: { unnamed?: number; cause?: unknown });
  constructor(
    what: ErrorCode | readonly Fault[],
    details: ApiErrorDetails & { unnamed?: number } = {},
  ) {
    const faults = typeof what === 'string' ? [faultOf(what, details.param, details)] : what;
    const [first] = faults;
    if (first === undefined) throw new TypeError('An ApiError needs at least one fault.');
    const others = faults.length - 1 + (details.unnamed ?? 0);
    // Nobody reads the stack of an answer, and taking it is most of what a refusal costs.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(first.message + otherFaults(others, details.unnamed ?? 0), { cause: details.cause });
    Error.stackTraceLimit = limit;
    this.code = first.code;
    this.param = first.param;
    this.faults = faults;
    const { headers }: CatalogueEntry = catalogue[first.code];
    this.headers = { ...headers, ...details.headers };
  }

  get type(): ErrorType {
    return typeOfStatus(this.status);
  }

  get status(): number {
    return catalogue[this.code].status;
  }
}

/** A fault with the given message, or the catalogue's. */
export function faultOf(
  code: ErrorCode,
  param: string | undefined,
  { message, values, advice }: Said = {},
): Fault {
  const about = param === undefined ? { code } : { param, code };
  const more = advice === undefined ? {} : { advice };
  const said = { ...about, message: message ?? messageOf(code, { param, values }), ...more };
  return values === undefined ? said : { ...said, values };
}

/** The fault with names in its message as forms and queries spell them. */
export function asFormSays(fault: Fault): Fault {
  const { param, message } = fault;
  return param === undefined ? fault : { ...fault, message: inBrackets(message, param) };
}

/** The code of which this one is a case, or itself. */
export function generalOf(code: ErrorCode): ErrorCode {
  const { of = code }: CatalogueEntry = catalogue[code];
  return of as ErrorCode;
}

function otherFaults(others: number, unnamed: number): string {
  if (others === 0) return '';
  const rest = unnamed === 0 ? '' : `, of which ${unnamed} are only counted`;
  return ` (and ${others} more ${others === 1 ? 'fault' : 'faults'}, see errors${rest})`;
}
