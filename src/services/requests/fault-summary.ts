/** A summary of a request's faults for the log, without values: by code and parameter, with the rows that have them. */
import { type ErrorCode, type Fault, generalOf } from '../../core/errors.ts';
import type { RefusedFault } from '../../store/promises/requests.ts';
import type { ParamMask } from './names.ts';

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

interface SaidFault {
  readonly code: ErrorCode;
  readonly param?: string | undefined;
  readonly message?: string;
  readonly values?: Fault['values'];
}

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
  { code, param, message = '', values }: SaidFault,
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
