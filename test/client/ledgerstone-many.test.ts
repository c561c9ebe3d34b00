/** upsertMany sends rows as they come, pulls only when there is room, and gives what became of each in order. */
// needs: --ci, both stores with --all, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type RowResult, sendMany } from '../../client/src/many.ts';
import { ALL } from '../support/all.ts';
import { ownFolder } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { all, clientOf, errorOf } from '../support/client.ts';
import { cutWire } from '../support/cut-wire.ts';
import { pluck } from '../support/pluck.ts';
import { until } from '../support/until.ts';
import { world } from '../support/world.ts';

const stage = world();

function row(external_identifier: string, location_name = 'Main Street Chapel') {
  return { account_unique_identifier: stage.parents.account, external_identifier, location_name };
}

async function* rows(count: number, prefix: string) {
  for (let index = 0; index < count; index += 1) yield row(`${prefix} ${index}`);
}

const sizesOf = (bodies: readonly string[]) => bodies.map((body) => JSON.parse(body).length);
const named = (...names: readonly string[]) =>
  names.map((external_identifier) => ({ external_identifier }));
const created = async (): Promise<RowResult[]> => [{ outcome: 'created' }];

describe('rows of a stream', () => {
  it('are answered in order, in arrays of 500, two of them under way', async () => {
    const { api, tries } = clientOf(stage.service);
    const answers = await all(api.locations.upsertMany(rows(1201, 'streamed')));
    assert.deepEqual(
      answers.map(({ index, row, outcome }) => [index, row.external_identifier, outcome]),
      Array.from({ length: 1201 }, (_, index) => [index, `streamed ${index}`, 'created']),
    );
    assert.deepEqual(sizesOf(pluck(tries, 'body')), [500, 500, 201]);
  });

  it('fail each for itself, and say why', async () => {
    const { api } = clientOf(stage.service);
    const given = [row('good'), { ...row('bad'), location_name: '' }, row('good too')];
    const answers = await all(api.locations.upsertMany(given));
    assert.deepEqual(
      answers.map(({ outcome, error }) => outcome ?? error.param),
      ['created', 'location_name', 'created'],
    );
    const [, bad] = answers;
    assert.deepEqual(
      [bad?.error?.type, bad?.error?.code, bad?.row],
      ['invalid_request_error', 'parameter_missing', given[1]],
    );
  });

  it('may be none, a list, or few at a time', async () => {
    const { api, tries } = clientOf(stage.service);
    assert.deepEqual(await all(api.locations.upsertMany([])), []);
    assert.equal(tries.length, 0);
    await all(api.locations.upsertMany([row('a'), row('b'), row('c')], { rows: 2 }));
    assert.equal(tries.length, 2);
  });

  it('of one record never overtake each other', async () => {
    const { api } = clientOf(stage.service);
    const versions = Array.from({ length: 9 }, (_, index) => row('many versions', `Name ${index}`));
    const answers = await all(api.locations.upsertMany(versions, { rows: 1 }));
    assert.deepEqual(pluck(answers, 'outcome'), ['created', ...Array(8).fill('updated')]);
    const [last] = await all(api.locations.list({ external_identifier: 'many versions' }));
    assert.equal(last?.name, 'Name 8');
  });

  it('are rehearsed, or only created, as the options say', async () => {
    const { api, tries } = clientOf(stage.service);
    await all(api.locations.upsertMany(rows(3, 'rehearsed'), { dryRun: true }));
    assert.deepEqual(await all(api.locations.list({ external_identifier: 'rehearsed 0' })), []);
    const made = api.locations.upsertMany([row('chapel'), row('new')], { mode: 'create_only' });
    assert.deepEqual(
      (await all(made)).map(({ outcome, error }) => outcome ?? error.code),
      ['record_exists', 'created'],
    );
    assert.match(tries.at(-1)?.headers.get('Idempotency-Key') ?? '', /^[0-9a-f]{32}$/);
  });

  it('are sent again where the answer was lost, and each is written once', async () => {
    const wire = await cutWire(Number(new URL(stage.service.url).port));
    const { api, tries } = clientOf(stage.service, { port: wire.port });
    wire.cutAt('back', 'HTTP/1.1 200');
    const answers = await all(api.locations.upsertMany(rows(20, 'cut')));
    assert.deepEqual(new Set(answers.map(({ outcome }) => outcome)), new Set(['unchanged']));
    assert.equal(tries.length, 2);
  });

  it('end with the error of a request that fails', async () => {
    const { secret: key } = await stage.service.newKey({ permissions: ['read'] });
    const { api } = clientOf({ ...stage.service, key });
    const error = await errorOf(all(api.locations.upsertMany(rows(3, 'refused'))));
    assert.equal(error.code, 'permission_denied');
  });
});

