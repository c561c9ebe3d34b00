/**
 * Realistic records around a moment: three chapels, their services, and people who attend, write and ask. No real person
 * is meant. `records.ndjson` has them, with days from today and the hour there instead of times.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The rows of a resource, as an upsert takes them; parents are named by the identifiers here. */
export interface SampleRows {
  readonly path: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Where its chapels are. */
export const SAMPLE_HOME = { time_zone: 'America/Chicago', state: 'IL' };

/** `images` is the address below which the pictures of the cards are. */
export function sampleRows(account: string, now: number, images: string): readonly SampleRows[] {
  const today = Math.floor((now + shiftAt(now)) / DAY_MS) * DAY_MS;
  const timeOf = (day: string, hour: string): string => {
    const wall = today + Number(day) * DAY_MS + Number(hour) * HOUR_MS;
    return new Date(wall - shiftAt(wall)).toISOString();
  };
  const lines = readFileSync(join(import.meta.dirname, 'records.ndjson'), 'utf8')
    .replaceAll('{account}', account)
    .replaceAll('{images}', images)
    .replaceAll(/\{day (-?\d+) (\d+)\}/g, (_, day, hour) => timeOf(day, hour))
    .replaceAll(/\{day (-?\d+)\}/g, (_, day) => timeOf(day, '12').slice(0, 10))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const begins = new Map(
    lines
      .filter(({ path }) => path === 'events')
      .map((one) => [one.external_identifier, Date.parse(one.event_datetime)]),
  );
  // Guests of a coming service have not checked in yet.
  const isDue = (row: { path: string; event_external_identifier: string }) =>
    row.path !== 'event_check_in_records' ||
    (begins.get(row.event_external_identifier) ?? 0) <= now + HOUR_MS;
  const byPath = Map.groupBy(lines.filter(isDue), ({ path }) => path);
  return Array.from(byPath, ([path, some]) => ({
    path,
    rows: some.map(({ path: _path, ...row }) => row),
  }));
}

/** How far the clocks there are from UTC, at that moment. */
function shiftAt(moment: number): number {
  const { time_zone: timeZone } = SAMPLE_HOME;
  // Written this way, a time can be read again.
  return Date.parse(`${new Date(moment).toLocaleString('sv', { timeZone })}Z`) - moment;
}

/** Where the pictures of the sample's mail replies are served, which `scripts/sample-cards.ts` draws. */
export const CARDS_PATH = '/sample/cards';

export const cardsFolder = join(import.meta.dirname, 'cards');

/** The picture of that name; `undefined` if there is no such picture. */
export function readCard(name: string): Buffer | undefined {
  const file = join(cardsFolder, name);
  return /^[a-z]+-(?:front|back)\.jpg$/.test(name) && existsSync(file)
    ? readFileSync(file)
    : undefined;
}
