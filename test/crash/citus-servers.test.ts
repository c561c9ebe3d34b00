/** A cluster that loses a server, or moves what lies on one: nothing that was answered is lost, and others are served. */
// needs: --all, program, waits

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { arrangement } from '../support/cli-load.ts';
import { type Shared, senderTo, sharedDatabase, wantReady } from '../support/cli-postgres.ts';
import { type AccountJson, type KeyJson, programIn, run } from '../support/cli-program.ts';
import { call, type RunningService } from '../support/cli-service.ts';
import { makeLocation } from '../support/cli-setup.ts';
import { logOf, startClients } from '../support/history/clients.ts';
import { fits } from '../support/history/fits.ts';
import { answers } from '../support/kept-program.ts';
import { randomOf } from '../support/power/random.ts';
import { SEED } from '../support/power/recording.ts';
import { childrenOf, killTree } from '../support/process-tree.ts';
import { isSpread } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

/** The most seconds that an account is refused after its server is back. */
const RECOVERY_MS = 10_000;
const ROUNDS = 4;
/** Answers that clients get between two things that happen to the account. */
const ANSWERS = 300;

/** Sends by a key for this account alone. */
interface Tenant extends ReturnType<typeof senderTo> {
  readonly account: string;
  readonly location: string;
  readonly secret: string;
}

interface World extends Shared {
  /** For both accounts. */
  readonly secret: string;
  /** An account on each of the first two workers. */
  readonly tenants: readonly [Tenant, Tenant];
}

