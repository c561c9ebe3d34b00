/** What a siege is about: the real service in a process, a key that behaves badly and one that does not. */

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { whenOver } from '../support/at-end.ts';
import { type KeyJson, ownFolder, programIn, type Start } from '../support/cli-program.ts';
import { type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';

const MIB = 1_048_576;

export interface Ground {
  readonly service: RunningService;
  readonly cwd: string;
  readonly account: string;
  /** The unique identifier of a location. */
  readonly location: string;
  /** Of two keys of one account. */
  readonly bad: string;
  readonly good: string;
  /** Of the process, as the system counts it: at the moment, and at most so far. */
  residentMiB(): number;
  mostResidentMiB(): number;
  /** That it has read so far, of connections and files. */
  readMiB(): number;
  /** That it has written so far, to connections and files. */
  writtenMiB(): number;
}

export async function besieged(env: Start['env'] = {}): Promise<Ground> {
  const cwd = ownFolder();
  const { account, secret: good } = await makeAccount(cwd);
  const { secret: bad } = await programIn(cwd).json<KeyJson>(
    'keys',
    'create',
    '--account',
    account,
  );
  const service = await startProcess({ cwd, env: { LOG_LEVEL: 'info', ...env } });
  const location = await makeLocation(service.url, good, account);
  const status = (name: string): number => {
    const text = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024;
  };
  const moved = (name: string): number => {
    const text = readFileSync(`/proc/${service.process.pid}/io`, 'utf8');
    return Number(new RegExp(`${name}: (\\d+)`).exec(text)?.[1]) / MIB;
  };
  return {
    service,
    cwd,
    account,
    location,
    bad,
    good,
    residentMiB: () => status('VmRSS'),
    mostResidentMiB: () => status('VmHWM'),
    readMiB: () => moved('rchar'),
    writtenMiB: () => moved('wchar'),
  };
}

/** A socket on which a test says what it likes, and all that was answered. */
export class Wire {
  readonly socket: Socket;
  text = '';

  constructor({ service: { port } }: Ground) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('utf8').on('data', (text) => {
      this.text += text;
    });
    this.socket.on('error', () => {});
    whenOver(() => this.socket.destroy());
  }

  /** The status of the first answer, when it is there; 0 where the connection ends without one. */
  async status(): Promise<number> {
    while (!this.text.includes('\r\n\r\n')) {
      if (this.socket.destroyed) return 0;
      await new Promise((resolve) => {
        this.socket.once('data', resolve).once('close', resolve);
      });
    }
    return Number(this.text.split(' ')[1]);
  }
}

/** The head of a request, with the blank line after it. */
export function head(line: string, secret: string, headers: Record<string, string> = {}): string {
  const all = { Host: 'localhost', Authorization: `Bearer ${secret}`, ...headers };
  const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${fields.join('')}\r\n`;
}

/** An array of rows that are right, of about so many MiB. */
export function rowsOf(location_unique_identifier: string, mib: number): string {
  const rows = Array.from({ length: 20 * mib }, (_, index) => ({
    location_unique_identifier,
    external_identifier: `row-${index}`,
    person_full_name: 'Name of a person',
    person_phone_number: '+14155550123',
    cart_summary: 'Urn',
    additional_data: { text: 'x'.repeat(MIB / 20 - 300) },
  }));
  return JSON.stringify(rows);
}
