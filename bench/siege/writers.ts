/** The worst that one key may do with what it writes, asks and connects, as far as we could think of it. */
import { randomBytes } from 'node:crypto';
import {
  ARRANGEMENTS,
  arrangement,
  array,
  type Behaviour,
  CHECK_INS,
  checkIn,
  get,
  grown,
  head,
  JSON_TYPE,
  LF,
  lines,
  MIB,
  numbers,
  post,
  some,
  type Target,
  unknown,
} from './requests.ts';
import type { Wires } from './wires.ts';

export const writers: Readonly<Record<string, Behaviour>> = {
  'big pages, unread': (wires, target) =>
    wires.flood({
      connections: 60,
      request: get(target, `${ARRANGEMENTS}?limit=1000`),
      unread: true,
    }),
  'big pages, read': (wires, target) =>
    wires.flood({ connections: 16, request: get(target, `${ARRANGEMENTS}?limit=1000`) }),
  'big pages, compressed': (wires, target) =>
    wires.flood({
      connections: 16,
      request: get(target, `${ARRANGEMENTS}?limit=1000`, 'Accept-Encoding: br'),
    }),
  'arrays of 32 MiB, unfinished': (wires, target) => {
    const length = `Content-Length: ${32 * MIB}`;
    const begun = head(target, `POST ${ARRANGEMENTS}/upsert_many`, JSON_TYPE, length);
    wires.hold(150, Buffer.concat([Buffer.from(begun), Buffer.alloc(31 * MIB, ' ')]));
  },
  'arrays in chunks, unfinished': (wires, target) => {
    const begun = head(
      target,
      `POST ${ARRANGEMENTS}/upsert_many`,
      JSON_TYPE,
      'Transfer-Encoding: chunked',
    );
    const chunk = `100000${LF}${' '.repeat(MIB)}${LF}`;
    wires.hold(50, begun + chunk.repeat(20), { little: chunk });
  },
  'lines of a MiB, trickled': (wires, target) =>
    wires.hold(1000, `${lines(target)}f0000${LF}${' '.repeat(0xf0000)}${LF}`, {
      little: `1${LF} ${LF}`,
    }),
  'bodies of a KiB, trickled': (wires, target) =>
    wires.hold(
      1000,
      `${head(target, `POST ${CHECK_INS}/upsert`, JSON_TYPE, 'Content-Length: 1024')}{`,
      { little: ' ' },
    ),
  'bodies in chunks of a byte': (wires, target) =>
    wires.flood({
      connections: 32,
      request: () =>
        head(target, `POST ${CHECK_INS}/upsert`, JSON_TYPE, 'Transfer-Encoding: chunked') +
        `1${LF} ${LF}`.repeat(20_000) +
        `0${LF}${LF}`,
    }),
  'streams of junk': (wires, target) =>
    wires.stream(40, lines(target), () => '{}\n'.repeat(10_000)),
  'streams of junk, a good row now and then': (wires, target) =>
    wires.stream(40, lines(target), () => `${'{}\n'.repeat(500)}${checkIn(target, 'known-1')}\n`),
  'streams of a hundred faults a row': (wires, target) =>
    wires.stream(
      40,
      lines(target),
      () => `${`${unknown(100)}\n`.repeat(100)}${checkIn(target, 'known-1')}\n`,
    ),
  'streams of blank lines': (wires, target) =>
    wires.stream(40, lines(target), () => '\n'.repeat(100_000)),
  'streams of good rows': (wires, target) =>
    wires.stream(40, lines(target), (count) =>
      some(200, (index) => checkIn(target, `siege-${count}-${index}`)),
    ),
  'streams, unread': (wires, target) =>
    wires.stream(200, lines(target), () => `${'{}\n'.repeat(500)}${checkIn(target, 'known-1')}\n`, {
      unread: true,
    }),
  'arrays of 1,000 rows': (wires, target) => {
    wires.flood({
      connections: 16,
      request: (count) =>
        post(
          target,
          `${CHECK_INS}/upsert_many`,
          array(1000, (index) => checkIn(target, `siege-${count}-${index}`)),
        ),
    });
  },
  'arrays of a hundred faults a row': (wires, target) => {
    const body = post(
      target,
      `${CHECK_INS}/upsert_many`,
      array(1000, () => unknown(100)),
    );
    wires.flood({ connections: 16, request: () => body });
  },
  'arrays of 30 MiB': (wires, target) => {
    const text = 'x'.repeat(30_000);
    const body = post(
      target,
      `${ARRANGEMENTS}/upsert_many`,
      array(1000, (index) => arrangement(target, `large-${index}`, { text })),
    );
    wires.flood({ connections: 4, request: () => body });
  },
  'arrays of 30 MiB, atomic': (wires, target) => {
    const bodies = ['x', 'y'].map((letter) =>
      post(
        target,
        `${ARRANGEMENTS}/upsert_many?atomic=true`,
        array(1000, (index) =>
          arrangement(target, `large-${index}`, { text: letter.repeat(30_000) }),
        ),
      ),
    );
    wires.flood({ connections: 4, request: (count) => bodies[count % 2] as string });
  },
  'arrays of 30 MiB that are no JSON at the end': (wires, target) => {
    const body = post(target, `${ARRANGEMENTS}/upsert_many`, `[[${'1,'.repeat(15 * MIB)}`);
    wires.flood({ connections: 4, request: () => body });
  },
  'bodies of a MiB of numbers': (wires, target) => {
    const body = post(target, `${ARRANGEMENTS}/upsert`, numbers);
    wires.flood({ connections: 16, request: () => body });
  },
  'bodies of a MiB of unknown members': (wires, target) => {
    const body = post(target, `${ARRANGEMENTS}/upsert`, unknown(36_000));
    wires.flood({ connections: 16, request: () => body });
  },
  'documents of 64 KiB that change': (wires, target) =>
    wires.flood({
      connections: 32,
      request: (count) => post(target, `${ARRANGEMENTS}/upsert`, grown(target, count % 8, count)),
    }),
  'documents of 64 KiB that change, from 512 connections': (wires, target) =>
    wires.flood({
      connections: 512,
      request: (count) => post(target, `${ARRANGEMENTS}/upsert`, grown(target, count % 64, count)),
    }),
  'a member of documents of 64 KiB, from 512 connections': (wires, target) =>
    wires.flood({
      connections: 512,
      request: (count) =>
        post(
          target,
          `${ARRANGEMENTS}/upsert`,
          count < 64
            ? grown(target, count, count)
            : arrangement(target, `grown-${count % 64}`, { count }),
        ),
    }),
  'upserts from 3,000 connections': (wires, target) =>
    wires.flood({
      connections: 3000,
      request: (count) =>
        post(target, `${CHECK_INS}/upsert`, checkIn(target, `known-${count % 10_000}`)),
    }),
  'Idempotency-Keys': (wires, target) =>
    wires.flood({
      connections: 64,
      depth: 4,
      request: (count) =>
        post(
          target,
          `${CHECK_INS}/upsert`,
          checkIn(target, 'known-2'),
          `Idempotency-Key: ${count}-${randomBytes(100).toString('hex')}`,
        ),
    }),
  'the reference, compressed': (wires, target) =>
    wires.flood({
      connections: 64,
      depth: 4,
      request: get(target, '/openapi.json', 'Accept-Encoding: br'),
    }),
  'connections that say nothing': (wires) => wires.hold(5000, ''),
  'pipelines, unread': (wires, target) =>
    wires.flood({ connections: 64, unread: true, request: get(target, `${CHECK_INS}?limit=100`) }),
  'upserts in pipelines': (wires, target) =>
    wires.flood({
      connections: 256,
      depth: 16,
      request: (count) =>
        post(target, `${CHECK_INS}/upsert`, checkIn(target, `known-${count % 10_000}`)),
    }),
  'upserts in pipelines, unread': (wires, target) =>
    wires.flood({
      connections: 256,
      unread: true,
      request: (count) =>
        post(target, `${CHECK_INS}/upsert`, checkIn(target, `known-${count % 10_000}`)),
    }),
  'one record from 256 connections': (wires, target) =>
    wires.flood({
      connections: 256,
      depth: 4,
      request: (count) =>
        post(
          target,
          `${ARRANGEMENTS}/upsert`,
          arrangement(target, 'hot', { [`k${count % 500}`]: count }),
        ),
    }),
  'lists of 1,000': (wires, target) =>
    wires.flood({ connections: 64, request: get(target, `${CHECK_INS}?limit=1000`) }),
  'lists by filters that find little': (wires, target) =>
    wires.flood({
      connections: 64,
      depth: 4,
      request: get(
        target,
        `${CHECK_INS}?limit=1000&visitor_phone_number=%2B14155550123&inserted_at[gte]=2000-01-01T00:00:00Z`,
      ),
    }),
  'lists with what they belong to': (wires, target) =>
    wires.flood({
      connections: 64,
      request: get(target, `${CHECK_INS}?limit=1000&expand[]=event&expand[]=location`),
    }),
  'cascades of 5,000': (wires, target) => {
    void cascades(wires, target);
  },
  'removals from 512 connections': (wires, target) =>
    wires.flood({
      connections: 512,
      request: (count) => {
        const pair = `event_unique_identifier=${target.event}&external_identifier=short-${(count >> 1) % 300}`;
        return count % 2 === 0
          ? post(target, `${CHECK_INS}/upsert`, checkIn(target, `short-${(count >> 1) % 300}`))
          : head(target, `DELETE ${CHECK_INS}?${pair}`);
      },
    }),
  'patches from 512 connections': (wires, target) =>
    wires.flood({
      connections: 512,
      request: (count) =>
        head(target, `PATCH /v1/events/${target.event}`, JSON_TYPE, 'Content-Length: 28') +
        JSON.stringify({ event_name: `${count}`.padStart(11, '0') }),
    }),
  'single records, read from 512 connections': (wires, target) =>
    wires.flood({ connections: 512, request: get(target, `/v1/events/${target.event}`) }),
  'cascades of 5,000, rehearsed, from 64 connections': (wires, target) =>
    wires.flood({
      connections: 64,
      request: () => head(target, `DELETE /v1/events/${target.event}?cascade=true&dry_run=true`),
    }),
  'parents that are not there': (wires, target) =>
    wires.flood({
      connections: 64,
      depth: 4,
      request: (count) =>
        post(
          target,
          `${CHECK_INS}/upsert`,
          checkIn({ ...target, event: `evt_${count.toString().padStart(22, '0')}` }, 'lost'),
        ),
    }),
  'arrays of parents that are not there': (wires, target) =>
    wires.flood({
      connections: 16,
      request: (count) =>
        post(
          target,
          `${CHECK_INS}/upsert_many?atomic=true`,
          array(1000, (index) =>
            JSON.stringify({
              location_unique_identifier: target.location,
              event_external_identifier: `gone-${count}-${index}`,
              external_identifier: 'lost',
              visitor_full_name: 'Lost',
              visitor_phone_number: '+14155550123',
            }),
          ),
        ),
    }),
  'wrong keys': (wires, target) =>
    wires.flood({
      connections: 256,
      depth: 4,
      request: (count) =>
        get({ ...target, authorization: `Bearer sk_test_${count}` }, `${CHECK_INS}?limit=1`)(),
    }),
  'bytes of another protocol': (wires) =>
    wires.flood({
      connections: 256,
      once: true,
      request: () => Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0, 1]), randomBytes(500)]),
    }),
  'HEAD and OPTIONS': (wires, target) =>
    wires.flood({
      connections: 256,
      depth: 4,
      request: (count) =>
        head(target, count % 2 === 0 ? `HEAD ${CHECK_INS}?limit=100` : `OPTIONS ${CHECK_INS}`),
    }),
  'a connection for each request': (wires, target) =>
    wires.flood({
      connections: 256,
      once: true,
      request: get(target, '/healthz', 'Connection: close'),
    }),
  'heads of 15 KiB': (wires, target) => {
    const fields = Array.from({ length: 15 }, (_, at) => `X-${at}: ${'x'.repeat(1000)}`);
    wires.flood({ connections: 64, depth: 4, request: get(target, '/v1/locations/x', ...fields) });
  },
  'filters of 15 KiB': (wires, target) =>
    wires.flood({
      connections: 64,
      depth: 4,
      request: get(
        target,
        `${CHECK_INS}?${Array.from({ length: 700 }, (_, at) => `visitor_x[${at}]=%41`).join('&')}`,
      ),
    }),
  rehearsals: (wires, target) =>
    wires.stream(40, lines(target).replace('upsert_many', 'upsert_many?dry_run=true'), (count) =>
      some(200, (index) => checkIn(target, `never-${count}-${index}`)),
    ),
};

/** Makes an event with five thousand check-ins and removes it, again and again. */
async function cascades(wires: Wires, target: Target): Promise<never> {
  const url = `http://127.0.0.1:${target.port}`;
  const headers = { Authorization: target.authorization, 'Content-Type': 'application/json' };
  for (let round = 0; ; round++) {
    try {
      const made = await fetch(`${url}/v1/events/upsert`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          location_unique_identifier: target.location,
          external_identifier: `cascade-${round}`,
          event_name: 'Service',
          event_datetime: '2026-11-20T14:30:00Z',
        }),
      });
      const { unique_identifier: event } = (await made.json()) as { unique_identifier: string };
      const filled = await fetch(`${url}${CHECK_INS}/upsert_many`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
        body: some(4_999, (index) => checkIn({ ...target, event }, `${round}-${index}`)),
      });
      await filled.text();
      const removed = await fetch(`${url}/v1/events/${event}?cascade=true`, {
        method: 'DELETE',
        headers: { Authorization: target.authorization },
      });
      wires.count(String(removed.status));
      await removed.text();
    } catch {
      wires.count('closed');
    }
  }
}