describe('rows under the rate limit of the key', () => {
  it('all get through, in arrays of the size that it allows, and one array waits for another', async () => {
    const limits = { requests_a_second: 20, requests_at_once: 4 };
    const { secret: key } = await stage.service.newKey(limits);
    const { api, tries } = clientOf({ ...stage.service, key });
    const count = ALL ? 2_500 : 200;
    const rowsAtFirst = ALL ? 500 : 50;
    const walk = api.locations.upsertMany(rows(count, 'limited'), { rows: rowsAtFirst });
    const answers = await all(walk);
    assert.deepEqual(pluck(answers, 'outcome'), Array(count).fill('created'));
    const sizes = sizesOf(pluck(tries, 'body'));
    assert.ok(sizes.filter((size) => size > 20).length <= 4, String(sizes));
    assert.equal(sizes.at(-1), 20);
  });
});

describe('rows while the service is restarted', () => {
  const embedded = { skip: process.env.TEST_STORE === 'postgres' && 'it has the embedded store' };
  it('are all written, each once', embedded, async () => {
    const cwd = ownFolder();
    const { account, secret: key } = await makeAccount(cwd);
    const first = await startProcess({ cwd });
    const { api } = clientOf({ url: first.url, key });
    const given = Array.from({ length: 600 }, (_, index) => ({
      ...row(`restarted ${index}`),
      account_unique_identifier: account,
    }));
    const written: string[] = [];
    let restarted: Promise<unknown> | undefined;
    for await (const answer of api.locations.upsertMany(given, { rows: 20 })) {
      if (answer.error !== undefined) assert.fail(answer.error.message);
      written.push(answer.unique_identifier ?? 'none');
      if (written.length === 100) {
        restarted = first.stop('SIGKILL').then(() => startProcess({ cwd, port: first.port }));
      }
    }
    await restarted;
    const stored = await all(api.locations.list({ limit: 100 }));
    assert.equal(stored.length, given.length);
    assert.deepEqual(written.toSorted(), pluck(stored, 'unique_identifier').toSorted());
  });
});

