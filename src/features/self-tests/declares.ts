/** A self-test: checks of the requests of one key of a test account, for an hour. */
import { count, identifier, json, openChoice, time } from '../../core/objects/kinds.ts';
import {
  arrayOf,
  derived,
  field,
  type ObjectOf,
  ownObject,
  ownTable,
} from '../../core/objects/own-object.ts';
import { text } from '../../core/schema/fields/index.ts';
import type { Json } from '../../core/schema/values.ts';

const result = {
  name: field(text(), 'Name of the check'),
  does: field(text(), 'What your program has to do'),
  status: field(
    openChoice('passed', 'failed', 'missing'),
    'Result of the check; `missing`: not seen yet',
  ),
  seen: field(text(), 'The observation, or what is missing'),
};

export type CheckResult = ObjectOf<typeof result>;

export const selfTest = ownObject({
  name: 'self_test',
  says: 'A self-test: checks of the requests of one API key.',
  path: '/v1/self_tests',
  table: 'self_test',
  indexes: { account: 'account, unique_identifier', key: 'key, expires_at' },
  goesWith: 'account',
  holds: "Self-tests of partners' programs, in test accounts",
  goes: 'After 30 days',
  fields: {
    unique_identifier: field(identifier('slf_'), 'Identifier of the self-test'),
    account: field(identifier('acct_'), 'The test account'),
    key: field(identifier('key_'), 'The API key whose requests are checked'),
    status: derived(
      openChoice('open', 'passed', 'ended'),
      '`ended`: an hour has passed, or the key opened another one',
      statusOf,
      { example: 'open' },
    ),
    passed: derived(count(), 'Number of checks that passed', passedOf, { example: 1 }),
    checks: derived(
      arrayOf('One of the checks.', result),
      'All twelve checks, in order',
      ({ checks }: Checked) => [...checks] as Json[],
      {
        example: [
          {
            name: 'rate_limit_retried',
            does: 'Your first write is answered 429: send it again when Retry-After has passed.',
            status: 'passed',
            seen: 'The write came again after 2.3 s, with Retry-After: 2.',
          },
        ],
      },
    ),
    inserted_at: field(time(), 'When it was opened, in UTC', { example: '2026-11-20T14:30:00Z' }),
    /** Nothing is noted from then on. */
    expires_at: field(time(), 'When it ends, in UTC', { example: '2026-11-20T15:30:00Z' }),
  },
});

export type SelfTestRun = ObjectOf<typeof selfTest.fields>;

interface Checked {
  readonly checks: readonly CheckResult[];
  readonly expires_at: number;
}

function passedOf({ checks }: Pick<Checked, 'checks'>): number {
  return checks.filter(({ status }) => status === 'passed').length;
}

export function statusOf(
  { checks, expires_at }: Checked,
  now: number,
): 'open' | 'passed' | 'ended' {
  if (passedOf({ checks }) === checks.length) return 'passed';
  return expires_at > now ? 'open' : 'ended';
}

const selfTestSighting = ownTable({
  table: 'self_test_sighting',
  key: ['unique_identifier'],
  indexes: { order: 'self_test, unique_identifier' },
  goesWith: 'account',
  below: ['self_test', 'self_test'],
  holds: 'What was seen in a self-test',
  goes: 'After 30 days',
  identifiers: 'data',
  nothing: 'kind',
  fields: {
    unique_identifier: field(identifier('sgt_'), 'Identifies it'),
    self_test: field(identifier('slf_'), 'The self-test'),
    kind: field(text(), 'What it is'),
    at: field(time(), 'When it was seen'),
    data: field(json(), 'More of it'),
  },
});

export const objects = [selfTest];
export const tables = [selfTest, selfTestSighting];
