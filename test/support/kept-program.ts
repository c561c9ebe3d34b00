/** A server of a test's own, which ends with this process, however that ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import type { Runner } from './postgres-programs.ts';
import { until } from './until.ts';

export const HOST = '127.0.0.1';

interface Program {
  readonly command: readonly string[];
  /** Where it runs, and what goes with it. */
  readonly folder: string;
  /** The file that gets what it says. */
  readonly log: string;
  readonly runner: Runner;
  /** What ends it without waiting for its clients. */
  readonly signal: 'INT' | 'QUIT';
}

/**
 * Starts the program and waits until its standard input tells what to do: a line
 * means to stop it; the end means that whoever wanted it is gone, and to remove its files, too.
 */
const KEEPER = `
  folder=$1 log=$2 signal=$3; shift 3
  "$@" >"$log" 2>&1 </dev/null &
  program=$!
  read -r line || gone=yes
  kill -s "$signal" "$program" 2>/dev/null
  wait "$program"
  [ -z "\${gone:-}" ] || { cd / && rm -rf "$folder"; }`;

export function keepProgram({ command, folder, log, runner, signal }: Program) {
  let keeper: ChildProcess | undefined;
  const ended = async (words: string | undefined): Promise<void> => {
    if (keeper?.stdin == null || keeper.exitCode !== null) return;
    const exit = once(keeper, 'exit');
    keeper.ref();
    if (words === undefined) keeper.stdin.end();
    else keeper.stdin.write(words);
    await exit;
  };
  return {
    /** Starts it; once more after it has ended. */
    start() {
      // What the last one wrote must not be taken for what this one writes.
      rmSync(log, { force: true });
      keeper = spawn('sh', ['-c', KEEPER, 'sh', folder, log, signal, ...command], {
        ...runner,
        cwd: folder,
        // A session of its own: what the terminal sends to the tests must not reach it.
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      keeper.unref();
      // The pipe is a socket, and must not keep our process alive either.
      if (keeper.stdin !== null && 'unref' in keeper.stdin) (keeper.stdin as Socket).unref();
    },
    /** Ends it, and waits for that. */
    halt: () => ended('\n'),
    /** Ends it and removes its folder. While it runs, that also happens when this process ends. */
    async remove() {
      await ended(undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A port that connections to elsewhere are not given while the server is down. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, HOST);
    const free = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/** Waits until a session can be had at that address; rejects when `failed` says why there will be none. */
export async function answers(url: string, failed: () => string | undefined): Promise<void> {
  let fault: Error | undefined;
  await until(async () => {
    const client = new Client(url);
    try {
      await client.connect();
      return true;
    } catch (error) {
      const why = failed();
      if (why === undefined) return false;
      fault = new Error(`It does not start: ${why}`, { cause: error });
      return true;
    } finally {
      await client.end();
    }
  }).catch((cause) => {
    throw new Error(`No server answers at ${new URL(url).host}.`, { cause });
  });
  if (fault !== undefined) throw fault;
}
