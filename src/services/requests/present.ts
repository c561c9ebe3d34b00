/** The entries of the log of requests, as they are answered and printed. */
import { catalogue, type ErrorCode } from '../../core/errors.ts';
import {
  ACTIVITY_ORDER,
  type Activity,
  type ActivityName,
  type RefusedFault,
  type RefusedRequest,
} from '../../store/promises/requests.ts';

/** Members that are not known are left out. */
export function presentRefused(request: RefusedRequest): object {
  const { request_id, time, key, account, authentication, address, method, path, status, code } =
    request;
  const numbers = request.rows?.numbered ?? 'elements';
  return {
    object: 'request',
    request_id,
    time: isoTime(time),
    ...known({ key, account, authentication, address }),
    method,
    path,
    status,
    code,
    message: messageOf(request.faults.find((fault) => fault.code === code) ?? { code }),
    errors: request.faults.map(({ rows, count, ...fault }) => ({
      ...fault,
      message: messageOf(fault),
      count,
      ...(rows === undefined ? {} : { [numbers]: rows }),
    })),
    ...(request.rows === null ? {} : { rows: request.rows.counts }),
  };
}

/** The message that the caller got, or the same without what they sent. */
export function messageOf({ code, message, nearest }: Omit<RefusedFault, 'count'>): string {
  const said = message ?? (isCode(code) ? catalogue[code].message : code);
  return nearest === undefined
    ? said
    : `${said} The known name that is most like it is ${nearest}.`;
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(catalogue, code);
}

export function presentActivity(activity: Activity): object {
  const { hour, account, key, anchor, resource, outcome, count, last_at } = activity;
  return {
    object: 'activity',
    hour: isoTime(hour),
    ...known({ account, key, location: anchor, resource }),
    outcome,
    count,
    last_at: isoTime(last_at),
    cursor: cursorOf(activity),
  };
}

/** Names an entry, so that a list can go on after it. */
export function cursorOf(activity: ActivityName): string {
  return Buffer.from(JSON.stringify(ACTIVITY_ORDER.map((name) => activity[name]))).toString(
    'base64url',
  );
}

/** The name in a cursor; `undefined` where it is not a cursor. */
export function nameIn(cursor: string): ActivityName | undefined {
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(values) || values.length !== ACTIVITY_ORDER.length) return undefined;
  const name = Object.fromEntries(ACTIVITY_ORDER.map((member, index) => [member, values[index]]));
  const isName = Object.entries(name).every(([member, value]) =>
    member === 'hour'
      ? Number.isSafeInteger(value)
      : typeof value === 'string' && !value.includes('\0'),
  );
  return isName ? (name as unknown as ActivityName) : undefined;
}

/** In UTC, with its milliseconds. */
function isoTime(time: number): string {
  return new Date(time).toISOString();
}

function known(members: { readonly [name: string]: string | null }): object {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== ''),
  );
}
