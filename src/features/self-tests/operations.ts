/** The operations on self-tests. */
import { listOf, type Operation, operation } from '../../edge/operations/operation.ts';
import { operationsOn } from '../../edge/operations/own.ts';
import { selfTest } from './declares.ts';
import { selfTestPage } from './operations/page.ts';
import type { SelfTestReport } from './serves.ts';

const tag = 'Self-test';
const answers = { schema: 'SelfTest', says: 'The self-test.' };
const on = operationsOn(selfTest, { tag, show: (report: SelfTestReport) => report });

export const operations = (): readonly Operation[] => [
  on.create({
    name: 'open_self_test',
    audits: 'administer',
    summary: 'Open a self-test',
    description:
      'Checks the requests of this key of a test account for an hour. It refuses some of them on purpose, as the checks say. Another self-test of the same key ends it.',
    body: {},
    answers,
    refusesIdempotencyKey:
      'A self-test takes no Idempotency-Key: send the request without it. Another run ends the one before.',
    run: ({ selfTests }, { caller, params }) => {
      params();
      return selfTests.open(caller);
    },
  }),
  operation({
    tag,
    name: 'list_self_tests',
    route: 'GET /v1/self_tests',
    summary: 'List self-tests',
    description:
      'Lists the self-tests of the accounts of the key: the last 20 of each account, kept for 30 days.',
    answers: { schema: 'SelfTestList', says: 'All of them.' },
    run: async ({ selfTests }, { caller }) =>
      listOf('/v1/self_tests', await selfTests.list(caller)),
  }),
  on.get({
    summary: 'Read a self-test',
    description:
      'Returns the checks with their results. A browser gets a page that follows the self-test: sign in with the API key as the user name.',
    id: { says: 'Identifies the self-test', prefix: 'slf_' },
    answers,
    page: (report) => selfTestPage(report as SelfTestReport),
    run: ({ selfTests }, { caller, id }) => selfTests.find(caller, id),
  }),
];
