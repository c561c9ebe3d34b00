/** What is remembered of how files are read can be taken back by the option that said it: for the file, and for the next ones. */
// needs: program, long
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ownFolder, programIn } from '../../support/cli-program.ts';
import { call } from '../../support/cli-service.ts';
import { makeLocation, servedAccount, withAccount } from '../../support/cli-setup.ts';

const EVENT = 'external_identifier,event_name,event_datetime,person.full_name,person.date_of_birth';
const REPLY =
  'external_identifier,images,respondent_person.full_name,respondent_person.phone_number1';
const event = (time: string, born: string) => `Funeral,${time},Dana Example,${born}`;
const reply = (phone: string) => `https://example.com/a.jpg,Dana Example,${phone}`;
const ZONED = '2026-12-03T14:30:00-06:00';

/** How it is said and taken back, and a row that is rejected without. */
const READINGS = [
  ['events', EVENT, event(ZONED, '5/13/50'), ['--short-years'], ['--no-short-years']],
  [
    'events',
    EVENT,
    event('2026-12-03 14:30', ''),
    ['--time-zone', 'America/Chicago'],
    ['--time-zone', 'locations'],
  ],
  [
    'direct_mail_replies',
    REPLY,
    reply('(217) 555-0134 cell'),
    ['--phone-words', 'leave_out'],
    ['--phone-words', 'refuse'],
  ],
  [
    'direct_mail_replies',
    REPLY,
    reply('555-0134'),
    ['--area-code', '217'],
    ['--area-code', 'none'],
  ],
] as const;

type Run = (...words: string[]) => Promise<{ code: number | null; stdout: string; stderr: string }>;

async function isTakenBack(cwd: string, run: Run): Promise<void> {
  let number = 0;
  let isDone = false;
  for (const [resource, header, row, said, back] of READINGS) {
    const isRead = async (...how: readonly string[]): Promise<boolean> => {
      number += 1;
      const name = `file-${number}.csv`;
      // A row that needs no reading has what was chosen remembered.
      const plain = resource === 'events' ? event(ZONED, '') : reply('+12175550199');
      writeFileSync(join(cwd, name), `${header}\nx${number},${row}\ny${number},${plain}\n`);
      const place = ['--set', 'location_external_identifier=main', '--phones', 'us'];
      const { code, stderr } = await run('import', name, '--resource', resource, ...place, ...how);
      assert.ok(code === 0 || code === 2 || /time zone/.test(stderr), stderr);
      isDone = code !== 1;
      return code === 0;
    };
    const steps: boolean[] = [];
    for (const how of [[], said, [], back]) steps.push(await isRead(...how));
    assert.deepEqual(steps, [false, true, true, false], said.join(' '));
    // An import that has done nothing has changed no choice.
    const isAsBefore: boolean = !isDone;
    assert.equal(await isRead(), isAsBefore, said.join(' '));
  }
}

describe('what was chosen for how a file is read', () => {
  it('is taken back over a store', async () => {
    const { cwd, run, account } = await withAccount();
    writeFileSync(join(cwd, 'locations.csv'), 'external_identifier,location_name\nmain,Main\n');
    assert.equal((await run('import', 'locations.csv', '--account', account)).code, 0);
    await isTakenBack(cwd, run);
  });

  it('is taken back by --url', async () => {
    const made = await servedAccount();
    await makeLocation(made.url, made.secret, made.account, 'main');
    const cwd = ownFolder();
    const { run } = programIn(cwd, { LEDGERSTONE_KEY: made.secret });
    await isTakenBack(cwd, (...words) => run(...words, '--url', made.url));
    assert.equal((await call(made.url, made.secret, '/v1/events?limit=1')).status, 200);
  });
});
