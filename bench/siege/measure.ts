/** What one key's upserts take beside another key's worst. */
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { percentile } from '../measure.ts';
import type { SiegeLoad } from './load.ts';

const LOAD = fileURLToPath(new URL('./load.ts', import.meta.url));
/** Clients of the other key, and how long each waits after an answer. */
const CLIENTS = 2;
const PAUSE_MS = 10;
/** How long an upsert is waited for. */
const LONGEST_MS = 60_000;

export interface Besieged {
  readonly upserts: number;
  readonly medianMs: number;
  readonly worstMs: number;
  /** Upserts that were not answered with 200, by status; 0 where there was no answer. */
  readonly failed: Readonly<Record<string, number>>;
  /** What the bad key was answered, by status. */
  readonly answered: Readonly<Record<string, number>>;
}

export interface Siege extends SiegeLoad {
  /** The `Authorization` of the other key. */
  readonly other: string;
  readonly seconds: number;
}

export async function besiege({ other, seconds, ...load }: Siege): Promise<Besieged> {
  const child = spawn(process.execPath, [LOAD, JSON.stringify(load)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const end = (): void => void child.kill('SIGKILL');
  process.on('exit', end);
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  // So long it takes to begin.
  await pause(500);
  const times: number[] = [];
  const failed: Record<string, number> = {};
  const agent = new Agent({ keepAlive: true });
  const until = performance.now() + seconds * 1000;
  const client = async (number: number): Promise<void> => {
    for (let count = 0; performance.now() < until; count++) {
      const began = performance.now();
      const status = await upsert(load, other, agent, `known-${number}`, count);
      times.push(performance.now() - began);
      if (status !== 200) failed[status] = (failed[status] ?? 0) + 1;
      await pause(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  agent.destroy();
  child.stdin.end();
  const late = setTimeout(end, 5_000);
  await ended;
  clearTimeout(late);
  process.off('exit', end);
  return {
    upserts: times.length,
    medianMs: percentile(times, 0.5),
    worstMs: Math.max(...times),
    failed,
    answered: printed === '' ? {} : JSON.parse(printed),
  };
}

function upsert(
  { port, event }: SiegeLoad,
  authorization: string,
  agent: Agent,
  external_identifier: string,
  count: number,
): Promise<number> {
  const body = JSON.stringify({
    event_unique_identifier: event,
    external_identifier,
    visitor_full_name: `Visitor ${count}`,
    visitor_phone_number: '+14155550123',
  });
  return new Promise((resolve) => {
    const asked = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/event_check_in_records/upsert',
        agent,
        headers: {
          Authorization: authorization,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        },
        signal: AbortSignal.timeout(LONGEST_MS),
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', () => resolve(0));
      },
    );
    asked.on('error', () => resolve(0));
    asked.end(body);
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
