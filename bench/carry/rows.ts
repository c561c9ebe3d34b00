/** Files of services to import, as a funeral home's spreadsheet has them. */
import { appendFileSync, writeFileSync } from 'node:fs';
import type { World } from '../world.ts';

const AT_ONCE = 1_000;
const COLUMNS = [
  'location_unique_identifier',
  'external_identifier',
  'event_name',
  'event_datetime',
  'person.full_name',
  'person.date_of_death',
] as const;

/** Their identifiers begin with the prefix. */
export function writeRows(path: string, { location }: World, count: number, prefix: string): void {
  writeFileSync(path, `${COLUMNS.join(',')}\n`);
  for (let from = 0; from < count; from += AT_ONCE) {
    const lines = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => {
      const name = `Jane Doe, the ${from + index}th`;
      const cells = [location, `${prefix}-${from + index}`, `"Celebration of life, ${name}"`];
      return [...cells, '2026-11-20T14:30:00-05:00', `"${name}"`, '2026-11-14\n'].join(',');
    });
    appendFileSync(path, lines.join(''));
  }
}
