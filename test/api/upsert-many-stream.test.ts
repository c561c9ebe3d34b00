/** Many upserts line by line: read and answered as they arrive (decisions, "Bodies", "Merge"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { withAll } from '../support/all.ts';
import { examples } from '../support/bodies.ts';
import { pluck } from '../support/pluck.ts';
import { answersIn, inShort, LINES_TYPE, sendLines, summary } from '../support/rows.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { exchange, rawRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const stage = world();
const on = 'event_check_in_records';
const PATH = `/v1/${on}/upsert_many`;
const line = (as: string, members: Body | string = {}): string => stage.text(on, members, as);
const send = (lines: string | Uint8Array, sent?: Parameters<typeof sendLines>[3]) =>
  sendLines(stage, on, lines, sent);

/** The head of a stream whose length is not told, or is. */
function head(headers: Record<string, string> = { 'Transfer-Encoding': 'chunked' }): string {
  return rawRequest(stage.service, `POST ${PATH}`, { 'Content-Type': LINES_TYPE, ...headers });
}

const chunked = (bytes: string | Uint8Array): Buffer => {
  const size = Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`);
  return Buffer.concat([size, Buffer.from(bytes as string), Buffer.from('\r\n')]);
};

/** A connection on which a stream has begun; gives what has arrived of the answer so far. */
async function begin(
  headers?: Record<string, string>,
): Promise<{ socket: Socket; arrived: () => string }> {
  const { hostname, port } = new URL(stage.service.url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  let text = '';
  socket.on('data', (bytes) => (text += bytes));
  socket.on('error', () => {});
  socket.write(head(headers));
  return { socket, arrived: () => text };
}

async function isThere(as: string): Promise<boolean> {
  const answer = await stage.upsert(on, { as, headers: { 'Ledgerstone-Mode': 'update_only' } });
  return answer.status === 200;
}

describe('every line is answered, in order', () => {
  it('of every resource but accounts', async () => {
    for (const { path, prefix } of examples) {
      const text = ['a', 'b', 'a'].map((as) => `${stage.text(path, {}, `${as} of lines`)}\n`);
      const answer = await sendLines(stage, path, text.join(''));
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
      const { rows, last } = answersIn(answer.text);
      assert.deepEqual(inShort(rows), ['created', 'created', 'unchanged']);
      for (const { unique_identifier } of rows) assert.ok(unique_identifier.startsWith(prefix));
      assert.deepEqual(last, { summary: summary(2, 0, 1, 0) });
    }
  });

  it('thousands of lines, the same identities among them: lines that differ from their first are refused', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `of thousands ${index % 1250}`);
    const text = names.map((as, index) => line(as, { visitor_email_address: `${index >> 12}` }));
    const { rows, last } = answersIn((await send(text.join('\n'))).text);
    const numbers = names.map((_, index) => index + 1);
    assert.deepEqual(pluck(rows, 'line'), numbers);
    const byName = Map.groupBy(rows, (_, index) => names[index]);
    for (const of of byName.values())
      assert.equal(new Set(of.flatMap((row) => row.unique_identifier ?? [])).size, 1);
    const expected = names.map((_, index) =>
      index < 1250 ? 'created' : index >= 4096 && index < 5000 ? 'row_repeated' : 'unchanged',
    );
    assert.deepEqual(inShort(rows), expected);
    assert.deepEqual(last.summary, summary(1250, 0, 2846, 904));
  });

  it('of thousands of lines of one record, over many commits, the first one wins', async () => {
    const texts = Array.from({ length: 3000 }, (_, index) =>
      line('of thousands, one', { visitor_email_address: `${index % 500 === 0 ? 0 : index}` }),
    );
    const { rows } = answersIn((await send(texts.join('\n'))).text);
    const expected = texts.map((_, index) =>
      index === 0 ? 'created' : index % 500 === 0 ? 'unchanged' : 'row_repeated',
    );
    assert.deepEqual(inShort(rows), expected);
    const { rows: again } = answersIn((await send(texts[0] as string)).text);
    assert.deepEqual(inShort(again), ['unchanged'], 'the first one is what is there');
  });

  it('blank lines get no answer and count as lines; line ends may be CRLF, and the last may be missing', async () => {
    const text = `\n${line('blank 1')}\r\n \t\r\n\n${line('blank 2')}`;
    const { rows } = answersIn((await send(text)).text);
    assert.deepEqual(pluck(rows, 'line'), [2, 5]);
    assert.deepEqual(inShort(rows), ['created', 'created']);
    const none = { rows: [], last: { summary: summary(0, 0, 0, 0) } };
    for (const nothing of ['', '\n', '\r\n\n'])
      assert.deepEqual(answersIn((await send(nothing)).text), none);
  });

  it('a bad line fails alone: no JSON, no UTF-8, too long, of the wrong kind', async () => {
    const longest = (more: number): string =>
      line('longest', { visitor_email_address: 'a' }).padEnd(1_048_576 + more);
    const bad: readonly (readonly [code: string, bytes: string | Uint8Array])[] = [
      ['json_invalid', '{"a":'],
      ['json_invalid', `${line('x')} ${line('x')}`],
      ['encoding_invalid', Buffer.from([0x22, 0xff, 0x22])],
      ['type_invalid', '[]'],
      ['parameter_repeated', line('x', '"visitor_full_name":"B"')],
      ['phone_number_invalid', line('x', { visitor_phone_number: '555' })],
      ['resource_missing', line('x', { event_unique_identifier: 'evt_none' })],
      ['created', longest(0)],
      ['body_too_large', longest(1)],
      ['body_too_large', longest(3_000_000)],
    ];
    const parts = bad.flatMap(([, bytes], index) => [
      Buffer.from(bytes as string),
      Buffer.from(`\n${line(`good ${index}`)}\n`),
    ]);
    const { rows, last } = answersIn((await send(Buffer.concat(parts))).text);
    const outcomes = bad.flatMap(([code]) => [code, 'created']);
    assert.deepEqual(inShort(rows), outcomes);
    assert.deepEqual(last.summary, summary(bad.length + 1, 0, 0, bad.length - 1));
  });

  it('cut anywhere, between two bytes of a character too, it means the same', async () => {
    const json = { visitor_full_name: 'Zoë 🕊 Ångström' };
    const body = Buffer.from(`${line('cut', json)}\n\n${line('cut', json)}`);
    await stage.upsert(on, { as: 'cut', json });
    const whole = (await send(body)).text;
    assert.deepEqual(inShort(answersIn(whole).rows), ['unchanged', 'unchanged']);
    const headers = { 'Content-Length': String(body.length) };
    for (let from = 1; from < body.length; from += 50) {
      const cuts = Array.from({ length: Math.min(50, body.length - from) }, (_, at) => from + at);
      await Promise.all(
        cuts.map(async (at) => {
          const parts = [head(headers), body.subarray(0, at), body.subarray(at)];
          const [answer] = await exchange(stage.service.url, parts, { pause: 2 });
          assert.equal(answer?.payload.toString(), whole, `cut at ${at}`);
        }),
      );
    }
    const bytes = Array.from(body, (byte) => chunked(new Uint8Array([byte])));
    const parts = [head(), ...bytes, Buffer.from('0\r\n\r\n')];
    const [answer] = await exchange(stage.service.url, parts);
    assert.equal(answer?.payload.toString(), whole);
  });
});

describe('as it streams', () => {
  it('a line is answered when it is committed, while the stream goes on', async () => {
    const { socket, arrived } = await begin();
    for (const as of ['going 1', 'going 2', 'going 3']) {
      const before = arrived().split('"outcome"').length;
      socket.write(chunked(`${line(as)}\n`));
      await until(() => arrived().split('"outcome"').length > before);
      assert.equal(await isThere(as), true);
    }
    socket.end('0\r\n\r\n');
    await until(() => arrived().includes('"summary"'));
  });

  it('whoever asks for the answer after the rows gets it whole then, or when they have sent nothing for some seconds', async () => {
    const late = { 'Transfer-Encoding': 'chunked', 'Ledgerstone-Answer': 'after-rows' };
    const { socket, arrived } = await begin(late);
    for (const as of ['late 1', 'late 2']) {
      socket.write(chunked(`${line(as)}\n`));
      await until(() => isThere(as));
      assert.equal(arrived(), '', 'saved, and not answered yet');
    }
    socket.write(chunked(`${line('late 1')}\n`));
    socket.write('0\r\n\r\n');
    await until(() => arrived().includes('"summary"'));
    assert.match(arrived(), /^HTTP\/1\.1 200 .*"line":1,.*"line":2,.*"line":3,/s);
    socket.destroy();

    const waiting = await begin(late);
    waiting.socket.write(chunked(`${line('late 3')}\n`));
    await until(() => waiting.arrived().includes('"outcome"'));
    waiting.socket.write(chunked(`${line('late 4')}\n`));
    await until(() => waiting.arrived().split('"outcome"').length === 3);
    waiting.socket.end('0\r\n\r\n');
    await until(() => waiting.arrived().includes('"summary"'));

    const gone = await begin(late);
    gone.socket.write(chunked(`${line('late 5')}\n`));
    await until(() => isThere('late 5'));
    gone.socket.destroy();
    assert.equal((await stage.service.get('/healthz')).status, 200);

    const headers = { 'Ledgerstone-Answer': 'before-rows' };
    const wrong = await send(line('late 6'), { headers });
    assert.equal(wrong.status, 400, wrong.text);
    assert.match(wrong.text, /"header_invalid".*after-rows/);
  });

  it('what was answered is kept when the client hangs up in the middle, and the service goes on', async () => {
    const { socket, arrived } = await begin();
    socket.write(chunked(`${line('hung up 1')}\n${line('hung up 2').slice(0, -10)}`));
    await until(() => arrived().includes('"outcome"'));
    socket.destroy();
    assert.equal(await isThere('hung up 1'), true);
    assert.equal(await isThere('hung up 2'), false);
    assert.equal((await stage.service.get('/healthz')).status, 200);
  });

  it('a stream that breaks off, or stops being HTTP, ends with a line that says so', async () => {
    for (const end of ['no size\r\n', undefined]) {
      const { socket, arrived } = await begin();
      socket.write(chunked(`${line('broken')}\n`));
      await until(() => arrived().includes('"outcome"'));
      if (end === undefined) socket.end();
      else socket.write(end);
      await until(() => socket.destroyed || socket.readableEnded);
      assert.match(arrived(), /"summary":\{[^}]*\},"line":2,"error":\{.*"request_malformed"/);
      assert.equal(arrived().split('HTTP/1.1').length, 2, arrived());
    }
  });

  it(
    'of more than 100,000 rows the first are done, and it says where it stopped',
    withAll,
    async () => {
      const some = `${'1\n'.repeat(499)}${line('now and then')}\n`;
      const text = `${some.repeat(200)}\n${line('one too many')}\n${'2\n'.repeat(1000)}`;
      const { rows, last } = answersIn((await send(text)).text);
      assert.equal(rows.length, 100_000);
      assert.deepEqual(last.summary, summary(1, 0, 199, 99_800));
      assert.equal(last.error.code, 'rows_too_many');
      assert.equal(last.line, 100_001);
      assert.equal(await isThere('one too many'), false);
    },
  );

  it('that only fails ends after a thousand rows that were refused in a row, and says from where to go on', async () => {
    const refused = '{}\n'.repeat(999);
    const { socket, arrived } = await begin();
    socket.write(chunked(`${refused}${line('between')}\n${refused}`));
    await until(() => arrived().includes('"line":1999'));
    assert.doesNotMatch(arrived(), /"summary"/, 'neither thousand was whole');
    socket.write(chunked('{}\n'));
    await until(() => arrived().includes('"line":2000'));
    socket.write(chunked(`${line('after')}\n`));
    await until(() => arrived().includes('"summary"'));
    const [last = ''] = /\{"summary".*\}/.exec(arrived()) ?? [];
    const { summary: sums, line: from, error } = JSON.parse(last);
    assert.deepEqual(sums, summary(1, 0, 0, 1999));
    assert.equal(from, 2001);
    assert.equal(error.code, 'stream_refused');
    assert.equal(await isThere('after'), false);
    socket.destroy();
  });

  it('names a thousand faults of what is read together, and then the first of each row', async () => {
    const unknown = Array.from({ length: 90 }, (_, at) => [`x${at}`, at]);
    const row = JSON.stringify(Object.fromEntries(unknown));
    const { rows } = answersIn((await send(`${row}\n`.repeat(100))).text);
    const named = rows.reduce((sum, { error }) => sum + error.errors.length, 0);
    assert.ok(named > 1000 && named < 2000, `${named} are named`);
    const { errors, message } = rows[99].error;
    assert.equal(errors.length, 1);
    assert.match(message, /\(and \d+ more faults, see errors, of which \d+ are only counted\)$/);
  });

  it('two streams and single upserts of one record at once lose nothing', async () => {
    const patches = ['visitor_email_address', 'visitor_relationship_to_deceased'].map((name) =>
      Array.from({ length: 600 }, (_, index) =>
        index === 599 ? line('shared', { [name]: '599' }) : line(`shared ${name} ${index}`),
      ).join('\n'),
    );
    const single = async (): Promise<void> => {
      for (const visitor_interested_in_pre_planning of [true, false, true])
        await stage.made(on, 'shared', { visitor_interested_in_pre_planning });
    };
    const [answers] = await Promise.all([Promise.all(patches.map((text) => send(text))), single()]);
    for (const { text } of answers) assert.equal(answersIn(text).last.summary.failed, 0);
    const { body } = await stage.upsert(on, { as: 'shared' });
    assert.deepEqual(body.public_data, {
      visitor_email_address: '599',
      visitor_relationship_to_deceased: '599',
      visitor_interested_in_pre_planning: true,
    });
  });
});

describe('what a stream does not take is refused before it begins', () => {
  for (const [rule, sent, code, param] of [
    ['atomic=true', { query: '?atomic=true' }, 'value_invalid', 'atomic'],
    ['an Idempotency-Key', { headers: { 'Idempotency-Key': 'stream' } }, 'header_invalid'],
    ['an unknown mode', { headers: { 'Ledgerstone-Mode': 'x' } }, 'header_invalid'],
    ['an unknown parameter', { query: '?dryrun=true' }, 'parameter_unknown', 'dryrun'],
  ] as const) {
    it(rule, async () => {
      const answer = await send(line('refused'), sent);
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), [[param, code]]);
      assert.equal(await isThere('refused'), false);
    });
  }

  it('Ledgerstone-Mode and dry_run hold for every line', async () => {
    await send(line('held'));
    const text = [line('held'), line('not held')].join('\n');
    const only = await send(text, { headers: { 'Ledgerstone-Mode': 'update_only' } });
    assert.deepEqual(inShort(answersIn(only.text).rows), ['unchanged', 'resource_missing']);
    const dry = await send(text, { query: '?dry_run=true' });
    assert.deepEqual(inShort(answersIn(dry.text).rows), ['unchanged', 'created']);
    assert.equal(dry.headers.get('ledgerstone-dry-run'), 'true');
    assert.equal(await isThere('not held'), false);
  });
});
