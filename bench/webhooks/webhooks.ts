/** Webhooks: how fast endpoints that were down catch up, and what deliveries cost those who write meanwhile. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Workload, workloads } from '../bodies.ts';
import { runLoad } from '../load.ts';
import { measure, median } from '../measure.ts';
import type { Options } from '../options.ts';
import { startPostgres } from '../postgres-server.ts';
import { say, sayFilled } from '../progress.ts';
import { type Columns, machine, type Report, table, whole } from '../report.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { startService } from '../service.ts';
import { makeWorld, type World } from '../world.ts';

const RECEIVER = fileURLToPath(new URL('./receiver.ts', import.meta.url));
const RECEIVER_PORT = 18_200;
const ROWS = 500;
const CATCHING_UP = [1, 20];
const BESIDE = [1, 10];
const CONNECTIONS = 64;

interface CaughtUp {
  readonly endpoints: number;
  readonly changes: number;
  readonly deliveriesPerSecond: number;
  /** Microseconds of processor time of the service for each delivery. */
  readonly cpuUs: number;
}

interface Cost {
  readonly endpoints: number;
  readonly perSecond: number;
  readonly plainPerSecond: number;
  /** With endpoints to without, pair by pair. */
  readonly ratio: number;
  readonly deliveriesPerSecond: number;
}

const CAUGHT_UP: Columns<CaughtUp> = [
  ['endpoints', (one) => String(one.endpoints)],
  ['changes', (one) => whole(one.changes)],
  ['deliveries/s', (one) => whole(one.deliveriesPerSecond)],
  ['CPU µs a delivery', (one) => whole(one.cpuUs)],
];
const COSTS: Columns<Cost> = [
  ['endpoints', (one) => String(one.endpoints)],
  ['upserts/s', (one) => whole(one.perSecond)],
  ['without/s', (one) => whole(one.plainPerSecond)],
  ['ratio', (one) => one.ratio.toFixed(3)],
  ['deliveries/s', (one) => whole(one.deliveriesPerSecond)],
];

export async function webhooks(options: Options, folder: string): Promise<Report> {
  const { records, rounds, seconds, webhooks: changes = 20_000 } = options;
  const postgres = options.database === 'postgres' ? await startPostgres(folder) : undefined;
  const url = postgres?.url ?? `sqlite:${join(folder, 'data', 'ledgerstone.db')}`;
  const world = await makeWorld(url, records, (done) => sayFilled(done, records));
  const secretKey = join(folder, 'secret.key');
  writeFileSync(secretKey, `${randomBytes(32).toString('base64')}\n`);
  const service = await startService(url, {
    SECRET_KEY_FILE: secretKey,
    WEBHOOK_ALLOW: '127.0.0.0/8',
  });
  const receiver = await startServer(process.execPath, [RECEIVER], RECEIVER_PORT, {
    PORT: String(RECEIVER_PORT),
  });
  const ground = { service, world };

  const caughtUp: CaughtUp[] = [];
  for (const endpoints of CATCHING_UP) {
    say(`${endpoints} endpoints that were down`);
    const made = await createPaused(ground, endpoints);
    const missed = Math.ceil(changes / endpoints / ROWS) * ROWS;
    await writeMany(ground, missed);
    caughtUp.push(await catchUp(ground, made, missed));
    await removeAll(ground, made);
  }

  const costs: Cost[] = [];
  const workload = workloads(world).find(({ name }) =>
    name.includes(options.only ?? 'check-ins, JSON'),
  ) as Workload;
  for (const endpoints of BESIDE) {
    say(`${endpoints} endpoints beside ${CONNECTIONS} connections that write`);
    const made = await createPaused(ground, endpoints);
    costs.push(await costOf(ground, made, workload, { rounds, seconds }));
    await removeAll(ground, made);
  }
  await receiver.stop();
  await service.stop();
  await postgres?.stop();
  return {
    text: [
      `${machine()}; a receiver in a process of its own on the same machine`,
      '',
      'Endpoints that were down catch up:',
      '',
      table(CAUGHT_UP, caughtUp),
      '',
      `Writers beside endpoints that are always behind; medians of ${rounds} pairs of ${seconds} s:`,
      '',
      table(COSTS, costs),
    ].join('\n'),
    json: { machine: machine(), options, caughtUp, costs },
    chart: { title: 'Webhooks', bars: [] },
  };
}

