/** A system that webhooks are sent to. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenOver } from './at-end.ts';
import type { Body } from './service.ts';
import { until } from './until.ts';

export interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
  readonly at: number;
  /** Resolves when whoever sent it has hung up, or has the answer. */
  readonly gone: Promise<unknown>;
}

export type AnswerTo = (
  received: Received,
) =>
  | number
  | { readonly status: number; readonly headers?: Record<string, string> }
  | Promise<number>;

export interface Receiver {
  readonly url: string;
  /** All that arrived, in order. */
  readonly received: Received[];
  /** What is answered; 200 where not said. */
  answer: AnswerTo;
  /** Waits until so many have arrived. */
  count(least: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

/** Ends with the test, the suite or the file that starts it. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const receiver: Receiver = {
    url: '',
    received,
    answer: () => 200,
    async count(least) {
      await until(() => received.length >= least).catch(() => {
        throw new Error(`${received.length} arrived, and not ${least}.`);
      });
      return received;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const id = String(request.headers['webhook-id']);
    const gone = new Promise((resolve) => response.once('close', resolve));
    const body = JSON.parse(text);
    const one = { id, headers: request.headers, text, body, at: Date.now(), gone };
    received.push(one);
    const answer = await receiver.answer(one);
    const { status, headers = {} } =
      typeof answer === 'number' ? { status: answer } : { headers: {}, ...answer };
    response.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.close = whenOver(receiver.close);
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}/hook` });
}
