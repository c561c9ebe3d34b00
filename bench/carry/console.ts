/** Exports as a person takes them from the console: the same request that the page sends, from the same service that takes upserts. */
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../measure.ts';
import type { ServerProcess } from '../server-process.ts';
import { LAUNCHER } from './command.ts';

const RESOURCE = 'event_check_in_records';
const LOOK_MS = 20;

export interface Exported {
  readonly firstByteMs: number;
  readonly seconds: number;
  readonly mb: number;
}

/** What exports of a format took, all together. */
export interface ConsoleExport {
  readonly format: string;
  readonly count: number;
  readonly firstByteMs: number;
  readonly seconds: number;
  readonly mb: number;
  /** The memory of the service before the first one, and the most while one was under way. */
  readonly restMiB: number;
  readonly peakMiB: number;
}

/** Somebody who is signed in. */
export class ConsolePerson {
  readonly #service: ServerProcess;
  readonly #cookie: string;
  readonly #exports = new Map<string, { all: Exported[]; restMiB: number; peakMiB: number }>();

  private constructor(service: ServerProcess, cookie: string) {
    this.#service = service;
    this.#cookie = cookie;
  }

  static async signIn(service: ServerProcess, url: string): Promise<ConsolePerson> {
    const run = (...words: string[]) =>
      JSON.parse(
        execFileSync(LAUNCHER, [...words, '--json'], {
          env: { ...process.env, DATABASE_URL: url },
          stdio: ['ignore', 'pipe', 'ignore'],
          encoding: 'utf8',
        }),
      );
    const [{ unique_identifier: account }] = run('accounts', 'list');
    const who = ['--email', 'director@example.com', '--role', 'viewer', '--account', account];
    const { link } = run('staff', 'invite', ...who);
    const token = link.slice(link.lastIndexOf('/') + 1);
    const body = { token, password: 'pebble orchard lantern seven' };
    const answer = await send(service, '/invitations/redeem', body);
    const [cookie = ''] = answer.headers.getSetCookie();
    if (!answer.ok) throw new Error(`Nobody could sign in: ${await answer.text()}`);
    return new ConsolePerson(service, cookie.split(';')[0] ?? '');
  }

  /** One export after the other, until the signal is aborted. */
  begin(format: string, signal: AbortSignal) {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const restMiB = this.#service.residentMiB();
    const found = this.#exports.get(format) ?? { all: [], restMiB, peakMiB: restMiB };
    this.#exports.set(format, found);
    const looking = setInterval(() => {
      found.peakMiB = Math.max(found.peakMiB, this.#service.residentMiB());
    }, LOOK_MS);
    const run = async (): Promise<void> => {
      try {
        // The last one is taken to its end.
        while (!signal.aborted) found.all.push(await this.#take(format, resolve));
      } finally {
        clearInterval(looking);
      }
    };
    return { begun, ended: run() };
  }

  results(): readonly ConsoleExport[] {
    return [...this.#exports].map(([format, { all, restMiB, peakMiB }]) => ({
      format,
      count: all.length,
      firstByteMs: median(all.map((one) => one.firstByteMs)),
      seconds: median(all.map((one) => one.seconds)),
      mb: median(all.map((one) => one.mb)),
      restMiB,
      peakMiB,
    }));
  }

  async #take(format: string, begun: () => void): Promise<Exported> {
    const began = performance.now();
    const wanted = { resources: [RESOURCE], format };
    const answer = await send(this.#service, '/exports', wanted, this.#cookie);
    if (!answer.ok || answer.body === null) throw new Error(await answer.text());
    let firstByteMs: number | undefined;
    let bytes = 0;
    let last = '';
    for await (const piece of answer.body) {
      if (firstByteMs === undefined) {
        firstByteMs = performance.now() - began;
        begun();
      }
      bytes += piece.length;
      last = Buffer.from(piece.subarray(-200)).toString('latin1');
    }
    if (!last.includes('"done":true')) throw new Error(`The export was not complete: ${last}`);
    const seconds = (performance.now() - began) / 1000;
    // Who reads it does not ask for the next one at once.
    await pause(LOOK_MS);
    return { firstByteMs: firstByteMs ?? Number.NaN, seconds, mb: bytes / 1_000_000 };
  }
}

function send(
  { port }: ServerProcess,
  path: string,
  body: object,
  cookie?: string,
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/console/api${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      'Ledgerstone-Console': '1',
      ...(cookie === undefined ? {} : { Cookie: cookie }),
    },
    body: JSON.stringify(body),
  });
}
