/** Requests as bytes on a socket, for what no HTTP client would send, and their answers likewise. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { parseJson } from './parse-json.ts';
import type { Body, Service } from './service.ts';

/** An answer as the bytes on a socket have it. */
export interface RawAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
  readonly body: Body;
}

export interface Exchange {
  /** Milliseconds to wait between two parts. */
  readonly pause?: number;
  /** Whether to hang up after the last part without waiting for an answer. */
  readonly hangUp?: boolean;
  /** Waited for before the last part, so that many exchanges end their requests at once. */
  readonly together?: () => Promise<void>;
}

/**
 * Sends bytes as they are, for what no HTTP client would send, and gives every
 * answer that arrives until the service ends the connection: the last request
 * should ask for that.
 */
export function exchange(
  url: string,
  parts: string | Uint8Array | readonly (string | Uint8Array)[],
  { pause = 0, hangUp = false, together }: Exchange = {},
): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const arrived: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The service left the connection open: ${Buffer.concat(arrived)}`));
    }, 60_000);
    const end = (): void => {
      clearTimeout(timer);
      resolve(rawAnswers(Buffer.concat(arrived)));
    };
    socket.setNoDelay(true);
    socket.on('data', (bytes) => arrived.push(Buffer.from(bytes as Uint8Array)));
    // The service may hang up while we still send: what it said before counts.
    socket.on('error', () => {});
    socket.on('close', end);
    socket.on('connect', async () => {
      const all = typeof parts === 'string' || parts instanceof Uint8Array ? [parts] : parts;
      for (const [index, part] of all.entries()) {
        if (!socket.writable) break;
        if (together !== undefined && index === all.length - 1) await together();
        socket.write(part);
        if (pause > 0) await new Promise((resume) => setTimeout(resume, pause));
      }
      if (hangUp) socket.destroySoon();
    });
  });
}

/** What so many exchanges wait at until all of them are there. */
export function barrier(count: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting === count) all.resolve();
    return all.promise;
  };
}

/** The text of a request that ends its connection. */
export function rawRequest(
  service: Service,
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const all = {
    Host: 'localhost',
    Authorization: `Bearer ${service.key}`,
    Connection: 'close',
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${head.join('')}\r\n${body}`;
}

function rawAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', at);
    assert.ok(end >= 0, `No whole head: ${bytes.subarray(at)}`);
    const [line = '', ...fields] = bytes.toString('latin1', at, end).split('\r\n');
    const headers: Record<string, string> = {};
    for (const field of fields) {
      const colon = field.indexOf(':');
      headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim();
    }
    const status = Number(line.split(' ')[1]);
    at = end + 4;
    // An interim answer, such as 100 Continue, comes before the one that counts.
    if (status < 200) continue;
    let payload: Buffer = Buffer.alloc(0);
    if (headers['transfer-encoding'] === 'chunked') {
      ({ payload, at } = dechunked(bytes, at));
    } else {
      payload = bytes.subarray(at, at + Number(headers['content-length'] ?? bytes.length));
      at += payload.length;
    }
    answers.push({ status, headers, payload, body: parsed(payload) });
  }
  return answers;
}

function dechunked(bytes: Buffer, start: number): { payload: Buffer; at: number } {
  const chunks: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2;
    chunks.push(bytes.subarray(at, at + size));
    at += size + 2;
    if (size === 0) return { payload: Buffer.concat(chunks), at };
  }
}

function parsed(payload: Buffer): Body {
  try {
    return parseJson(payload.toString());
  } catch {
    return undefined;
  }
}