interface Ground {
  readonly service: ServerProcess;
  readonly world: World;
}

async function request<T>(
  { service, world }: Ground,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method,
    headers: {
      Authorization: world.other,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} is answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

const pathOf = (endpoint: string): string => `/v1/webhook_endpoints/${endpoint}`;

async function createPaused(ground: Ground, count: number): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < count; index++) {
    const { unique_identifier } = await request<{ unique_identifier: string }>(
      ...([ground, 'POST', '/v1/webhook_endpoints'] as const),
      { url: `http://127.0.0.1:${RECEIVER_PORT}/` },
    );
    made.push(unique_identifier);
  }
  await setStatus(ground, made, 'paused');
  return made;
}

async function setStatus(
  ground: Ground,
  endpoints: readonly string[],
  status: string,
): Promise<void> {
  await Promise.all(endpoints.map((one) => request(ground, 'PATCH', pathOf(one), { status })));
}

async function removeAll(ground: Ground, endpoints: readonly string[]): Promise<void> {
  await Promise.all(endpoints.map((one) => request(ground, 'DELETE', pathOf(one))));
}

/** Changes events, several with each request, until the given number is reached. */
async function writeMany(ground: Ground, changes: number): Promise<void> {
  for (let done = 0; done < changes; done += ROWS) {
    const rows = Array.from({ length: ROWS }, (_, index) => ({
      location_unique_identifier: ground.world.location,
      external_identifier: `known-${index}`,
      event_name: `Service ${Date.now()} ${done}`,
      event_datetime: '2026-11-20T14:30:00Z',
    }));
    await request(ground, 'POST', '/v1/events/upsert_many', rows);
  }
}

async function taken(): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${RECEIVER_PORT}/`)).text());
}

async function catchUp(
  ground: Ground,
  endpoints: readonly string[],
  changes: number,
): Promise<CaughtUp> {
  const before = await taken();
  const cpu = ground.service.cpuSeconds();
  await setStatus(ground, endpoints, 'enabled');
  // Whoever delivers looks once a second: it begins with the first that arrives.
  while ((await taken()) === before) await pause(5);
  const began = performance.now();
  const all = changes * endpoints.length;
  while ((await taken()) - before < all) await pause(20);
  const elapsed = (performance.now() - began) / 1000;
  return {
    endpoints: endpoints.length,
    changes: all,
    deliveriesPerSecond: all / elapsed,
    cpuUs: ((ground.service.cpuSeconds() - cpu) / all) * 1e6,
  };
}

async function costOf(
  ground: Ground,
  endpoints: readonly string[],
  workload: Workload,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<Cost> {
  const { service, world } = ground;
  const load = {
    ...workload,
    authorization: world.authorization,
    connections: CONNECTIONS,
    url: `http://127.0.0.1:${service.port}${workload.path}`,
  };
  const delivered: number[] = [];
  let before = 0;
  const plan = {
    authorization: world.authorization,
    seconds,
    rounds,
    prepare: async () => {
      await setStatus(ground, endpoints, 'enabled');
      // Its deliveries have begun, and it has something to deliver.
      await runLoad({ ...load, seconds: 2, prefix: `first-${Date.now().toString(36)}` });
      before = await taken();
    },
  };
  const { pairs, measured } = await measure(service, workload, CONNECTIONS, plan, async (round) => {
    delivered.push(((await taken()) - before) / seconds);
    await setStatus(ground, endpoints, 'paused');
    await pause(1_500);
    return runLoad({ ...load, ...round, prefix: `plain-${round.prefix}` });
  });
  return {
    endpoints: endpoints.length,
    perSecond: measured.perSecond,
    plainPerSecond: median(pairs.map(({ other }) => other.perSecond)),
    ratio: median(pairs.map(({ ours, other }) => ours.perSecond / other.perSecond)),
    deliveriesPerSecond: median(delivered),
  };
}
