/**
 * A summary of a request's faults for the log: by code and parameter, with the rows that have them, and without values.
 */
import type { ErrorCode, Fault } from '../../core/errors.ts';
import type { RefusedFault } from '../../store/promises/requests.ts';
import { loggedMessage } from './logged-message.ts';
import type { ParamMask } from './names.ts';

/** Kinds of faults logged of one request; those of further kinds are left out. */
const MAX_KINDS = 20;
/** Rows named of each kind; the others are counted. */
const MAX_ROWS = 20;

/** `param` may be a caller's own name. */
interface SentFault extends Pick<Fault, 'code' | 'values'> {
  readonly param?: string | undefined;
  /** The message as the caller got it, which may contain sent values. */
  readonly message?: string;
}

interface Kind {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly message?: string;
  readonly nearest?: string;
  count: number;
  readonly rows: number[];
}

export class FaultSummary {
  readonly #mask: ParamMask;
  readonly #kinds = new Map<string, Kind>();

  constructor(mask: ParamMask) {
    this.#mask = mask;
  }

  /** `row` is its number where the request brings many. */
  add(fault: SentFault, row?: number): void {
    const { code, param } = fault;
    const loggable = param === undefined ? undefined : this.#mask(param);
    const said = loggedMessage(fault, loggable, this.#mask);
    const name = `${code} ${loggable} ${said.nearest}`;
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      if (this.#kinds.size === MAX_KINDS) return;
      kind = { code, param: loggable, ...said, count: 0, rows: [] };
      this.#kinds.set(name, kind);
    }
    kind.count += 1;
    if (row !== undefined && kind.rows.length < MAX_ROWS && kind.rows.at(-1) !== row)
      kind.rows.push(row);
  }

  get size(): number {
    return this.#kinds.size;
  }

  /** The most frequent first. */
  list(): RefusedFault[] {
    return [...this.#kinds.values()]
      .sort((one, other) => other.count - one.count)
      .map(({ code, param, message, nearest, count, rows }) => ({
        code,
        ...(param === undefined ? {} : { param }),
        ...(message === undefined ? {} : { message }),
        ...(nearest === undefined ? {} : { nearest }),
        count,
        ...(rows.length === 0 ? {} : { rows }),
      }));
  }
}
