/** What one key's upserts take while another key behaves as badly as it can, behaviour by behaviour. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from '../options.ts';
import { startPostgres } from '../postgres-server.ts';
import { say, sayFilled } from '../progress.ts';
import { type Columns, machine, type Report, table } from '../report.ts';
import type { ServerProcess } from '../server-process.ts';
import { startService } from '../service.ts';
import { makeWorld, type World } from '../world.ts';
import { behaviours } from './behaviours.ts';
import { type Besieged, besiege } from './measure.ts';

/** What is wanted of every behaviour. */
const GOAL = { medianMs: 200, worstMs: 1000 };
const LARGE = 600;
const PORT = 18_090;

interface Result extends Besieged {
  readonly behaviour: string;
  readonly residentMiB: number;
}

const told = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ');

const asWanted = ({ medianMs, worstMs, failed }: Besieged): boolean =>
  medianMs <= GOAL.medianMs && worstMs <= GOAL.worstMs && Object.keys(failed).length === 0;

const COLUMNS: Columns<Result> = [
  ['behaviour of one key', (one) => one.behaviour],
  ['median ms', (one) => one.medianMs.toFixed(1)],
  ['worst ms', (one) => one.worstMs.toFixed(0)],
  ['upserts', (one) => String(one.upserts)],
  ['not 200', (one) => told(one.failed)],
  ['as wanted', (one) => (asWanted(one) ? 'yes' : 'NO')],
  ['MiB', (one) => one.residentMiB.toFixed(0)],
  ['it was answered', (one) => told(one.answered)],
];

export async function siege(options: Options, folder: string): Promise<Report> {
  const { records, seconds } = options;
  const postgres = options.database === 'postgres' ? await startPostgres(folder) : undefined;
  const url = postgres?.url ?? `sqlite:${join(folder, 'data', 'ledgerstone.db')}`;
  const world = await makeWorld(url, records, (done) => sayFilled(done, records));
  const secrets = join(folder, 'secret-key');
  writeFileSync(secrets, randomBytes(32).toString('base64'), { mode: 0o600 });
  // The endpoints of webhooks are on this machine.
  const settings = { SECRET_KEY_FILE: secrets, WEBHOOK_ALLOW: '127.0.0.0/8' };
  let service = await startService(url, settings, PORT);
  await makeLarge(service, world);
  const results: Result[] = [];
  for (const behaviour of Object.keys(behaviours)) {
    if (!(options.only ?? '').split(',').some((text) => behaviour.includes(text))) continue;
    say(behaviour);
    const { port } = service;
    const measured = await besiege({ ...world, port, behaviour, seconds });
    let residentMiB = Number.NaN;
    try {
      residentMiB = service.residentMiB();
    } catch {
      // It is gone: that was its end, and the next behaviour finds another one.
      service = await startService(url, settings, PORT);
    }
    results.push({ behaviour, ...measured, residentMiB });
  }
  await service.stop();
  await postgres?.stop();
  const text = [
    `${machine()}; upserts of two clients of another key, of which a median of ${GOAL.medianMs} ms and ${GOAL.worstMs} ms at the worst are wanted`,
    '',
    table(COLUMNS, results),
  ].join('\n');
  return {
    text,
    json: { machine: machine(), options, results },
    chart: {
      title: 'Milliseconds of an upsert at the worst, beside another key',
      bars: results.map(({ behaviour, worstMs }) => ({
        panel: 'by behaviour',
        group: behaviour,
        name: 'worst',
        value: worstMs,
      })),
    },
  };
}

/** Arrangements of as many bytes as they may have: a page of them is as large as pages get. */
async function makeLarge(service: ServerProcess, { other, location }: World): Promise<void> {
  const at = `http://127.0.0.1:${service.port}/v1/online_arrangements/upsert_many`;
  for (let from = 0; from < LARGE; from += 100) {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      location_unique_identifier: location,
      external_identifier: `page-${from + index}`,
      person_full_name: 'Name of a person',
      person_phone_number: '+14155550123',
      cart_summary: 'x'.repeat(65_000),
      additional_data: { text: 'y'.repeat(65_000) },
    }));
    const answer = await fetch(at, {
      method: 'POST',
      headers: { Authorization: other, 'Content-Type': 'application/json' },
      body: JSON.stringify(rows),
    });
    if (!answer.ok) throw new Error(`The large records were refused: ${await answer.text()}`);
    await answer.text();
  }
}
