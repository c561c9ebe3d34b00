/** The worst that one key may do by reading, following, being notified, and at the console's door. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ARRANGEMENTS,
  arrangement,
  type Behaviour,
  CHECK_INS,
  checkIn,
  get,
  head,
  JSON_TYPE,
  lines,
  post,
  some,
  type Target,
} from './requests.ts';
import type { Wires } from './wires.ts';

const CSV = 'Accept: text/csv';
const NDJSON = 'Accept: application/x-ndjson';
const ENDPOINTS = '/v1/webhook_endpoints';
const WORDS = [
  'vis',
  'visitor',
  'a visitor',
  'name of',
  '0123',
  '4155550123',
  'known-1',
  'earlier',
];

/** What the console's own page says of itself. */
const FROM_CONSOLE = (port: number): readonly string[] => [
  'Sec-Fetch-Site: same-origin',
  `Origin: http://localhost:${port}`,
  'Ledgerstone-Console: 1',
];

const rowsOfCsv = (target: Target): string =>
  lines(target).replace('application/x-ndjson', 'text/csv');

export const readers: Readonly<Record<string, Behaviour>> = {
  searches: (wires, target) =>
    wires.flood({
      connections: 64,
      depth: 4,
      request: (count) =>
        get(
          target,
          `/v1/search?limit=50&q=${encodeURIComponent(WORDS[count % WORDS.length] as string)}`,
        )(),
    }),
  'searches while everything is renamed': (wires, target) => {
    wires.stream(8, lines(target), (count) =>
      some(200, (index) =>
        checkIn(target, `known-${(count * 200 + index) % 10_000}`, {
          visitor_full_name: `Renamed ${count} ${index} ${'word '.repeat(20)}`,
        }),
      ),
    );
    wires.flood({ connections: 16, request: get(target, '/v1/search?limit=50&q=renamed') });
  },
  'whole lists as CSV': (wires, target) =>
    wires.flood({ connections: 64, request: get(target, CHECK_INS, CSV) }),
  'whole lists as lines, unread': (wires, target) =>
    wires.flood({ connections: 200, unread: true, request: get(target, ARRANGEMENTS, NDJSON) }),
  'rows as CSV, junk': (wires, target) =>
    wires.stream(40, rowsOfCsv(target), (count) =>
      count < 40
        ? 'event_unique_identifier,external_identifier,visitor_full_name\n'
        : '"a ""quoted"" cell",,\n'.repeat(5_000),
    ),
  'a quote in CSV that is never closed': (wires, target) =>
    wires.stream(40, rowsOfCsv(target), (count) =>
      count < 40 ? 'external_identifier\n"' : 'x'.repeat(100_000),
    ),
  'bodies without an end where nothing is': (wires, target) =>
    wires.stream(
      40,
      head(target, 'POST /v1/nowhere', JSON_TYPE, 'Transfer-Encoding: chunked'),
      () => 'x'.repeat(100_000),
    ),
  'bodies without an end that nobody may send': (wires, target) =>
    wires.stream(40, lines({ ...target, authorization: 'Bearer sk_test_wrong' }), () =>
      'x'.repeat(100_000),
    ),
  'changes from the beginning': (wires, target) =>
    wires.flood({ connections: 64, request: get(target, '/v1/changes?limit=1000') }),
  'changes with their records': (wires, target) =>
    wires.flood({
      connections: 64,
      request: get(target, '/v1/changes?limit=1000&expand[]=record'),
    }),
  'changes as lines, unread': (wires, target) =>
    wires.flood({
      connections: 200,
      unread: true,
      request: get(target, '/v1/changes', NDJSON),
    }),
  'a thousand who wait for changes, and a change': (wires, target) => {
    wires.flood({
      connections: 1000,
      request: get(target, '/v1/changes?starting_after=now&wait=30'),
    });
    wires.flood({
      connections: 1,
      request: (count) => post(target, `${CHECK_INS}/upsert`, checkIn(target, `siege-${count}`)),
    });
  },
  'histories of a record with many versions': (wires, target) => {
    wires.flood({
      connections: 4,
      request: (count) =>
        post(
          target,
          `${ARRANGEMENTS}/upsert`,
          arrangement(target, 'long-history', { text: `${count % 2}`.repeat(60_000) }),
        ),
    });
    void withIdentifier(
      target,
      ARRANGEMENTS,
      arrangement(target, 'long-history', {}),
      (identifier) =>
        wires.flood({
          connections: 32,
          request: get(target, `${ARRANGEMENTS}/${identifier}/history?limit=100`),
        }),
    );
  },
  'refusals, and who asks for them': (wires, target) => {
    wires.flood({
      connections: 64,
      depth: 4,
      request: (count) => post(target, `${CHECK_INS}/upsert`, `{"lost_${count}":1}`),
    });
    wires.flood({ connections: 16, request: get(target, '/v1/requests?limit=100') });
    wires.flood({ connections: 16, request: get(target, '/v1/activity') });
  },
  'a thousand who ask for refusals': (wires, target) =>
    wires.flood({ connections: 1000, request: get(target, '/v1/requests?limit=100') }),
  'images that are not there': (wires, target) =>
    wires.flood({
      connections: 64,
      depth: 4,
      request: get(target, '/v1/direct_mail_replies/dmr_0000000000000000000000/images/0'),
    }),
  'paths that are not there': (wires, target) =>
    wires.flood({
      connections: 64,
      depth: 4,
      request: get(target, '/v1/direct_mail_reply_records/dmr_0000000000000000000000/images/0'),
    }),
  'webhook endpoints that never answer': (wires, target) => {
    void notify(wires, target, () => {});
  },
  'webhook endpoints that fail at once': (wires, target) => {
    void notify(wires, target, (answer) => answer(500));
  },
  'webhook endpoints that take everything, replayed': (wires, target) => {
    void notify(wires, target, (answer) => answer(204), 'replay');
  },
  'webhook endpoints that are tried': (wires, target) => {
    void notify(wires, target, (answer) => answer(204), 'test');
  },
  'people who guess passwords': (wires, target) =>
    wires.flood({
      connections: 256,
      depth: 2,
      request: (count) => {
        const body = JSON.stringify({
          email: `person${count}@example.com`,
          password: `guess ${count}`,
        });
        return post(target, '/console/api/sign_in', body, ...FROM_CONSOLE(target.port));
      },
    }),
  'people who begin to sign in with a passkey': (wires, target) =>
    wires.flood({
      connections: 256,
      depth: 2,
      request: () =>
        post(target, '/console/api/sign_in/passkey/begin', '{}', ...FROM_CONSOLE(target.port)),
    }),
  'the console, compressed': (wires, target) =>
    wires.flood({
      connections: 64,
      depth: 4,
      request: get(target, '/console/', 'Accept-Encoding: br'),
    }),
  'OpenAPI, as it is': (wires, target) =>
    wires.flood({ connections: 96, request: get(target, '/openapi.json') }),
  'OpenAPI, unread': (wires, target) =>
    wires.flood({ connections: 200, unread: true, request: get(target, '/openapi.json') }),
  'the manual, compressed': (wires, target) =>
    wires.flood({
      connections: 64,
      depth: 4,
      request: get(target, '/docs/errors', 'Accept-Encoding: br'),
    }),
};

