/** The real service in a process of its own, over a store in the test's folder. */

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../src/app/app.ts';
import { readSettings } from '../../src/core/config.ts';
import { createLog } from '../../src/core/observe/log.ts';
import { whenOver } from './at-end.ts';
import { type Finished, type Start, watch } from './cli-program.ts';
import { RELEASE } from './release.ts';
import { endIdle, shortPace } from './service.ts';
import { LONG_MS, until } from './until.ts';

export interface RunningService {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** What it printed on standard output once it has printed something like that. */
  printed(pattern: RegExp): Promise<string>;
  /** How it ends, and all that it printed. */
  readonly end: Promise<Finished>;
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/**
 * Serves the store of that folder, or of that environment, in the process of the tests: commands run beside it as they
 * do beside one of its own, which takes long to start. It ends with the test.
 */
export async function serveHere({
  cwd,
  env,
  port = '0',
}: Start & { readonly port?: string }): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const DATABASE_URL = `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`;
  if (RELEASE !== undefined) {
    const { url, stop } = await startProcess({
      ...{ cwd, port: Number(port), env: { DATABASE_URL, ...env } },
    });
    return { url, stop: async () => void (await stop()) };
  }
  const settings = readSettings({ port }, { DATABASE_URL, ...env });
  const app = await createApp(settings, { pace: shortPace, log: createLog('silent') });
  whenOver(() => app.close());
  const url = await app.start();
  return {
    url,
    async stop() {
      endIdle(url);
      await app.close();
    },
  };
}

/** Starts `serve` (or `dev`) at that port, or a free one, and waits until it listens; it is ended with the test. */
export async function startProcess(
  options: Start & { readonly words?: readonly string[]; readonly port?: number },
): Promise<RunningService> {
  const { words = ['serve'], port = 0, ...rest } = options;
  const { child, printed: told, end, stop } = watch([...words, '--port', String(port)], rest);
  const ended = end.then(({ code, signal, stderr, stdout }) => {
    throw new Error(`It ended first, with ${code ?? signal}: ${stderr}${stdout.slice(-2_000)}`);
  });
  ended.catch(() => {});
  const printed = async (pattern: RegExp): Promise<string> => {
    const late = pause(LONG_MS, undefined, { ref: false }).then(() => {
      throw new Error(`It has not printed ${pattern}: ${told.stdout.slice(-2_000)}`);
    });
    // The deadline may pass when what was waited for is there.
    late.catch(() => {});
    while (!pattern.test(told.stdout)) {
      const more = new Promise((resolve) => child.stdout?.once('data', resolve));
      await Promise.race([more, ended, late]);
    }
    return told.stdout;
  };
  const [, url = ''] = /"address":"(https?:[^"]+)"/.exec(await printed(/"address":"[^"]+"/)) ?? [];
  return {
    url,
    port: Number(new URL(url).port),
    process: child,
    printed,
    end,
    stop: (signal = 'SIGTERM') => stop(signal),
  };
}

/**
 * Sends requests with a key that was revoked just now until one is refused. What is sent after a second must be; a
 * machine that takes long for each answer takes as much longer for that.
 */
export async function refusedWithinASecond(ask: () => Promise<number>): Promise<void> {
  const revoked = performance.now();
  let slowest = 0;
  // Seldom enough for a key that may send a hundred requests a minute.
  await until(async () => {
    const sent = performance.now();
    const status = await ask();
    if (status === 401) return true;
    assert.equal(status, 200);
    slowest = Math.max(slowest, performance.now() - sent);
    const ms = sent - revoked;
    assert.ok(ms < 1_000 + 10 * slowest, `it still works after ${ms.toFixed(0)} ms`);
    return false;
  });
}

interface Sending {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal;
}

/** Posts JSON, a value or its text, or sends a GET where there is no body, unless a method is named. */
export async function call(
  url: string,
  secret: string,
  path: string,
  body?: object | string,
  { method = body === undefined ? 'GET' : 'POST', headers, ...more }: Sending = {},
) {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const answer = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${secret}`, ...type, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...more,
  });
  return {
    status: answer.status,
    outcome: answer.headers.get('Ledgerstone-Outcome'),
    text: await answer.text(),
  };
}
