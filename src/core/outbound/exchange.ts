/** One request and its answer, within limits on time and bytes. */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Destination } from './destination.ts';

/** Connections that are cached for the next request to the same host, and for how long. */
const KEPT_CONNECTIONS = 4;
const KEPT_MS = 4_000;

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly bytes: number;
  readonly signal: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** No longer than requested. */
  readonly body: Buffer;
  /** Whether the body is all that there was; if not, its connection was closed. */
  readonly isWhole: boolean;
}

export type Exchange = ReturnType<typeof createExchange>;

/** `ca`: certificates, as PEM, that are trusted in place of those of the system. */
export function createExchange(ca?: string) {
  const trusted = ca === undefined ? {} : { ca };
  const pooled = { keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS, timeout: KEPT_MS };
  const keeping = {
    'http:': new HttpAgent(pooled),
    'https:': new HttpsAgent({ ...pooled, ...trusted }),
  };
  const fresh = { 'http:': new HttpAgent(), 'https:': new HttpsAgent(trusted) };

  const once = (
    agents: typeof fresh,
    { url, host, port }: Destination,
    lookup: LookupFunction,
    { method, headers, body, bytes, signal }: ExchangeRequest,
  ): Promise<OutboundAnswer> =>
    new Promise((resolve, reject) => {
      const protocol = url.protocol as keyof typeof agents;
      const send = protocol === 'https:' ? requestHttps : requestHttp;
      const sent = send({
        method,
        host,
        port,
        path: url.pathname + url.search,
        headers: {
          ...headers,
          Host: url.host,
          ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
        },
        agent: agents[protocol],
        lookup,
        signal,
      });
      sent.on('response', (message) => {
        readBody(message, bytes).then((read) => {
          resolve({ status: message.statusCode ?? 0, headers: message.headers, ...read });
        }, reject);
      });
      sent.on('error', (error) => {
        // The other side closed a cached connection while the request was on its way.
        const { code = '' } = error as { code?: string };
        const isStale = sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(code);
        reject(isStale ? new StaleConnection('', { cause: error }) : error);
      });
      sent.end(body);
    });

  return {
    async send(...exchange: [Destination, LookupFunction, ExchangeRequest]) {
      try {
        return await once(keeping, ...exchange);
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
        // The other cached ones may have ended as well.
        return once(fresh, ...exchange);
      }
    },
    close(): void {
      for (const agent of [keeping, fresh].flatMap(Object.values<HttpAgent>)) agent.destroy();
    },
  };
}

class StaleConnection extends Error {}

async function readBody(message: IncomingMessage, bytes: number) {
  const parts: Buffer[] = [];
  let length = 0;
  // Leaving the loop closes the connection.
  for await (const part of message as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, bytes - length));
    length += part.length;
    if (length > bytes) return { body: Buffer.concat(parts), isWhole: false };
  }
  return { body: Buffer.concat(parts), isWhole: true };
}
