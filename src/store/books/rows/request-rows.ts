/** The log of requests as rows of tables, of whichever store. */
import type { Activity, RefusedRequest, RefusedRows } from '../../promises/requests.ts';

export type RefusedRow = readonly [
  request_id: string,
  time: number,
  key: string,
  of_account: string,
  authentication: string | null,
  address: string | null,
  method: string,
  path: string,
  status: number,
  code: string,
  faults: string,
  rows: string | null,
];

/** The columns of a `RefusedRow`, in its order. */
export const REFUSED_COLUMNS =
  'request_id, time, key, of_account, authentication, address, method, path, status, code, faults, rows';

export function refusedRow(request: RefusedRequest): RefusedRow {
  const { faults, rows } = request;
  return [
    request.request_id,
    request.time,
    request.key ?? '',
    request.account ?? '',
    request.authentication,
    request.address,
    request.method,
    request.path,
    request.status,
    request.code,
    JSON.stringify(faults),
    rows && JSON.stringify(rows),
  ];
}

export function toRefused(row: RefusedRow): RefusedRequest {
  const [request_id, time, key, of_account, authentication, address, ...rest] = row;
  const [method, path, status, code, faults, rows] = rest;
  return {
    request_id,
    time,
    key: key === '' ? null : key,
    account: of_account === '' ? null : of_account,
    authentication,
    address,
    method,
    path,
    status,
    code,
    faults: JSON.parse(faults) as RefusedRequest['faults'],
    rows: rows === null ? null : (JSON.parse(rows) as RefusedRows),
  };
}

/** A code as it is looked for among all of a request. */
export function spaced(code: string): string {
  return ` ${code} `;
}

/** A mark as it stands among the codes, of which none begins so. */
export function spacedMark(mark: string): string {
  return spaced(`=${mark}`);
}

/** All that a request is found by: codes of its answer, its faults and its rows, and marks. */
export function codesOf({ code, faults, rows, marks = [] }: RefusedRequest): string {
  const codes = [
    ...[code, ...faults.map((fault) => fault.code), ...Object.keys(rows?.counts ?? {})],
    ...marks.map((mark) => `=${mark}`),
  ];
  return spaced([...new Set(codes)].join(' '));
}

export type ActivityRow = readonly [
  of_account: string,
  hour: number,
  key: string,
  anchor: string,
  resource: string,
  outcome: string,
  count: number,
  last_at: number,
];

/** What identifies an `ActivityRow`, and all of its columns in their order. */
export const ACTIVITY_NAME = 'of_account, hour, key, anchor, resource, outcome';
export const ACTIVITY_COLUMNS = `${ACTIVITY_NAME}, count, last_at`;
/** From the last to the first. */
export const ACTIVITY_BACKWARDS = ACTIVITY_NAME.replaceAll(',', ' DESC,').concat(' DESC');

export function activityRow(one: Activity): ActivityRow {
  const { account, hour, key, anchor, resource, outcome, count, last_at } = one;
  return [account, hour, key, anchor, resource, outcome, count, last_at];
}

export function toActivity(row: ActivityRow): Activity {
  const [account, hour, key, anchor, resource, outcome, count, last_at] = row;
  return { account, hour, key, anchor, resource, outcome, count, last_at };
}
