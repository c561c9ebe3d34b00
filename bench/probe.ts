/** A few clients beside a load: what each request of theirs was answered, and how fast. */
import { Agent, request } from 'node:http';
import type { Workload } from './bodies.ts';
import { KNOWN } from './world.ts';

export interface Sample {
  /** When it was sent, as `performance.now()` tells. */
  readonly sent: number;
  readonly ms: number;
  /** 0 where there was no answer. */
  readonly status: number;
}

export interface Probe {
  /** All so far. */
  readonly samples: readonly Sample[];
  stop(): Promise<void>;
}

/** So many clients update known records, each waiting for its answer and then `pauseMs` longer. */
export function startProbe(
  url: string,
  workload: Workload,
  authorization: string,
  { clients, pauseMs }: { readonly clients: number; readonly pauseMs: number },
): Probe {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const samples: Sample[] = [];
  let going = true;
  const ask = (body: string): Promise<number> =>
    new Promise((resolve) => {
      const headers = {
        Authorization: authorization,
        'Content-Type': workload.contentType,
        'Content-Length': Buffer.byteLength(body),
      };
      const sending = request(url + workload.path, { agent, method: 'POST', headers }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', () => resolve(0));
      });
      sending.on('error', () => resolve(0));
      sending.end(body);
    });
  const work = async (client: number): Promise<void> => {
    for (let count = client; going; count += clients) {
      const body = workload.template
        .replaceAll('@ID@', `known-${count % KNOWN}`)
        .replaceAll('@N@', String(count));
      const sent = performance.now();
      const status = await ask(body);
      samples.push({ sent, ms: performance.now() - sent, status });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const working = Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  return {
    samples,
    async stop() {
      going = false;
      await working;
      agent.destroy();
    },
  };
}