await onCluster((cluster) => {
  describe('A service over a cluster', () => {
    it('whose worker is killed under load goes on for the accounts on others, and has all that was answered', async () => {
      const world = await setUp(cluster);
      const { service, secret, tenants } = world;
      const [lost, other] = tenants;
      // A key that is for the lost account, too, works for this one.
      const both = senderTo(service, secret, other.location);
      for (let round = 0; round < ROUNDS; round++) {
        const name = `worker ${round}`;
        const loads = tenants.map(({ load }) => load(name));
        await Promise.all(loads.map((load) => load.reached(200 + 100 * round)));
        await cluster.workers[0].kill();

        await lost.wantRefused('down');
        for (let count = 0; count < 10; count++) {
          for (const { written } of [other, both]) await written(`${count}`);
        }
        await wantReady(service, false);
        assert.equal((await fetch(`${service.url}/healthz`)).status, 200);

        await cluster.workers[0].start();
        await lost.wantRecovery(service, RECOVERY_MS);
        await wantReady(service, true);
        for (const load of loads) await load.wantKept();
      }
    });

    it('whose coordinator is killed under load goes on for its accounts, and has all that was answered', async () => {
      const world = await setUp(cluster);
      const { service, tenants } = world;
      const other = await world.start(addressAt(world, cluster.workers[1]));
      for (let round = 0; round < ROUNDS; round++) {
        const name = `coordinator ${round}`;
        const loads = tenants.map(({ load }) => load(name));
        await Promise.all(loads.map((load) => load.reached(200 + 100 * round)));
        await cluster.coordinator.kill();

        for (const { written } of tenants) {
          for (const process of [service, other])
            await written(`without coordinator ${round}`, undefined, process);
        }
        // What is known of the key is looked up again after half a second.
        await pause(1_000);
        for (const { written } of tenants) await written(`still without coordinator ${round}`);
        await wantReady(service, false);
        await cluster.coordinator.start();
        for (const tenant of tenants) await tenant.wantRecovery(world.service, RECOVERY_MS);
        await wantReady(service, true);
        for (const load of loads) await load.wantKept();
      }
    });

    it('whose coordinator is frozen under load goes on for its accounts, and has all that was answered', async () => {
      const world = await setUp(cluster);
      const { service, tenants } = world;
      whenOver(async () => cluster.coordinator.thaw());
      const loads = tenants.map(({ load }) => load('frozen'));
      await Promise.all(loads.map((load) => load.reached(200)));
      cluster.coordinator.freeze();
      // What asks it waits until it is given up, and others do not.
      for (let look = 0; look < 5; look += 1) {
        for (const tenant of tenants) await tenant.wantRecovery(service, RECOVERY_MS);
        await pause(4_000);
      }
      cluster.coordinator.thaw();
      for (const tenant of tenants) await tenant.wantRecovery(service, RECOVERY_MS);
      await wantReady(service, true);
      for (const load of loads) await load.wantKept();
    });

    it('that starts while a worker is down serves the accounts on others, and those on it once it is back', async () => {
      const world = await setUp(cluster);
      const [lost, other] = world.tenants;
      const both = senderTo(world.service, world.secret, other.location);
      const serves = async (service: RunningService): Promise<void> => {
        for (const { written } of [both, other]) await written('served', undefined, service);
      };
      await serves(world.service);
      await cluster.workers[0].kill();
      const services: RunningService[] = [];
      for (const url of [world.url, addressAt(world, cluster.workers[1])]) {
        const service = await world.start(url);
        services.push(service);
        await serves(service);
        await lost.wantRefused('down', service);
        const why = `the server ${cluster.workers[0].name} of the cluster: no server answers`;
        await service.printed(new RegExp(RegExp.escape(why)));
        await wantReady(service, false);
      }
      await cluster.workers[0].start();
      for (const service of services) {
        await lost.wantRecovery(service, RECOVERY_MS);
        await wantReady(service, true);
      }
    });

    it('that starts while the coordinator is down serves all accounts, at a worker or at one of several servers', async () => {
      const world = await setUp(cluster);
      const { tenants } = world;
      const serves = async (service: RunningService): Promise<void> => {
        for (const { written } of tenants) await written('served', undefined, service);
      };
      await serves(world.service);
      await cluster.coordinator.kill();
      const worker = cluster.workers[1].name;
      const { name } = cluster.coordinator;
      const several = addressAt(world, cluster.coordinator).replace(name, `${name},${worker}`);
      const services: RunningService[] = [];
      for (const url of [addressAt(world, cluster.workers[1]), several]) {
        const service = await world.start(url);
        services.push(service);
        await serves(service);
      }
      await cluster.coordinator.start();
      for (const service of services) await wantReady(service, true);
    });

    it('of which a worker is frozen serves keys of several accounts in the others, and refuses their lists at once', async () => {
      const world = await setUp(cluster);
      const { service, secret, tenants } = world;
      const both = senderTo(service, secret, tenants[1].location);
      await both.written('before');
      const [worker] = cluster.workers;
      whenOver(async () => worker.thaw());
      worker.freeze();
      const list = () => call(service.url, secret, '/v1/online_arrangements?limit=10');
      // The first finds out.
      assert.equal((await list()).status, 503);
      const began = performance.now();
      for (let round = 0; round < 20; round += 1) {
        assert.equal((await list()).status, 503);
        await both.written(`while frozen ${round}`);
      }
      // Far more than that takes, and less than 20 that each wait for the frozen one.
      assert.ok(performance.now() - began < 40_000);
      worker.thaw();
      await until(async () => (await list()).status === 200);
    });

    it('of which a worker is down is told by commands which, and why', async () => {
      const [{ kill, name, start }] = cluster.workers;
      const { cwd, env, service } = await sharedDatabase(cluster.url);
      // What was made last ends first: the schema is dropped when the worker is back.
      whenOver(start);
      await kill();
      const why = `${name} of the cluster cannot be reached (Connection refused)`;
      const create = ['accounts', 'create', '--name', 'Example Funeral Group', '--test'];
      // About half of the accounts would be on that worker: they are made at another one.
      for (let made = 0; made < 8; made += 1) {
        const { code, stderr } = await run(create, { cwd, env });
        assert.equal(code, 0, stderr);
      }
      const all = await run(['accounts', 'list'], { cwd, env });
      if (all.code !== 0) assert.ok(all.stderr.includes(why), all.stderr);
      const { stdout } = await run(['doctor'], { cwd, env });
      assert.ok(stdout.includes(`${name} (Connection refused)`), stdout);
      await wantReady(service, false);
      await service.printed(new RegExp(`${RegExp.escape(name)} \\(Connection refused\\)`));
    });

    it('whose coordinator is killed between the phases of commits on two servers does each of them whole or not at all, and frees their accounts', async () => {
      const world = await setUp(cluster);
      const { service, secret, tenants } = world;
      const { below } = randomOf(SEED);
      const batch = (name: string) =>
        call(
          service.url,
          secret,
          '/v1/online_arrangements/upsert_many?atomic=true',
          tenants.map(({ location }) => arrangement(location, name)),
        );
      const sent: string[] = [];
      const answered: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        let killed = false;
        const writing = Array.from({ length: 8 }, async (_, writer) => {
          for (let count = 0; !killed; count++) {
            const name = `${round} ${writer} ${count}`;
            sent.push(name);
            const { status, text } = await batch(name);
            if (status === 200) answered.push(name);
            else assert.equal(status, 503, text);
          }
        });
        const before = answered.length;
        await until(() => answered.length > before + 5 * (round + 1));
        await pause(below(50));
        await cluster.coordinator.kill();
        killed = true;
        await Promise.all(writing);
        await cluster.coordinator.start();
        for (const tenant of tenants) await tenant.wantRecovery(world.service, RECOVERY_MS);
      }
      const [one, other] = await Promise.all(
        tenants.map(({ location }) => namesAt(world, location)),
      );
      const batches = sent.filter((name) => one?.has(name) || other?.has(name));
      for (const name of batches) assert.ok(one?.has(name) && other?.has(name), `half of ${name}`);
      for (const name of answered) assert.ok(one?.has(name), `${name} was answered, and is lost`);
      assert.ok(answered.length > 0);
    });

    it('that moves an account to another server loses nothing, and refuses at most', async (t) => {
      const [{ wal_level } = {}] = await cluster.workers[0].query('SHOW wal_level');
      if (wal_level !== 'logical') return t.skip('The workers want wal_level = logical.');
      const world = await setUp(cluster);
      const { service, tenants } = world;
      const [{ account, ...tenant }] = tenants;
      const load = tenant.load('moved');
      await load.reached(200);
      const ways = [cluster.workers[1], cluster.workers[0]];
      for (const [index, to] of ways.entries()) {
        const from = ways[1 - index] as ClusterServer;
        await moveAccount(world, account, from, to);
        assert.equal(await portOf(world, account), to.port);
        await load.reached(400 * (index + 1));
      }
      await tenants[0].wantRecovery(service, RECOVERY_MS);
      await load.wantKept();
    });

    it('that is stopped while an account moves and is split goes on where it is then, beside one that was not', async (t) => {
      const [{ wal_level } = {}] = await cluster.workers[0].query('SHOW wal_level');
      if (wal_level !== 'logical') return t.skip('The workers want wal_level = logical.');
      const world = await setUp(cluster);
      const [tenant] = world.tenants;
      const other = await world.start();
      const { url, process: stopped } = world.service;
      const loads = [world.service, other].map((at, nth) => tenant.load(`beside ${nth}`, at));
      const ways = [cluster.workers[1], cluster.workers[0]];
      for (const [index, to] of ways.entries()) {
        await Promise.all(loads.map((load) => load.reached(100 * (index + 1))));
        const from = ways[1 - index] as ClusterServer;
        stopped.kill('SIGSTOP');
        await moveAccount(world, tenant.account, from, to);
        stopped.kill('SIGCONT');
      }
      await Promise.all(loads.map((load) => load.reached(300)));
      stopped.kill('SIGSTOP');
      await splitAccount(world, tenant.account);
      stopped.kill('SIGCONT');
      await Promise.all(loads.map((load) => load.reached(400)));
      await tenant.wantRecovery(world.service, RECOVERY_MS);
      for (const load of loads) await load.wantKept(url);
      const positions = await world.query(
        `SELECT count(*) - max(position) AS gaps FROM ${world.user}.commit WHERE account = '${tenant.account}'`,
      );
      assert.deepEqual(positions, [{ gaps: '0' }]);
    });

    it('whose account moves, is split and is killed shows its clients one order', async (t) => {
      const [{ wal_level } = {}] = await cluster.workers[0].query('SHOW wal_level');
      if (wal_level !== 'logical') return t.skip('The workers want wal_level = logical.');
      const world = await setUp(cluster);
      const [{ account, location, secret }] = world.tenants;
      const urls = [world.service, await world.start()].map(({ url }) => url);
      const { below } = randomOf(SEED);
      const clients = startClients({ urls, secret, location, random: below });
      const goOn = async (): Promise<void> => {
        const before = clients.answered();
        await until(() => clients.answered() >= before + ANSWERS);
        await pause(below(20));
      };
      try {
        const ways = [cluster.workers[1], cluster.workers[0]];
        for (const [index, to] of ways.entries()) {
          await goOn();
          await moveAccount(world, account, ways[1 - index] as ClusterServer, to);
          await goOn();
          await to.kill();
          await to.start();
        }
        await goOn();
        await splitAccount(world, account);
        await goOn();
      } catch (error) {
        clients.leave();
        throw error;
      }
      // What a killed server had begun on another is committed or rolled back.
      const servers = [cluster.coordinator, ...cluster.workers];
      const open = async () =>
        (
          await Promise.all(servers.map(({ query }) => query('SELECT FROM pg_prepared_xacts')))
        ).flat();
      const acts = await clients.stop(() => until(async () => (await open()).length === 0));
      fits(acts, await logOf(urls[0] ?? '', secret), (text) => t.diagnostic(text));
    });
  });
});

