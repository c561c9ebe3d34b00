/** The operations on self-tests. */
import type { Operation } from '../../edge/operations/operation.ts';
import { operationsOn } from '../../edge/operations/own.ts';
import { type CheckResult, selfTest } from './declares.ts';
import type { SelfTestReport } from './serves.ts';

const WORDS: Readonly<Record<CheckResult['status'], string>> = {
  passed: '✓ passed',
  failed: '✗ failed',
  missing: '… not yet',
};
const EVERY_SECONDS = 3;
/** As seen from the page: the service may be below a path of its host. */
const DOCS = '../../docs';

function selfTestPage(report: SelfTestReport): string {
  const { unique_identifier, status, passed, checks, expires_at } = report;
  const left = {
    open: `It is open until ${expires_at}. This page follows it.`,
    passed: 'Your program is ready for a live key.',
    ended: `It ended at ${expires_at}. Open another one to go on.`,
  }[status];
  const refresh =
    status === 'open' ? `<meta http-equiv="refresh" content="${EVERY_SECONDS}">\n` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${passed} of ${checks.length} · Self-test · Ledgerstone</title>
${refresh}<link rel="icon" href="${DOCS}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${DOCS}/reference.css">
</head>
<body>
<header class="top"><a class="brand" href="${DOCS}"><span>Ledgerstone</span></a></header>
<div class="columns single">
<main id="content">
<h1>${passed} of ${checks.length} checks passed</h1>
<p class="lead">${left}</p>
<p>Self-test <code>${unique_identifier}</code>. What each check is about: <a href="${DOCS}/self-test">the manual</a>.</p>
<div class="table"><table>
<thead><tr><th>Check</th><th>What your program does</th><th>What was seen</th></tr></thead>
<tbody>
${checks.map(row).join('\n')}
</tbody>
</table></div>
</main>
</div>
</body>
</html>
`;
}

function row({ name, does, status, seen }: CheckResult): string {
  return `<tr><td><code>${name}</code><br><strong class="${status}">${WORDS[status]}</strong></td><td>${escaped(does)}</td><td>${escaped(seen)}</td></tr>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The last 20 of 50 accounts. */
const MAX_LISTED = 1_000;

export const tag = {
  name: 'Self-test',
  description: 'Checks what a program does with errors, retries, changes and webhooks.',
};
const answers = { schema: 'SelfTest', says: 'The self-test.' };
const on = operationsOn(selfTest, { tag: tag.name, show: (report: SelfTestReport) => report });

export const operations = (): readonly Operation[] => [
  on.create({
    name: 'open_self_test',
    uncommanded:
      'It checks the requests of the key that opens it, which the program under test has.',
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
  on.list({
    limit: MAX_LISTED,
    description:
      'Lists the self-tests of the accounts of the key: the last 20 of each account, kept for 30 days.',
    answers: { schema: 'SelfTestList', says: 'One page.', whole: true },
    errors: ['value_invalid'],
    find: ({ selfTests }, { caller }, { after, limit }) => selfTests.list(caller, after, limit),
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
