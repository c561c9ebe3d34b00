/** The log of requests as rows of tables, of whichever store. */
import { activity } from '../../../core/objects/requests/activity.ts';
import {
  type RefusedRequest,
  refusedRequest,
} from '../../../core/objects/requests/refused-request.ts';
import { columnTypes, rowReader } from './own-rows.ts';

/** The columns of both tables, each with its type. */
export const REFUSED_COLUMNS = { ...columnTypes(refusedRequest), codes: 'text' } as const;
export const ACTIVITY_COLUMNS = columnTypes(activity);

/** The columns that identify activity. */
export const ACTIVITY_NAME = activity.key.join(', ');
/** From the last to the first. */
export const ACTIVITY_BACKWARDS = activity.key.map((name) => `${name} DESC`).join(', ');

export const toRefused = rowReader(refusedRequest);
export const toActivity = rowReader(activity);

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