describe('pulling', () => {
  /** Nothing here waits for more than promises, which have all settled when it is the turn of what comes next. */
  const settled = () => turn();

  /** Requests that are answered when the test says so. */
  function heldRequests() {
    const bodies: string[] = [];
    const answer: (() => void)[] = [];
    const send = (body: string): Promise<RowResult[]> => {
      bodies.push(body);
      return new Promise((resolve) => {
        const { length } = JSON.parse(body);
        answer.push(() => resolve(Array.from({ length }, () => ({ outcome: 'created' as const }))));
      });
    };
    return { bodies, answer, send };
  }

  it('stops while two arrays are under way, and goes on when one is answered', async () => {
    let pulled = 0;
    async function* counted() {
      for (; pulled < 100; ) {
        pulled += 1;
        yield { external_identifier: String(pulled) };
      }
    }
    const { bodies, answer, send } = heldRequests();
    const walk = sendMany(counted(), () => 10, send);
    const first = walk.next();
    await settled();
    assert.deepEqual([bodies.length, pulled], [2, 20]);
    answer[1]?.();
    await settled();
    assert.equal(pulled, 20, 'the second one waits for the first');
    answer[0]?.();
    assert.equal((await first).value?.index, 0);
    await settled();
    assert.equal(pulled, 20, 'nobody asked for the next row yet');
    for (let taken = 1; taken < 10; taken += 1) await walk.next();
    assert.equal((await walk.next()).value?.index, 10);
    for (const one of answer) one();
    await walk.return();
  });

  it('sends no array beside one that may hold rows of the same record', async () => {
    const { bodies, answer, send } = heldRequests();
    const walk = sendMany(named('a', 'b', 'b', 'c', 'd'), () => 2, send);
    const first = walk.next();
    await settled();
    assert.equal(bodies.length, 1, 'both arrays hold b');
    answer[0]?.();
    await first;
    const rest = all(walk);
    await settled();
    assert.equal(bodies.length, 3);
    for (const one of answer) one();
    assert.equal((await rest).length, 4);
  });

  it('waits for a slow source without holding back what is answered, nor what has come', async () => {
    let more: () => void = () => {};
    async function* slow() {
      yield { external_identifier: 'one' };
      await new Promise<void>((resolve) => {
        more = resolve;
      });
    }
    const { bodies, answer, send } = heldRequests();
    const walk = sendMany(slow(), () => 10, send);
    const first = walk.next();
    await until(() => bodies.length > 0);
    answer[0]?.();
    assert.equal((await first).value?.outcome, 'created');
    const last = walk.next();
    more();
    assert.equal((await last).done, true);
  });

  it('gives what became of the rows before a source that fails, then its error', async () => {
    async function* failing() {
      yield { external_identifier: 'one' };
      throw new Error('The file cannot be read.');
    }
    const walk = sendMany(failing(), () => 10, created);
    assert.equal((await walk.next()).value?.outcome, 'created');
    await assert.rejects(walk.next(), /cannot be read/);
  });

  it('gives what became of the rows before one that JSON cannot hold, then says so', async () => {
    let closed = false;
    const loop: { external_identifier: string; within?: object } = { external_identifier: 'two' };
    loop.within = loop;
    function* source() {
      try {
        yield { external_identifier: 'one' };
        yield loop;
      } finally {
        closed = true;
      }
    }
    const walk = sendMany(source(), () => 10, created);
    assert.equal((await walk.next()).value?.row.external_identifier, 'one');
    await assert.rejects(walk.next(), TypeError);
    assert.ok(closed);
  });

  it('never gives a row the result of another where the answer lacks some', async () => {
    const walk = sendMany(named('one', 'two'), () => 10, created);
    await walk.next();
    await assert.rejects(walk.next(), /no result for some/);
  });

  it('closes the source and leaves nothing under way where the walk is left', async () => {
    let closed = false;
    async function* source() {
      try {
        for (let index = 0; ; index += 1) yield { external_identifier: String(index) };
      } finally {
        await turn();
        closed = true;
      }
    }
    let underWay = 0;
    const send = async (body: string): Promise<RowResult[]> => {
      underWay += 1;
      await turn();
      underWay -= 1;
      return JSON.parse(body).map(() => ({ outcome: 'created' }));
    };
    for await (const { index } of sendMany(source(), () => 5, send)) if (index === 7) break;
    assert.deepEqual([closed, underWay], [true, 0]);
  });

  it('ends with the first error where a later array fails before it', async () => {
    const later = Promise.withResolvers<void>();
    const send = async (body: string): Promise<RowResult[]> => {
      if (body.includes('one')) await later.promise.then(turn);
      else later.resolve();
      throw new Error(`refused: ${body}`);
    };
    await assert.rejects(all(sendMany(named('one', 'two'), () => 1, send)), /refused: .*one/);
  });

  it('leaves a source that does not answer', async () => {
    async function* stuck() {
      yield { external_identifier: 'one' };
      await new Promise(() => {});
    }
    const walk = sendMany(stuck(), () => 1, created);
    assert.equal((await walk.next()).value?.index, 0);
    assert.deepEqual(await walk.return(), { done: true, value: undefined });
  });

  it('bounds an array by its size, too', async () => {
    const { bodies, answer, send } = heldRequests();
    const large = Array.from({ length: 12 }, (_, index) => ({
      external_identifier: String(index),
      text: 'x'.repeat(1024 * 1024),
    }));
    const walk = sendMany(large, () => 500, send);
    const first = walk.next();
    await settled();
    assert.deepEqual(sizesOf(bodies), [4, 4]);
    for (const one of answer) one();
    await first;
    const left = walk.return();
    for (const one of answer) one();
    await left;
  });
});
