/** A test that asks which day it is, and later looks at what was made on it, holds when midnight comes between. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const TESTS = join(import.meta.dirname, '..');
/** Makes a day, as text or as a date, of the clock. */
const ASKS =
  /(?:new Date\(\)|Date\.now\(\)[^;\n]*\))\.(?:toISOString\(\)\.slice\(0, ?10\)|getUTCDate|getDate|setUTCHours|setHours)|\bplainDateISO\(|Temporal\.Now\.\w+\([^)]*\)(?:\.\w+\([^)]*\))*\.(?:startOfDay|toPlainDate)\(|Date\.now\(\)\)\.toLocale/;
/** Ask it through what waits for the next day where this one is about to end. */
const WAITS = /\bwithinOneDay\(|\b(?:browser|console)Ground\b/;
/** What they want is true on both sides of midnight. */
const ON_BOTH = [
  // A day that the service takes, also when it is yesterday, and one three days on.
  'schema/samples.test.ts',
  // Called by what waits.
  'support/console-records.ts',
];

it('each test that asks for the day is over within it, or holds on both sides of midnight', () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(?:ts|mts)$/.test(path) && !path.includes('node_modules'),
  );
  const found = files.filter((path) => {
    const text = readFileSync(join(TESTS, path), 'utf8');
    return ASKS.test(text) && !WAITS.test(text);
  });
  assert.deepEqual(found.sort(), ON_BOTH);
});
