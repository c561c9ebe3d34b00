/** Prints refused requests. */
import type { RefusedRequest } from '../../../client/src/generated/objects.d.ts';
import { plain } from '../output.ts';

/** A line for the request, and one below it for each kind of fault. */
export function refusedLines(request: RefusedRequest): readonly string[] {
  const { time, method, path, status, key, address, request_id, authentication, rows } = request;
  const { code, message, errors } = request;
  const who = [key ?? 'unknown key', `from ${address ?? 'an unknown address'}`, request_id];
  const counts = Object.entries(rows ?? {}).map(
    ([what, count]) => `${count.toLocaleString('en-US')} ${what}`,
  );
  return [
    `${time.replace(/\.\d+/, '')}  ${status}  ${method} ${path}`,
    `  ${who.join('  ')}`,
    ...(counts.length === 0 ? [] : [`  rows: ${counts.join(', ')}`]),
    ...(authentication ? [`  the key is ${authentication.replaceAll('_', ' ')}`] : []),
    ...(errors.length === 0 ? [{ code, message, count: 1 }] : errors).flatMap((fault) => [
      `  ${faultText(fault)}`,
      ...wrapped(fault.message).map((line) => `    ${line}`),
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

function faultText(fault: RefusedRequest['errors'][number]): string {
  const { code, param, count, lines, elements } = fault;
  const where = param === undefined ? code : `${code}  ${param}`;
  const rows = lines ?? elements;
  if (rows === undefined) return count > 1 ? `${where}  (${count} times)` : where;
  const more = count > rows.length ? `, and ${count - rows.length} more` : '';
  const what = lines === undefined ? 'element' : 'line';
  return `${where}  ${what}${rows.length === 1 ? '' : 's'} ${rows.join(', ')}${more}`;
}
