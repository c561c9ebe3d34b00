/**
 * What many clients of one account saw, while processes and servers were killed, fits one order: each write, removal,
 * read and list happened at one moment between when it was sent and answered, and followers saw that order whole.
 */
// needs: --ci, program, waits, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ALL, withAll } from '../support/all.ts';
import { ask } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { sharedDatabase } from '../support/cli-postgres.ts';
import { ownFolder } from '../support/cli-program.ts';
import { type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { logOf, startClients } from '../support/history/clients.ts';
import { fits } from '../support/history/fits.ts';
import { type Act, faultsOf, type Logged } from '../support/history/order.ts';
import { randomOf } from '../support/power/random.ts';
import { SEED } from '../support/power/recording.ts';
import { waitFor } from '../support/standby-waits.ts';
import { onOwnPostgres, onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

const KILLS = ALL ? 20 : 2;
/** Between two kills. */
const ANSWERS = 300;
const LIES = ALL ? 400 : 120;
const { below } = randomOf(SEED);

interface Ground {
  readonly services: RunningService[];
  readonly secret: string;
  readonly location: string;
  /** Whether a session at a server writes; not said: none does when its process is killed. */
  readonly isWriting?: () => Promise<boolean>;
  /** Kills something, and brings it back. */
  readonly kill: (services: RunningService[], nth: number) => Promise<void>;
}

async function historyOf(
  { services, secret, location, kill, isWriting = async () => false }: Ground,
  kills = KILLS,
) {
  const urls = services.map(({ url }) => url);
  const clients = startClients({ urls, secret, location, random: below });
  try {
    for (let nth = 0; nth <= kills; nth += 1) {
      const before = clients.answered();
      await until(() => clients.answered() >= before + ANSWERS);
      await pause(below(20));
      if (nth < kills) await kill(services, nth);
    }
  } catch (error) {
    clients.leave();
    throw error;
  }
  const acts = await clients.stop(() => until(async () => !(await isWriting())));
  return { acts, log: await logOf(urls[0] ?? '', secret) };
}

/** Kills one process with SIGKILL, and starts it again where it was. */
const killOne =
  (env: Readonly<Record<string, string>>, cwd: string) =>
  async (services: RunningService[]): Promise<void> => {
    const at = below(services.length);
    const { port, stop } = services[at] as RunningService;
    assert.equal((await stop('SIGKILL')).signal, 'SIGKILL');
    services[at] = await startProcess({ cwd, env, port });
  };

describe('What clients saw of an account in one order', () => {
  it('on SQLite, killed with SIGKILL; and no lie in it would go unnoticed', async (test) => {
    const cwd = ownFolder();
    const { account, secret } = await makeAccount(cwd);
    const service = await startProcess({ cwd });
    const location = await makeLocation(service.url, secret, account);
    const ground = { services: [service], secret, location, kill: killOne({}, cwd) };
    const { acts, log } = await historyOf(ground);
    fits(acts, log, (text) => test.diagnostic(text));

    for (const [lie, tell] of Object.entries(lies(acts, log))) {
      let told = 0;
      for (let nth = 0; nth < LIES; nth += 1) {
        const made = tell();
        if (made === undefined) continue;
        told += 1;
        assert.ok(faultsOf(made[0], made[1]).length > 0, `${lie}: TEST_SEED=${SEED}`);
      }
      assert.ok(told > 0, `${lie} was told ${told} times`);
    }
  });
});

type Lie = () => readonly [readonly Act[], readonly Logged[]] | undefined;

/** Histories that differ from a true one by what a store that loses, repeats or hides something would show. */
function lies(acts: readonly Act[], log: readonly Logged[]): Readonly<Record<string, Lie>> {
  const some = <T>(all: readonly T[]): T | undefined => all[below(all.length)];
  const answered = acts.filter(({ ended }) => ended !== Number.POSITIVE_INFINITY);
  const writes = answered.filter((act) => act.does === 'write');
  const reads = answered.filter((act) => act.does === 'read' && act.mark !== undefined);
  const lists = answered.filter((act) => act.does === 'list');
  const pages = answered.filter((act) => act.does === 'follow' && act.changes.length > 1);
  const instead = (old: Act | undefined, by: Act): readonly Act[] =>
    acts.map((act) => (act === old ? by : act));
  const placeOf = (mark: string): number => log.findIndex((entry) => entry.mark === mark);
  return {
    'an answered write is lost': () => {
      const lost = some(writes);
      return lost?.does === 'write'
        ? [acts, log.filter(({ mark }) => mark !== lost.mark)]
        : undefined;
    },
    'a write is done twice': () => {
      const twice = some(writes);
      const entry = twice?.does === 'write' ? log[placeOf(twice.mark)] : undefined;
      return entry && [acts, [...log, entry]];
    },
    'a read shows what was over before it was sent': () => {
      const read = some(reads);
      if (read?.does !== 'read') return undefined;
      const own = log.filter(({ record, mark }) => record === read.record && mark !== undefined);
      // A version whose follower was answered before the read was sent.
      const isOver = ({ version }: Logged): boolean => {
        const next = own.find((one) => one.version === version + 1)?.mark;
        return writes.some(
          (act) => act.does === 'write' && act.mark === next && act.ended < read.began,
        );
      };
      const old = some(own.filter(isOver));
      return old?.mark === undefined
        ? undefined
        : [instead(read, { ...read, mark: old.mark }), log];
    },
    'a list has a record as it was long before': () => {
      const list = some(lists);
      if (list?.does !== 'list') return undefined;
      const [record, mark] = some([...list.marks]) ?? [];
      const first = log.find((one) => one.record === record && one.mark !== undefined);
      const second = log.find((one) => one.record === record && one.version === 2)?.mark;
      const isOver = writes.some(
        (act) => act.does === 'write' && act.mark === second && act.ended < list.began,
      );
      if (record === undefined || first?.mark === undefined || first.mark === mark || !isOver)
        return undefined;
      const marks = new Map([...list.marks, [record, first.mark]]);
      return [instead(list, { ...list, marks }), log];
    },
    'a list lacks a record': () => {
      const list = some(lists);
      if (list?.does !== 'list') return undefined;
      const [record = ''] = some([...list.marks]) ?? [];
      const entries = log.filter((one) => one.record === record);
      const isMade = writes.some(
        (act) => act.does === 'write' && act.mark === entries[0]?.mark && act.ended < list.began,
      );
      if (!isMade || entries.at(-1)?.outcome === 'deleted') return undefined;
      const marks = new Map([...list.marks].filter(([one]) => one !== record));
      return [instead(list, { ...list, marks }), log];
    },
    'a follower misses a change': () => {
      const page = some(pages);
      if (page?.does !== 'follow') return undefined;
      const changes = page.changes.toSpliced(below(page.changes.length), 1);
      return [instead(page, { ...page, changes }), log];
    },
    'a follower is shown a change twice': () => {
      const page = some(pages);
      if (page?.does !== 'follow') return undefined;
      const nth = below(page.changes.length);
      const twice = page.changes[nth] as Logged;
      return [instead(page, { ...page, changes: page.changes.toSpliced(nth, 0, twice) }), log];
    },
    'two writes one after the other are logged the other way round': () => {
      const first = some(writes);
      if (first?.does !== 'write') return undefined;
      const later = some(writes.filter((act) => act.does === 'write' && act.began > first.ended));
      if (later?.does !== 'write') return undefined;
      const [one, other] = [placeOf(first.mark), placeOf(later.mark)];
      const swapped = log.with(one, log[other] as Logged).with(other, log[one] as Logged);
      return [acts, swapped];
    },
  };
}

await onPostgres(({ name, url: server }) => {
  describe('What clients saw of an account in one order', () => {
    it(`on ${name}, of two processes, killed with SIGKILL`, async (test) => {
      const shared = await sharedDatabase(server);
      const { env, cwd, secret, location } = shared;
      const services = [shared.service, await shared.start()];
      whenOver(async () => void (await Promise.all(services.map((one) => one.stop('SIGKILL')))));
      const kill = killOne(env, cwd);
      const isWriting = async (): Promise<boolean> =>
        (
          await shared.query(
            `SELECT FROM pg_stat_activity WHERE usename = '${shared.user}' AND state <> 'idle'`,
          )
        ).length > 0;
      const { acts, log } = await historyOf({ services, secret, location, kill, isWriting });
      fits(acts, log, (text) => test.diagnostic(text));
    });
  });
});

await onOwnPostgres((server) => {
  describe('What clients saw of an account in one order', () => {
    it(
      'of a server that is killed, and of the standby that takes its place',
      withAll,
      async (test) => {
        const standby = await server.standby();
        whenOver(() => standby.remove());
        const shared = await sharedDatabase(server.url);
        const { env, cwd, secret, location } = shared;
        const url = Object.assign(new URL(shared.url), { port: String(standby.port) }).href;
        const services = [shared.service, await shared.start()];
        whenOver(async () => void (await Promise.all(services.map((one) => one.stop('SIGKILL')))));
        await waitFor(server.url, 'standby');
        const kill = async (all: RunningService[], nth: number): Promise<void> => {
          await server.kill();
          if (nth === 0) return server.start();
          await ask(
            standby.url,
            'ALTER SYSTEM RESET synchronous_standby_names',
            'SELECT pg_reload_conf()',
            'SELECT pg_promote()',
          );
          for (const [at, { port, stop }] of all.entries()) {
            await stop('SIGKILL');
            all[at] = await startProcess({ cwd, env: { ...env, DATABASE_URL: url }, port });
          }
        };
        const { acts, log } = await historyOf({ services, secret, location, kill }, 2);
        fits(acts, log, (text) => test.diagnostic(text));
        await server.start();
        await waitFor(server.url);
      },
    );
  });
});
