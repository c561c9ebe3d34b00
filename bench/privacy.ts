/** What erasures take, and what they do to those who write beside them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { workloads } from './bodies.ts';
import { runLoad } from './load.ts';
import { median, percentile } from './measure.ts';
import type { Options } from './options.ts';
import { onServer, startPostgres } from './postgres-server.ts';
import { say, sayFilled } from './progress.ts';
import { type Columns, machine, type Report, table, whole } from './report.ts';
import { slowDisk, startService } from './service.ts';
import { KNOWN, makeWorld, type World } from './world.ts';

/** The most records of one erasure. */
const OF_A_PERSON = 1_000;
/** New rows in one stream. */
const ROWS = 10_000;
const POLL_MS = 20;
const RULES = '/v1/retention_rules';
const NEW = 'new records';
const RULE = 'upserts beside a rule that removes';

interface Result {
  readonly what: string;
  readonly took: string;
  /** Upserts of one client beside it. */
  readonly beside?: readonly number[];
}

interface Erasure {
  readonly unique_identifier: string;
  readonly status: string;
  readonly looked: string;
  readonly matches: readonly { readonly record: string }[];
}

const ms = (value: number): string => `${value < 100 ? value.toFixed(1) : whole(value)} ms`;

const COLUMNS: Columns<Result> = [
  ['what', ({ what }) => what],
  ['took', ({ took }) => took],
  ['upserts beside, median', ({ beside }) => (beside ? ms(median(beside)) : '')],
  ['p99', ({ beside }) => (beside ? ms(percentile(beside, 0.99)) : '')],
  ['worst', ({ beside }) => (beside ? ms(percentile(beside, 1)) : '')],
];

