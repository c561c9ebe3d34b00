/** A service with trouble in its way: a proxy that refuses requests, breaks connections, or refuses a row. */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { whenOver } from './at-end.ts';
import type { MadeCertificate } from './certificate.ts';
import { listening } from './local-server.ts';
import type { Body } from './service.ts';

/** The message of every refusal. */
export const MESSAGE = 'Somebody who reads this knows what went wrong.';

/** An error of every request that is in its way, a broken connection, or a refused row in an answer that has rows. */
export type Trouble = 401 | 409 | 413 | 429 | 503 | 'cut' | 'refused row';

/** A proxy to the service, in whose way `trouble` comes at some requests, counted from 1; over HTTPS with a certificate. */
export async function troubled(
  to: string,
  trouble: (request: number, path: string) => Trouble | undefined,
  certificate?: MadeCertificate,
) {
  let count = 0;
  const answer: RequestListener = async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    count += 1;
    const { url = '', method = '' } = request;
    const what = trouble(count, url);
    if (typeof what === 'number') return refuse(response, what);
    const {
      authorization = '',
      'content-type': type,
      'ledgerstone-sync': sync,
      'if-match': match,
      'ledgerstone-mode': mode,
    } = request.headers;
    const headers = new Headers({ authorization });
    for (const [name, value] of Object.entries({
      'content-type': type,
      'ledgerstone-sync': sync,
      'if-match': match,
      'ledgerstone-mode': mode,
    }))
      if (value !== undefined) headers.set(name, String(value));
    const theirs = await fetch(to + url, { method, headers, ...(body.length > 0 && { body }) });
    const bytes = Buffer.from(await theirs.arrayBuffer());
    const sent = what === 'refused row' ? Buffer.from(withRefusedRow(bytes.toString())) : bytes;
    for (const [name, value] of theirs.headers)
      if (
        ![
          'content-length',
          'content-encoding',
          'transfer-encoding',
          'connection',
          'keep-alive',
        ].includes(name)
      )
        response.setHeader(name, value);
    response.writeHead(theirs.status, { 'Content-Length': sent.length });
    if (what !== 'cut') return response.end(sent);
    response.write(sent.subarray(0, sent.length / 2), () => response.destroy());
  };
  const server =
    certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer);
  const scheme = certificate === undefined ? 'http' : 'https';
  const url = `${scheme}://127.0.0.1:${await listening(server)}`;
  whenOver(() => server.closeAllConnections());
  return { url, count: () => count };
}

function refuse(response: ServerResponse, status: number): void {
  const error = {
    type: 'invalid_request_error',
    code: 'in_trouble',
    message: MESSAGE,
    errors: [{ code: 'in_trouble', message: MESSAGE }],
    request_id: 'req_1',
  };
  response.writeHead(status, {
    'Content-Type': 'application/json',
    ...(status > 428 && { 'Retry-After': '0' }),
  });
  response.end(JSON.stringify({ error }));
}

/** The answer of a bulk request, as an array or as lines, in which the first row was refused. */
function withRefusedRow(text: string): string {
  const error = {
    code: 'in_trouble',
    message: MESSAGE,
    errors: [{ code: 'in_trouble', message: MESSAGE }],
  };
  const counted = (summary: Body): Body => ({ ...summary, failed: summary.failed + 1 });
  if (!text.includes('"object":"upsert_many"')) {
    const [first, ...rest] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const last = rest.pop();
    const lines = [
      { line: first.line, error },
      ...rest,
      { ...last, summary: counted(last.summary) },
    ];
    return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  }
  const {
    data: [, ...rest],
    summary,
    ...others
  } = JSON.parse(text);
  return JSON.stringify({ ...others, data: [{ error }, ...rest], summary: counted(summary) });
}