/** A service over both workers. Whatever was killed runs again when the test is over. */
async function setUp(cluster: Cluster): Promise<World> {
  whenOver(() => Promise.all([cluster.coordinator, ...cluster.workers].map((one) => one.start())));
  const shared = await sharedDatabase(cluster.url);
  const { json } = programIn(shared.cwd, shared.env);
  const accounts: string[] = [];
  for (const { port } of cluster.workers.slice(0, 2)) accounts.push(await accountAt(port));
  const { secret } = await json<KeyJson>('keys', 'create', '--account', ...accounts);
  const [one, other] = await Promise.all(
    accounts.map(async (account) => {
      const { secret: own } = await json<KeyJson>('keys', 'create', '--account', account);
      const location = await makeLocation(shared.service.url, secret, account);
      return { account, location, secret: own, ...senderTo(shared.service, own, location) };
    }),
  );
  assert.ok(one && other);
  return { ...shared, secret, tenants: [one, other] };

  async function accountAt(port: number): Promise<string> {
    for (;;) {
      const words = ['accounts', 'create', '--name', 'Example Funeral Group', '--test'];
      const { unique_identifier } = await json<AccountJson>(...words);
      if ((await portOf(shared, unique_identifier)) === port) return unique_identifier;
    }
  }
}

/** The address of the database at that server. */
function addressAt({ url }: Shared, server: ClusterServer): string {
  const address = new URL(url);
  address.host = server.name;
  return address.href;
}

