/** What one key's upserts take while another key behaves as badly as it can, behaviour by behaviour. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { percentile } from '../measure.ts';
import type { Options } from '../options.ts';
import { startPostgres } from '../postgres-server.ts';
import { say, sayFilled } from '../progress.ts';
import { type Columns, machine, type Report, table } from '../report.ts';
import type { ServerProcess } from '../server-process.ts';
import { startService } from '../service.ts';
import { makeWorld, type World } from '../world.ts';
import { behaviours } from './behaviours.ts';
import type { SiegeLoad } from './load.ts';

/** What is wanted of every behaviour. */
const GOAL = { medianMs: 200, worstMs: 1000 };
const LARGE = 600;
const PORT = 18_090;

interface Result extends Besieged {
  readonly behaviour: string;
  readonly residentMiB: number;
}

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ');

const asWanted = ({ medianMs, worstMs, failed }: Besieged): boolean =>
  medianMs <= GOAL.medianMs && worstMs <= GOAL.worstMs && Object.keys(failed).length === 0;

const COLUMNS: Columns<Result> = [
  ['behaviour of one key', (one) => one.behaviour],
  ['median ms', (one) => one.medianMs.toFixed(1)],
  ['worst ms', (one) => one.worstMs.toFixed(0)],
  ['upserts', (one) => String(one.upserts)],
  ['not 200', (one) => countsText(one.failed)],
  ['as wanted', (one) => (asWanted(one) ? 'yes' : 'NO')],
  ['MiB', (one) => one.residentMiB.toFixed(0)],
  ['it was answered', (one) => countsText(one.answered)],
];

export async function siege(options: Options, folder: string): Promise<Report> {
  const { records, seconds } = options;
  const postgres = options.database === 'postgres' ? await startPostgres(folder) : undefined;
  const url = postgres?.url ?? `sqlite:${join(folder, 'data', 'ledgerstone.db')}`;
  const world = await makeWorld(url, records, (done) => sayFilled(done, records));
  const secrets = join(folder, 'secret-key');
  writeFileSync(secrets, randomBytes(32).toString('base64'), { mode: 0o600 });
  // The endpoints of webhooks are on this machine.
  const settings = { SECRET_KEY_FILE: secrets, WEBHOOK_ALLOW: '127.0.0.0/8' };
  let service = await startService(url, settings, PORT);
  await makeLarge(service, world);
  const results: Result[] = [];
  for (const behaviour of Object.keys(behaviours)) {
    if (!(options.only ?? '').split(',').some((text) => behaviour.includes(text))) continue;
    say(behaviour);
    const { port } = service;
    const measured = await besiege({ ...world, port, behaviour, seconds });
    let residentMiB = Number.NaN;
    try {
      residentMiB = service.residentMiB();
    } catch {
      // It is gone: that was its end, and the next behaviour finds another one.
      service = await startService(url, settings, PORT);
    }
    results.push({ behaviour, ...measured, residentMiB });
  }
  await service.stop();
  await postgres?.stop();
  const text = [
    `${machine()}; upserts of two clients of another key, of which a median of ${GOAL.medianMs} ms and ${GOAL.worstMs} ms at the worst are wanted`,
    '',
    table(COLUMNS, results),
  ].join('\n');
  return {
    text,
    json: { machine: machine(), options, results },
    chart: {
      title: 'Milliseconds of an upsert at the worst, beside another key',
      bars: results.map(({ behaviour, worstMs }) => ({
        panel: 'by behaviour',
        group: behaviour,
        name: 'worst',
        value: worstMs,
      })),
    },
  };
}

/** Arrangements of as many bytes as they may have: a page of them is as large as pages get. */
async function makeLarge(service: ServerProcess, { other, location }: World): Promise<void> {
  const at = `http://127.0.0.1:${service.port}/v1/online_arrangements/upsert_many`;
  for (let from = 0; from < LARGE; from += 100) {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      location_unique_identifier: location,
      external_identifier: `page-${from + index}`,
      person_full_name: 'Name of a person',
      person_phone_number: '+14155550123',
      cart_summary: 'x'.repeat(65_000),
      additional_data: { text: 'y'.repeat(65_000) },
    }));
    const answer = await fetch(at, {
      method: 'POST',
      headers: { Authorization: other, 'Content-Type': 'application/json' },
      body: JSON.stringify(rows),
    });
    if (!answer.ok) throw new Error(`The large records were refused: ${await answer.text()}`);
    await answer.text();
  }
}

const LOAD = fileURLToPath(new URL('./load.ts', import.meta.url));
/** Clients of the other key, and how long each waits after an answer. */
const CLIENTS = 2;
const PAUSE_MS = 10;
/** How long an upsert is waited for. */
const LONGEST_MS = 60_000;

interface Besieged {
  readonly upserts: number;
  readonly medianMs: number;
  readonly worstMs: number;
  /** Upserts that were not answered with 200, by status; 0 where there was no answer. */
  readonly failed: Readonly<Record<string, number>>;
  /** What the bad key was answered, by status. */
  readonly answered: Readonly<Record<string, number>>;
}

interface Siege extends SiegeLoad {
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
    const sent = request(
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
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
