/** The message of a fault for the log, if it has no sent values; for an unknown name, the most similar known one. */
import { type ErrorCode, type Fault, generalOf } from '../../core/errors.ts';
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

/** `loggable` is the parameter as it may be logged. */
export function loggedMessage(
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