/** The port of the server on which that account lies. */
async function portOf({ user, query }: Shared, account: string): Promise<number> {
  const [row] = await query(
    `SELECT nodeport FROM pg_dist_shard_placement
     WHERE shardid = get_shard_id_for_distribution_column('${user}.account', '${account}')`,
  );
  return Number(row?.nodeport);
}

/** Moves all that lies together with the account while it is written to. */
async function moveAccount(
  { user, query }: Shared,
  account: string,
  from: ClusterServer,
  to: ClusterServer,
): Promise<void> {
  await query(
    `SELECT citus_move_shard_placement(
       get_shard_id_for_distribution_column('${user}.account', '${account}'),
       '${new URL(from.url).hostname}', ${from.port}, '${new URL(to.url).hostname}', ${to.port})`,
  );
}

/** Splits the part that has the account in two, one of them at another server. */
async function splitAccount({ user, query }: Shared, account: string): Promise<void> {
  await query(
    `SELECT citus_split_shard_by_split_points(shardid,
       ARRAY[((shardminvalue::bigint + shardmaxvalue::bigint) / 2)::text],
       (SELECT array_agg(nodeid::int) FROM (
         SELECT nodeid FROM pg_dist_node WHERE shouldhaveshards ORDER BY nodeid LIMIT 2) AS two),
       'block_writes')
     FROM pg_dist_shard
     WHERE shardid = get_shard_id_for_distribution_column('${user}.account', '${account}')`,
  );
}

