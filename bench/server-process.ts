/** A server under load: started, watched from outside, stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

export interface ServerProcess {
  readonly port: number;
  /** Processor seconds used so far. */
  cpuSeconds(): number;
  /** Processor time with that of the processes that it has started. */
  allCpuSeconds(): number;
  residentMiB(): number;
  /** Tells it to end, and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a command that will listen on the port, and waits until it does. */
export async function startServer(
  command: string,
  args: readonly string[],
  port: number,
  environment: NodeJS.ProcessEnv = {},
  runner: { readonly uid?: number; readonly gid?: number } = {},
): Promise<ServerProcess> {
  if (await accepts(port))
    throw new Error(`Something listens on port ${port} already: end it first.`);
  const child = spawn(command, args, {
    ...runner,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Nothing stays behind when the bench fails.
  const end = () => child.kill();
  process.on('exit', end);
  child.on('exit', () => process.off('exit', end));
  await listening(child, port);
  const own = String(child.pid);
  return {
    port,
    cpuSeconds: () => cpuOf(statOf(own)),
    allCpuSeconds: () => {
      const children = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(statOf)
        .filter(([, parent]) => parent === own);
      return [statOf(own), ...children].reduce((sum, stat) => sum + cpuOf(stat, 4), 0);
    },
    residentMiB: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    stop: (signal = 'SIGTERM') =>
      new Promise((resolve) => {
        child.on('exit', () => resolve());
        child.kill(signal);
      }),
  };
}

/** The state of a process, its parent and so on (proc(5)); nothing where it has ended. */
function statOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}

/** Sums utime, stime, and both of its ended children, which are in hundredths of a second. */
function cpuOf(stat: readonly string[], times = 2): number {
  return stat.slice(11, 11 + times).reduce((sum, one) => sum + Number(one), 0) / 100;
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 2000; tries++) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    if (await accepts(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`Nothing listens on port ${port}.`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
