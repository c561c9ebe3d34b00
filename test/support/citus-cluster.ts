/** The servers of the cluster that `TEST_DATABASE_URL` names: they run on this machine, and are there for tests to end. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ask } from './ask.ts';
import { answers } from './kept-program.ts';
import { killTree } from './process-tree.ts';
import { isSpread } from './store-postgres.ts';

export interface ClusterServer {
  /** As the cluster calls it. */
  readonly name: string;
  readonly port: number;
  /** The address of its superuser. */
  readonly url: string;
  /** What its superuser asks it. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends all of its processes with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it as it was, after `kill`; resolves when it answers. Does nothing while it runs. */
  start(): Promise<void>;
}

export interface Cluster {
  /** The address of the coordinator's superuser. */
  readonly url: string;
  readonly coordinator: ClusterServer;
  readonly workers: readonly [ClusterServer, ClusterServer, ...ClusterServer[]];
}

/** For tests that end servers of a cluster; where there is none that they may end they are skipped and say why. */
export async function onCluster(tests: (cluster: Cluster) => void): Promise<void> {
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
      while (all.some((one) => existsSync(`/proc/${one}`))) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      pid = undefined;
    },
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
