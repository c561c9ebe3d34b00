/** A steady load of upserts: each is sent at its time, however late others are answered, and timed from there. */
import { Agent, request } from 'node:http';
import { percentile } from '../measure.ts';
import type { World } from '../world.ts';

/** Between two looks at the clock. */
const TICK_MS = 2;
const ANSWER_MS = 20_000;

export interface Steady {
  readonly port: number;
  readonly world: World;
  readonly perSecond: number;
  readonly ms: number;
  /** Makes the identifiers of new records this round's own. */
  readonly prefix: string;
}

export interface Answered {
  readonly upserts: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

export async function steady(load: Steady): Promise<Answered> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const times: number[] = [];
  let failed = 0;
  const under: Promise<void>[] = [];
  const began = performance.now();
  let sent = 0;
  const send = async (number: number, due: number): Promise<void> => {
    const status = await upsert(load, agent, number);
    times.push(performance.now() - due);
    if (status !== 200) failed += 1;
  };
  while (performance.now() - began < load.ms) {
    const due = Math.floor(((performance.now() - began) / 1000) * load.perSecond);
    for (; sent < due; sent++) {
      under.push(send(sent, began + (1000 * sent) / load.perSecond));
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(under);
  agent.destroy();
  times.sort((one, other) => one - other);
  return {
    upserts: times.length,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    failed,
  };
}

/** Half create a record, half change a known one. */
function upsert({ port, world, prefix }: Steady, agent: Agent, number: number): Promise<number> {
  const body = JSON.stringify({
    event_unique_identifier: world.event,
    external_identifier:
      number % 2 === 0 ? `known-${(number * 7) % 10_000}` : `${prefix}-${number}`,
    visitor_full_name: `A visitor, the ${number}th`,
    visitor_phone_number: '+14155550123',
  });
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        agent,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/event_check_in_records/upsert',
        headers: {
          Authorization: world.authorization,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        },
        timeout: ANSWER_MS,
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', () => resolve(0));
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}
