/** The operations on self-tests. */
import { selfTestPage } from '../../services/self-tests/page.ts';
import type { SelfTestReport } from '../../services/self-tests/runs.ts';
import { listOf, operation } from './operation.ts';

const PATH = '/v1/self_tests';
const all = { tag: 'Self-test' } as const;
const answers = { schema: 'SelfTest', says: 'The answer.' } as const;

export const selfTestOperations = [
  operation({
    ...all,
    name: 'open_self_test',
    audits: 'administer',
    route: `POST ${PATH}`,
    summary: 'Open a self-test',
    description:
      'Checks the requests of this key of a test account for an hour. It refuses some of them on purpose, as the checks say. Another self-test of the same key ends it.',
    body: {},
    answers,
    refusesIdempotencyKey:
      'A self-test takes no Idempotency-Key: send the request without it. Another run ends the one before.',
    run: async ({ selfTests }, { caller, params, done }) => {
      params();
      const report = await selfTests.open(caller);
      const { unique_identifier, account } = report;
      done({ unique_identifier, account });
      return report;
    },
  }),
  operation({
    ...all,
    name: 'list_self_tests',
    route: `GET ${PATH}`,
    summary: 'List self-tests',
    description:
      'Lists the self-tests of the accounts of the key: the last 20 of each account, kept for 30 days.',
    answers: { schema: 'SelfTestList', says: answers.says },
    run: async ({ selfTests }, { caller }) => listOf(PATH, await selfTests.list(caller)),
  }),
  operation({
    ...all,
    name: 'get_self_test',
    route: `GET ${PATH}/:unique_identifier`,
    summary: 'Read a self-test',
    description:
      'Returns the checks with their results. A browser gets a page that follows the self-test: sign in with the API key as the user name.',
    id: { says: 'Identifies the self-test', prefix: 'slf_' },
    answers,
    errors: ['resource_missing'],
    page: (report) => selfTestPage(report as SelfTestReport),
    run: async ({ selfTests }, { caller, id, done }) => {
      const report = await selfTests.find(caller, id);
      done({ account: report.account });
      return report;
    },
  }),
];
