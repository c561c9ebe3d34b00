/** Nothing forgets a record or its history without asking for holds: each statement that can is known here. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

/** Removes records, changes or what is kept of removed records, or empties changes. */
const FORGETS =
  /DELETE \$\{found\}|DELETE FROM (?:"?\$\{CHANGE_TABLE\}|\$\{table\}|\$\{quoteName|"?gone\b|change\b)|contents? = (?:NULL|\?)/g;

/** How many statements a file has, and where a hold stops them. `test/conformance/holding.ts` proves it. */
const KNOWN = new Map<string, readonly [count: number, why: string]>([
  ['postgres/statements/removal.ts', [1, 'commit/removal.ts asks before it removes']],
  ['postgres/statements/erased.ts', [1, 'only of records that commit/erasing.ts has erased']],
  [
    'postgres/statements/changes.ts',
    [
      6,
      'log.ts asks before it sweeps, and commit/holding.ts finds what is free; a record that is restored or erased is no more removed',
    ],
  ],
  ['postgres/whole/emptying.ts', [2, 'accounts.ts asks before emptying begins']],
  ['sqlite/statements/records.ts', [3, 'commit/removal.ts and accounts.ts ask before']],
  [
    'sqlite/statements/changes.ts',
    [5, 'log.ts, accounts.ts and erasing.ts ask before; restoring forgets nothing'],
  ],
  ['sqlite/erasing.ts', [1, 'erasing.ts asks before it erases']],
  ['sqlite/whole/emptying.ts', [2, 'accounts.ts asks before emptying begins']],
]);

it('every statement that forgets records or their history is one that holds can stop', () => {
  const found = globSync('src/store/**/*.ts').flatMap((path) => {
    const { length } = [...readFileSync(path, 'utf8').matchAll(FORGETS)];
    return length === 0 ? [] : [[path.replace('src/store/', ''), length] as const];
  });
  assert.deepEqual(
    new Map(found.sort()),
    new Map([...KNOWN].map(([path, [count]]) => [path, count] as const).sort()),
    'ask for holds in the commit that runs it, prove that in test/conformance/holding.ts, and name it here',
  );
});
