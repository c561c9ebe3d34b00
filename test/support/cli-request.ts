/** Requests on connections that a test holds in its hand: kept open, sent in parts, many at once. */
import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Up to `count` connections, each used again and again. */
export function connect(url: string, secret: string, count: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const open = (path: string, length: number, headers: OutgoingHttpHeaders = {}): ClientRequest =>
    request(url + path, {
      agent,
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Content-Length': length,
        ...headers,
      },
    });
  return {
    /** Sends a JSON upsert; rejects when there is no whole answer. */
    upsert(path: string, body: object): Promise<Received> {
      const bytes = Buffer.from(JSON.stringify(body));
      const sent = open(path, bytes.length);
      const answer = received(sent);
      sent.end(bytes);
      return answer;
    },
    /** Sends an upsert but for half of its body, its head having been read for sure; `finish` sends the rest. */
    async begin(path: string, body: object) {
      const bytes = Buffer.from(JSON.stringify(body));
      const half = Math.floor(bytes.length / 2);
      // A server that says "continue" has read the head.
      const sent = open(path, bytes.length, { Expect: '100-continue' });
      const answer = received(sent);
      // Whoever never asks for the answer need not mind that there is none.
      answer.catch(() => {});
      await new Promise((resolve) => sent.once('continue', resolve));
      await new Promise((resolve) => sent.write(bytes.subarray(0, half), resolve));
      return {
        answer,
        finish() {
          sent.end(bytes.subarray(half));
          return answer;
        },
      };
    },
    close: () => agent.destroy(),
  };
}

function received(sent: ClientRequest): Promise<Received> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
      );
    });
  });
}
