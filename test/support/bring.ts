/** Files as they are sent to a service: uploaded once, and then looked at, checked or imported. */
import { pluck } from './pluck.ts';
import type { Answer, Body } from './service.ts';

type Send = (
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
) => Promise<Answer>;

/** Where each is sent to, once there is an upload. */
const PATHS = {
  look: (id: string) => `/v1/uploads/${id}/look`,
  check: (id: string) => `/v1/uploads/${id}/check`,
  run: () => '/v1/imports',
} as const;

/** Gives the answer to the last request, or to the upload where that is refused. Rows are told in lines. */
export async function bring(
  send: Send,
  what: keyof typeof PATHS,
  { name = 'chapels.csv', ...asked }: Body,
  file: string | Uint8Array,
): Promise<Answer> {
  const query = `name=${encodeURIComponent(String(name))}`;
  const type = { 'Content-Type': 'application/octet-stream' };
  const sent = await send('POST', `/v1/uploads?${query}`, file, type);
  if (sent.status !== 200) return sent;
  const { unique_identifier: upload } = sent.body;
  const body = what === 'run' ? { upload, ...asked } : asked;
  const accept = what === 'look' ? 'application/json' : 'application/x-ndjson';
  const headers = { 'Content-Type': 'application/json', Accept: accept };
  return send('POST', PATHS[what](upload), body, headers);
}

/** What the lines of a check or an import say together. */
export function toldIn({ text }: Pick<Answer, 'text'>): Body {
  const lines: Body[] = Array.from(text.trimEnd().split('\n'), (line) => JSON.parse(line));
  const rejected = lines.map((line) => line.rejected ?? '').join('');
  return { ...Object.assign({}, ...lines), rejected, seen: pluck(lines, 'rows').flat() };
}