/** The external identifiers of all arrangements at a location. */
async function namesAt({ service, secret }: World, location: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (let after = ''; ; ) {
    const { text } = await call(
      service.url,
      secret,
      `/v1/online_arrangements?limit=100&location_unique_identifier=${location}${after}`,
    );
    const { data, has_more } = JSON.parse(text);
    for (const { external_identifier } of data) names.add(external_identifier);
    if (!has_more) return names;
    after = `&starting_after=${data.at(-1).unique_identifier}`;
  }
}

interface ClusterServer {
  /** As the cluster calls it. */
  readonly name: string;
  readonly port: number;
  /** The address of its superuser. */
  readonly url: string;
  /** What its superuser asks it. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends all of its processes with SIGKILL. */
  kill(): Promise<void>;
  /** It neither answers nor refuses from now on, until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** Starts it as it was, after `kill`; resolves when it answers. Does nothing while it runs. */
  start(): Promise<void>;
}

interface Cluster {
  /** The address of the coordinator's superuser. */
  readonly url: string;
  readonly coordinator: ClusterServer;
  readonly workers: readonly [ClusterServer, ClusterServer, ...ClusterServer[]];
}

/** For tests that end servers of a cluster; where there is none that they may end they are skipped and say why. */
async function onCluster(tests: (cluster: Cluster) => void): Promise<void> {
  const url = process.env.TEST_DATABASE_URL;
  const found =
    url !== undefined && isSpread(url)
      ? await findCluster(url)
      : 'TEST_DISTRIBUTION=citus and TEST_DATABASE_URL name no cluster. No package brings one.';
  if (typeof found !== 'string') tests(found);
  else describe('On Citus', () => it('all of this holds', { skip: found }));
}

/** Or why there is none. */
async function findCluster(url: string): Promise<Cluster | string> {
  const rows = await ask(url, 'SELECT nodename, nodeport FROM pg_dist_node ORDER BY groupid');
  const servers: ClusterServer[] = [];
  for (const { nodename, nodeport } of rows) {
    const own = new URL(url);
    own.host = `${nodename}:${nodeport}`;
    const pid = await postmasterAt(own.href);
    if (pid === undefined) return `${own.host} does not run on this machine.`;
    servers.push(serverOf(own, pid));
  }
  const [coordinator, one, other, ...more] = servers;
  if (coordinator === undefined || one === undefined || other === undefined) {
    return 'The cluster has fewer than two workers.';
  }
  return { url, coordinator, workers: [one, other, ...more] };
}

function serverOf(url: URL, running: number): ClusterServer {
  let pid: number | undefined = running;
  const proc = (file: string): string => `/proc/${running}/${file}`;
  const words = (file: string): string[] =>
    readFileSync(proc(file), 'utf8').split('\0').filter(Boolean);
  const [, ...args] = words('cmdline');
  const program = readlinkSync(proc('exe'));
  const { uid, gid } = statSync(proc('cwd'));
  const env = Object.fromEntries(
    words('environ').map((word) => [word.split('=', 1)[0], word.slice(word.indexOf('=') + 1)]),
  );
  const options = { cwd: '/', env, detached: true, stdio: 'ignore' } as const;
  return {
    name: url.host,
    port: Number(url.port),
    url: url.href,
    query: (text) => ask(url.href, text),
    async kill() {
      if (pid === undefined) return;
      const all = killTree(pid);
      await until(() => all.every((one) => !existsSync(`/proc/${one}`)));
      pid = undefined;
    },
    freeze: () => signalTree(pid, 'SIGSTOP'),
    thaw: () => signalTree(pid, 'SIGCONT'),
    async start() {
      if (pid !== undefined) return;
      const child = spawn(
        program,
        args,
        process.getuid?.() === 0 ? { ...options, uid, gid } : options,
      );
      child.unref();
      await answers(url.href, () =>
        child.exitCode === null ? undefined : `exit ${child.exitCode}`,
      );
      pid = child.pid;
    },
  };
}

function signalTree(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  for (const one of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(one, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** The process that all of that server descend from; `undefined` where it is none of this machine. */
async function postmasterAt(url: string): Promise<number | undefined> {
  const [row] = await ask(
    url,
    `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid,
       current_setting('data_directory') AS folder`,
  );
  const folder = `/proc/${row?.pid}/cwd`;
  if (row === undefined || !existsSync(folder)) return undefined;
  return readlinkSync(folder) === row.folder ? Number(row.pid) : undefined;
}
