/** Prints the log of requests. */
import type { Activity } from '../../core/objects/requests/activity.ts';
import {
  messageOf,
  type RefusedFault,
  type RefusedRequest,
} from '../../core/objects/requests/refused-request.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { plain, table } from '../output.ts';

/** Activity, summed by key, resource and outcome. */
export function activityTable(activity: readonly Activity[]): readonly string[] {
  const groups = Map.groupBy(
    activity,
    ({ key, resource, outcome }) => `${key} ${resource} ${outcome}`,
  );
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const count = group.reduce((sum, one) => sum + one.count, 0);
    const last = Math.max(...group.map(({ last_at }) => last_at));
    return [
      [
        first.key,
        first.resource || '-',
        first.outcome,
        count.toLocaleString('en-US'),
        presentTime(last),
      ],
    ];
  });
  rows.sort((one, other) => (one.join() < other.join() ? -1 : 1));
  return table(['KEY', 'RESOURCE', 'OUTCOME', 'COUNT', 'LAST'], rows);
}

/** A line for the request, and one below it for each kind of fault. */
export function refusedLines(request: RefusedRequest): readonly string[] {
  const { time, method, path, status, key, address, request_id, authentication, rows } = request;
  const who = [key ?? 'unknown key', `from ${address ?? 'an unknown address'}`, request_id];
  const numbers = rows?.numbered === 'lines' ? 'line' : 'element';
  return [
    `${presentTime(time)}  ${status}  ${method} ${path}`,
    `  ${who.join('  ')}`,
    ...(rows === null
      ? []
      : [
          `  rows: ${Object.entries(rows.counts)
            .map(([what, count]) => `${count.toLocaleString('en-US')} ${what}`)
            .join(', ')}`,
        ]),
    ...(authentication === null ? [] : [`  the key is ${authentication.replaceAll('_', ' ')}`]),
    ...faultsOf(request).flatMap((fault) => [
      `  ${faultText(fault, numbers)}`,
      ...wrapped(messageOf(fault)).map((line) => `    ${line}`),
    ]),
  ].map(plain);
}

/** A sentence as lines of at most 76 characters, as far as its words allow. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= 76) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Where nothing more exact is known, the code of the answer. */
function faultsOf({ faults, code }: RefusedRequest): readonly RefusedFault[] {
  return faults.length === 0 ? [{ code, count: 1 }] : faults;
}

function faultText({ code, param, count, rows }: RefusedFault, numbers: string): string {
  const where = param === undefined ? code : `${code}  ${param}`;
  if (rows === undefined) return count > 1 ? `${where}  (${count} times)` : where;
  const more = count > rows.length ? `, and ${count - rows.length} more` : '';
  return `${where}  ${numbers}${rows.length === 1 ? '' : 's'} ${rows.join(', ')}${more}`;
}
