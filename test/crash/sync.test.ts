/** `kill -9` of processes while they finish a sync, or undo it: it comes to its end, and what was removed is counted once. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sharedDatabase } from '../support/cli-postgres.ts';
import { ownFolder } from '../support/cli-program.ts';
import { type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import type { Body } from '../support/service.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

const EVENTS = 700;
const KEPT = 100;
const KILLS = 3;
/** With guests below them. */
const VISITED = 60;

interface Ground {
  readonly secret: string;
  readonly location: string;
  readonly services: RunningService[];
  start(): Promise<RunningService>;
}

/** Begins a sync that names the first events, and gives how to finish it and how far it has come. */
async function begun({ secret, location, services }: Ground) {
  const urlOf = (at: number) => services[at % services.length]?.url ?? '';
  const send = async (path: string, body?: object, headers = {}, at = 0) => {
    const answer = await fetch(urlOf(at) + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...{ Authorization: `Bearer ${secret}`, ...headers },
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Body;
  };
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({
      ...{ location_unique_identifier: location, external_identifier: `service ${from + at}` },
      ...{ event_name: 'A service', event_datetime: '2027-03-20T14:30:00Z' },
    }));
  const many = async (path: string, all: readonly object[], headers = {}) => {
    for (let at = 0; at < all.length; at += 500) {
      const some = all.slice(at, at + 500);
      const { summary } = await send(`/v1/${path}/upsert_many`, some, headers);
      assert.equal(summary.failed, 0);
    }
  };
  await many('events', rows(0, EVENTS));
  const guests = Array.from({ length: VISITED }, (_, at) => ({
    ...{ location_unique_identifier: location, event_external_identifier: `service ${KEPT + at}` },
    ...{ external_identifier: 'guest', visitor_full_name: 'Nora Lane' },
    visitor_phone_number: '+12175550153',
  }));
  await many('event_check_in_records', guests);
  const { unique_identifier: sync } = await send('/v1/syncs', {
    ...{ resource: 'event', location, at_most: '100%' },
  });
  await many('events', rows(0, KEPT), { 'Ledgerstone-Sync': sync });
  const path = `/v1/syncs/${sync}`;
  return {
    finish: (at = 0) => send(`${path}/finish`, {}, {}, at).catch(() => undefined),
    told: (at = 0) => send(path, undefined, {}, at),
    there: async () => {
      const { data } = await send(`/v1/events?location_unique_identifier=${location}&limit=1000`);
      return data.length;
    },
    undo: async () => {
      const headers = { Authorization: `Bearer ${secret}` };
      const answer = await fetch(`${urlOf(0)}${path}/undo`, { method: 'POST', headers });
      return (await answer.json()) as Body;
    },
  };
}

async function wantFinished({ told, there }: Awaited<ReturnType<typeof begun>>): Promise<void> {
  await until(async () => (await told()).status === 'finished', 240_000);
  const { removed, left_count, records } = await told();
  const counts = [removed, left_count, records.length];
  const expected = { event: EVENTS - KEPT, event_check_in_record: VISITED };
  assert.deepEqual(counts, [expected, 0, 100]);
  assert.equal(await there(), KEPT);
}

/** The records that are left, so that each kill comes later than the one before. */
const leftAt = (kill: number) => KEPT + Math.round((EVENTS - KEPT) * (1 - kill / (KILLS + 1)));

async function killAgainAndAgain(ground: Ground): Promise<void> {
  const sync = await begun(ground);
  void sync.finish();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await until(async () => (await sync.there()) <= leftAt(kill), 240_000);
    await killFirst(ground);
    // The last goes on by itself.
    if (kill < KILLS) void sync.finish();
  }
  await wantFinished(sync);
  sync.undo().catch(() => undefined);
  await until(async () => (await sync.there()) > KEPT + 50, 240_000);
  await killFirst(ground);
  // The next one goes on by itself.
  await until(async () => (await sync.told()).status === 'undone', 240_000);
  assert.equal(await sync.there(), EVENTS);
}

async function killFirst({ services, start }: Ground): Promise<void> {
  const [first, ...others] = services;
  first?.process.kill('SIGKILL');
  await first?.end;
  services.splice(0, services.length, ...others, await start());
}

async function onSqlite(test: TestContext): Promise<Ground> {
  const cwd = ownFolder(test);
  const { account, secret } = await makeAccount(cwd);
  const start = () => startProcess(test, { cwd });
  const services = [await start()];
  const location = await makeLocation(services[0]?.url ?? '', secret, account);
  return { secret, location, services, start };
}

describe('A sync that is being finished', () => {
  it('comes to its end however often the process is killed', async (test) => {
    await killAgainAndAgain(await onSqlite(test));
  });
});

await onPostgres(({ name, url }) => {
  describe(`A sync that is being finished on ${name}`, () => {
    it('comes to its end while one process after the other is killed', async (test) => {
      const shared = await sharedDatabase(test, url);
      const { service, secret, location, start } = shared;
      const services = [service, await start()];
      await killAgainAndAgain({ secret, location, services, start });
    });

    it('is finished by two processes at once as by one', async (test) => {
      const shared = await sharedDatabase(test, url);
      const { service, secret, location, start } = shared;
      const sync = await begun({ secret, location, services: [service, await start()], start });
      await Promise.all([sync.finish(0), sync.finish(1), sync.finish(0)]);
      await wantFinished(sync);
    });
  });
});