export async function privacy(options: Options, folder: string): Promise<Report> {
  const { rounds, records } = options;
  const postgres = options.database === 'postgres' ? await startPostgres(folder) : undefined;
  const url = postgres?.url ?? `sqlite:${join(folder, 'data', 'ledgerstone.db')}`;
  const world = await makeWorld(url, records, (done) => sayFilled(done, records));
  const without = await makeWorld(url, KNOWN, () => {});
  // Or the server would do so while we measure.
  if (postgres !== undefined) await onServer(url, (client) => client.query('VACUUM ANALYZE'));
  const { account } = world;
  const erasures = join(folder, 'erasures');
  mkdirSync(erasures);
  const secret = join(folder, 'secret');
  writeFileSync(secret, `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 });
  const service = await startService(url, {
    ...slowDisk(folder, options.slowDisk),
    SECRET_KEY_FILE: secret,
    ERASURES_TO: erasures,
  });
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, path: string, key: string, type: string, body?: string) =>
    new Promise<string>((resolve, reject) => {
      const sent = request(
        {
          agent,
          method,
          path,
          port: service.port,
          host: '127.0.0.1',
          headers: { Authorization: key, ...(body === undefined ? {} : { 'Content-Type': type }) },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (some) => {
            text += some;
          });
          response.on('end', () =>
            (response.statusCode ?? 500) < 300 ? resolve(text) : reject(new Error(text)),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  const object = async (method: string, path: string, body?: object) =>
    JSON.parse(
      await send(method, path, world.other, 'application/json', body && JSON.stringify(body)),
    );
  const checkIn = (event: string, name: string, phone: string) =>
    JSON.stringify({
      event_unique_identifier: event,
      external_identifier: name,
      visitor_full_name: `Visitor ${name}`,
      visitor_phone_number: phone,
    });
  const stream = (key: string, rows: readonly string[]) =>
    send(
      'POST',
      '/v1/event_check_in_records/upsert_many',
      key,
      'application/x-ndjson',
      rows.join('\n'),
    );

  let people = 0;
  /** Creates a person with that number of records; returns their phone number. */
  const person = async (count: number): Promise<string> => {
    people += 1;
    const phone = `+1212${String(5_550_000 + people)}`;
    const rows = Array.from({ length: count }, (_, at) =>
      checkIn(world.event, `person-${people}-${at}`, phone),
    );
    await stream(world.authorization, rows);
    return phone;
  };
  const until = async (id: string, isThere: (one: Erasure) => boolean): Promise<Erasure> => {
    for (;;) {
      const one: Erasure = await object('GET', `/v1/erasures/${id}`);
      if (isThere(one)) return one;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  /** How long it takes, and upserts beside it. */
  const timed = async (work: () => Promise<unknown>): Promise<readonly [number, number[]]> => {
    const beside: number[] = [];
    let isDone = false;
    const writing = (async () => {
      for (let at = 0; !isDone; at += 1) {
        const began = performance.now();
        const body = checkIn(world.event, `known-${at % 100}`, `+1415555${1000 + (at % 9_000)}`);
        await send(
          ...(['POST', '/v1/event_check_in_records/upsert', world.authorization] as const),
          ...(['application/json', body] as const),
        );
        beside.push(performance.now() - began);
      }
    })();
    const began = performance.now();
    await work();
    const took = performance.now() - began;
    isDone = true;
    await writing;
    return [took, beside];
  };
  const results: Result[] = [];
  const { only = '' } = options;
  const isWanted = (what: string) => what.includes(only);
  const several = async (what: string, work: () => Promise<() => Promise<unknown>>) => {
    // What is new among erased ones needs some.
    if (!isWanted(what) && !(isWanted(NEW) && what.startsWith('run'))) return;
    const times: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const [took, upserts] = await timed(await work());
      times.push(took);
      beside.push(...upserts);
    }
    const took = `${ms(median(times))} (${ms(Math.max(...times))})`;
    say(`${what}: ${took}`);
    results.push({ what, took, beside });
  };

  /** By the world: a service below which nothing is erased. */
  const others = new Map<World, string>();
  for (const one of [world, without]) {
    const body = {
      location_unique_identifier: one.location,
      external_identifier: 'other service',
      event_name: 'Another service',
      event_datetime: '2026-11-20T14:30:00Z',
    };
    const path = '/v1/events/upsert';
    const sent = [one.authorization, 'application/json', JSON.stringify(body)] as const;
    others.set(one, JSON.parse(await send('POST', path, ...sent)).unique_identifier);
  }
  const ofWorld = ({ event }: World) => event;
  const ofOthers = (one: World) => others.get(one) ?? '';
  /** New records a second in the account of the world, to those in an account without erasures. */
  const ofNew = async (name: string, eventOf: (one: World) => string): Promise<number[]> => {
    const ratios: number[] = [];
    if (!isWanted(NEW)) return [];
    for (let round = 0; round < 2 * rounds; round += 1) {
      const worlds = [world, without];
      const times = new Map<World, number>();
      for (const one of round % 2 === 0 ? worlds : worlds.toReversed()) {
        await postgres?.checkpoint();
        const rows = Array.from({ length: ROWS }, (_, at) =>
          checkIn(eventOf(one), `${name}-${round}-${at}`, '+14155550123'),
        );
        const began = performance.now();
        await stream(one.authorization, rows);
        times.set(one, performance.now() - began);
      }
      ratios.push((times.get(without) ?? Number.NaN) / (times.get(world) ?? Number.NaN));
    }
    return ratios;
  };
  const before = await ofNew('before', ofWorld);

  await several(
    'nothing beside, for 2 s',
    async () => () => new Promise((resolve) => setTimeout(resolve, 2_000)),
  );

  const looking = async (phone: string): Promise<Erasure> =>
    object('POST', '/v1/erasures', { account, phone_numbers: [phone] });
  /** Once search has them, what is found by index. */
  const settled = async (phone: string, count: number): Promise<Erasure> => {
    for (;;) {
      const one = await looking(phone);
      if (one.matches.length === count) return one;
      await object('POST', `/v1/erasures/${one.unique_identifier}/close`, { basis: 'too early' });
      await new Promise((resolve) => setTimeout(resolve, 25 * POLL_MS));
    }
  };
  await several('look by index', async () => {
    const phone = await person(10);
    await settled(phone, 10);
    return () => looking(phone);
  });
  for (const count of [1, OF_A_PERSON]) {
    await several(`run, ${whole(count)} ${count === 1 ? 'record' : 'records'}`, async () => {
      const found = await settled(await person(count), count);
      const chosen = found.matches.map(({ record }) => record);
      return async () => {
        const path = `/v1/erasures/${found.unique_identifier}`;
        await object('POST', `${path}/run`, { records: chosen });
        await until(found.unique_identifier, ({ status }) => status === 'done');
      };
    });
  }
  const through = `look through ${whole(records)} records and their changes`;
  if (isWanted(through)) {
    const found = await settled(await person(1), 1);
    const [took, beside] = await timed(() =>
      until(found.unique_identifier, ({ looked }) => looked === 'everywhere'),
    );
    results.push({ what: through, took: `${(took / 1_000).toFixed(1)} s`, beside });
  }

  for (const [where, eventOf] of [
    ['below the service of erased ones', ofWorld],
    ['below another service', ofOthers],
  ] as const) {
    const after = await ofNew(where, eventOf);
    const shownRatios = [...after, ...before].map((one) => one.toFixed(2)).join(', ');
    if (after.length > 0)
      results.push({
        what: `${NEW} a second, ${where}, to the same before any was erased`,
        took: `${(median(after) / median(before)).toFixed(2)} (${shownRatios})`,
      });
  }

  /** Check-ins of a service that was some days ago go; others are upserted beside that. */
  const besideRule = async (): Promise<Result> => {
    const asKey = async (method: string, path: string, body?: object) =>
      JSON.parse(
        await send(method, path, without.other, 'application/json', body && JSON.stringify(body)),
      );
    const rule: { readonly unique_identifier: string } = await asKey('POST', RULES, {
      account: without.account,
      resource: 'event_check_in_record',
      since: 'event_datetime',
      after_days: 1,
      basis: 'measured',
    });
    const path = `${RULES}/${rule.unique_identifier}`;
    await asKey('POST', `${path}/preview`);
    for (;;) {
      const { preview } = JSON.parse(await send('GET', path, without.other, ''));
      if (preview?.status === 'ready') break;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const [workload] = workloads(world);
    if (workload === undefined) throw new Error('There is no workload.');
    const perSecond = async (round: number): Promise<number> => {
      const target = `http://127.0.0.1:${service.port}${workload.path}`;
      const { authorization } = world;
      const load = { ...workload, url: target, authorization, connections: 16 };
      const { seconds } = options;
      return (await runLoad({ ...load, seconds, prefix: `rule-${round}` })).perSecond;
    };
    const shares: number[] = [];
    const removed = async (): Promise<number> =>
      JSON.parse(await send('GET', path, without.other, '')).last_run?.removed ?? 0;
    for (let round = 0; round < rounds; round += 1) {
      await asKey('POST', `${path}/enable`);
      const from = await removed();
      // It counts first.
      while ((await removed()) === from) await new Promise((resolve) => setTimeout(resolve, 100));
      const during = await perSecond(2 * round);
      await asKey('POST', `${path}/pause`);
      shares.push(during / (await perSecond(2 * round + 1)));
    }
    return {
      what: `${RULE} (${whole(await removed())}), to upserts alone`,
      took: `${median(shares).toFixed(2)} (${shares.map((one) => one.toFixed(2)).join(', ')})`,
    };
  };
  if (isWanted(RULE)) results.push(await besideRule());
  agent.destroy();
  await service.stop();
  await postgres?.stop();
  return {
    text: `${machine()}; ${whole(records)} check-ins; medians of ${rounds} rounds, the longest in brackets\n\n${table(COLUMNS, results)}`,
    json: { machine: machine(), options, results },
    chart: { title: 'Not drawn', bars: [] },
  };
}