async function withIdentifier(
  { port, authorization }: Target,
  path: string,
  body: string,
  then: (identifier: string) => void,
): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}/upsert`, {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body,
  });
  const { unique_identifier } = (await answer.json()) as { unique_identifier: string };
  then(unique_identifier);
}

/** As many endpoints as one account may have, notified of upserts without an end; `ask` asks something of each besides. */
async function notify(
  wires: Wires,
  target: Target,
  be: (answer: (status: number) => void) => void,
  ask?: 'replay' | 'test',
): Promise<void> {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () =>
      be((status) => {
        response.statusCode = status;
        response.end();
      }),
    );
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${target.port}${ENDPOINTS}`;
  const headers = { Authorization: target.authorization, 'Content-Type': 'application/json' };
  const endpoints: string[] = [];
  for (let count = 0; count < 100; count++) {
    const made = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/${count}`, notifications: ['*'] }),
    });
    wires.count(String(made.status));
    const { unique_identifier } = (await made.json()) as { unique_identifier?: string };
    if (unique_identifier === undefined) break;
    endpoints.push(unique_identifier);
  }
  wires.flood({
    connections: 16,
    depth: 4,
    request: (count) =>
      post(target, `${CHECK_INS}/upsert`, checkIn(target, `known-${count % 10_000}`)),
  });
  if (ask === undefined || endpoints.length === 0) return;
  const body = ask === 'replay' ? '{"since":"2026-01-01T00:00:00Z"}' : '{}';
  wires.flood({
    connections: 16,
    request: (count) =>
      head(
        target,
        `POST ${ENDPOINTS}/${endpoints[count % endpoints.length]}/${ask}`,
        JSON_TYPE,
        `Content-Length: ${body.length}`,
      ) + body,
  });
}
