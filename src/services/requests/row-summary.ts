/** A summary of a bulk request for the log: counts by outcome or code, and the numbers of refused rows. */
import { ApiError, type ErrorCode, type Fault, generalOf } from '../../core/errors.ts';
import type { RefusedFault } from '../../store/promises/requests.ts';
import { MOST_FINGERPRINTS } from './fingerprints.ts';
import type { ParamMask } from './names.ts';

/** How the rows of a request are numbered in its answer: lines from 1, elements of an array from 0. */
type RowNumbering = 'lines' | 'elements';

/** A row that was done. */
interface DoneRow {
  readonly outcome: string;
  /** Where its record belongs; `undefined` where that is not known. */
  readonly account?: string | undefined;
  readonly anchor?: string | null | undefined;
}

/** Distinct places in one request; rows at further ones are counted without their place. */
const MAX_PLACES = 1_000;

/** Rows of one outcome in one place. */
interface RowsPlace {
  readonly account: string | undefined;
  readonly anchor: string | null;
  readonly outcome: string;
  count: number;
}

export type RowSummary = ReturnType<typeof createRowSummary>;

/** `as` is the outcome of every row in a repeated request or a dry run. */
export function createRowSummary(
  numbered: RowNumbering,
  mask: ParamMask,
  as?: 'replayed' | 'rehearsed',
) {
  const faults = createFaultSummary(mask);
  /** By outcome, or by the code of the first fault. */
  const counts = new Map<string, number>();
  const places = new Map<string, RowsPlace>();
  let refused = 0;
  /** The caller's own identifiers of the first rows that were refused. */
  const identifiers = new Set<string>();
  let unnamed = false;

  function count(what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }

  return {
    numbered,
    faults,
    counts,
    identifiers,
    add(number: number, row: DoneRow | ApiError, identifierOf?: () => string | undefined): void {
      if (row instanceof ApiError) {
        const identifier = identifiers.size < MOST_FINGERPRINTS ? identifierOf?.() : undefined;
        if (identifier === undefined) unnamed = true;
        else identifiers.add(identifier);
        count(row.code);
        refused += 1;
        for (const fault of row.faults) faults.add(fault, number);
        return;
      }
      const outcome = as ?? row.outcome;
      count(outcome);
      const known = places.size < MAX_PLACES ? row : undefined;
      const { account, anchor = null } = known ?? {};
      const name = `${account} ${anchor} ${outcome}`;
      places.getOrInsertComputed(name, () => ({ account, anchor, outcome, count: 0 })).count += 1;
    },
    get places(): Iterable<RowsPlace> {
      return places.values();
    },
    /** Whether rows were refused whose identifiers are not among those. */
    get unnamed(): boolean {
      return unnamed;
    },
    get refused(): number {
      return refused;
    },
  };
}

/** Codes whose messages consist of declared names, numbers and our own words. */
const OURS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['parameter_missing', 'type_invalid', 'text_too_long', 'value_too_large'] as const),
  ...(['datetime_invalid', 'datetime_offset_missing', 'date_invalid'] as const),
  ...(['number_out_of_range', 'array_length_invalid', 'nesting_too_deep'] as const),
  ...(['json_invalid', 'encoding_invalid', 'body_too_large', 'rows_too_many'] as const),
  ...(['permission_denied', 'request_timeout'] as const),
  ...(['rate_limited', 'memory_limited', 'service_unavailable'] as const),
]);
/** Longer messages list things. */
const LONGEST = 300;

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

export type FaultSummary = ReturnType<typeof createFaultSummary>;

export function createFaultSummary(mask: ParamMask) {
  const kinds = new Map<string, Kind>();

  return {
    /** `row` is its number where the request brings many. */
    add(fault: SentFault, row?: number): void {
      const { code, param } = fault;
      const loggable = param === undefined ? undefined : mask(param);
      const said = loggedMessage(fault, loggable, mask);
      const name = `${code} ${loggable} ${said.nearest}`;
      let kind = kinds.get(name);
      if (kind === undefined) {
        if (kinds.size === MAX_KINDS) return;
        kind = { code, param: loggable, ...said, count: 0, rows: [] };
        kinds.set(name, kind);
      }
      kind.count += 1;
      if (row !== undefined && kind.rows.length < MAX_ROWS && kind.rows.at(-1) !== row)
        kind.rows.push(row);
    },
    get size(): number {
      return kinds.size;
    },
    list(): RefusedFault[] {
      return [...kinds.values()]
        .sort((one, other) => other.count - one.count)
        .map(({ code, param, message, nearest, count, rows }) => ({
          code,
          ...(param === undefined ? {} : { param }),
          ...(message === undefined ? {} : { message }),
          ...(nearest === undefined ? {} : { nearest }),
          count,
          ...(rows.length === 0 ? {} : { rows }),
        }));
    },
  };
}

/** `loggable` is the parameter as it may be logged. */
function loggedMessage(
  { code, param, message = '', values }: SentFault,
  loggable: string | undefined,
  mask: ParamMask,
): { readonly message?: string; readonly nearest?: string } {
  if (code === 'parameter_unknown') {
    const nearest = values?.nearest;
    return typeof nearest === 'string' && mask(nearest) === nearest ? { nearest } : {};
  }
  return OURS.has(generalOf(code)) &&
    param === loggable &&
    message !== '' &&
    message.length <= LONGEST
    ? { message }
    : {};
}
