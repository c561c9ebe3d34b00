/** Real programs of each release hand a store over to this one, beside callers: nobody is refused, nothing is lost, and each repeated request has one answer. */
// needs: --all, program, waits, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../support/until.ts';
import {
  type At,
  EARLIER,
  PROJECT,
  programOf,
  ran,
  rowsOf,
  serve,
  storeOf,
} from '../support/versions.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly key?: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A request and its answer, which stays so wherever and whenever it is repeated. */
interface Done extends Answer {
  readonly sent: Sent;
}

const without = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (name === 'request_id' ? undefined : value)));

/** Callers of a service that has several addresses, one of which answers at any time. */
async function callersOf(old: string, at: At) {
  const [one] = JSON.parse(await ran(old, ['accounts', 'list', '--json'], at));
  const account: string = one.unique_identifier;
  const words = ['keys', 'create', '--account', account, '--permission', 'read', 'write', 'delete'];
  const { secret } = JSON.parse(await ran(old, [...words, '--json'], at));
  let live: readonly string[] = [];
  let turn = 0;
  let requests = 0;
  let over = false;
  const refused: string[] = [];
  const done: Done[] = [];
  /** External identifiers of locations that were made and not removed. */
  const made = new Set<string>();

  async function ask(address: string, { method, path, body, key }: Sent) {
    const answer = await fetch(`${address}/v1${path}`, {
      method,
      headers: {
        ...{ Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    if (answer === undefined) return undefined;
    const text = await answer.text().catch(() => undefined);
    if (text === undefined) return undefined;
    return { status: answer.status, body: without(JSON.parse(text)) } satisfies Answer;
  }

  /** Goes to the next address where one cannot be reached, as a load balancer does. */
  async function send(sent: Sent): Promise<Answer> {
    let answer: Answer | undefined;
    await until(async () => {
      turn += 1;
      answer = await ask(live[turn % live.length] ?? '', sent);
      return answer !== undefined;
    });
    requests += 1;
    return answer as unknown as Answer;
  }

  async function ok(
    sent: Sent,
  ): Promise<Answer & { readonly body: { unique_identifier: string } }> {
    const answer = await send(sent);
    if (answer.status > 201) refused.push(`${sent.method} ${sent.path}: ${JSON.stringify(answer)}`);
    return answer as Answer & { readonly body: { unique_identifier: string } };
  }

  const upsert = (external_identifier: string, location_name: string, key?: string): Sent => ({
    ...{ method: 'POST', path: '/locations/upsert' },
    body: { account_unique_identifier: account, external_identifier, location_name },
    ...(key === undefined ? {} : { key }),
  });

  /** What was answered once is answered so by every process there is, and another body under its key by none. */
  async function repeat({ sent, status, body }: Done): Promise<void> {
    for (const address of live) {
      const again = await ask(address, sent);
      if (again !== undefined) assert.deepEqual(again, { status, body }, JSON.stringify(sent));
      if (sent.body === undefined) continue;
      const changed = upsert('another', 'Another', sent.key);
      const [{ path }, own] = [sent, changed.body ?? {}];
      const others = Array.isArray(sent.body) ? [own] : own;
      const other = await ask(address, { ...changed, path, body: others });
      if (other !== undefined) assert.equal(other.status, 422, JSON.stringify(other));
    }
  }

  const noted = (sent: Sent, { status, body }: Answer): Done => {
    const one = { sent, status, body };
    done.push(one);
    return one;
  };

  /** A caller: does one thing after another, each with a name of its own. */
  async function caller(name: string): Promise<void> {
    for (let count = 0; !over; count += 1) {
      const id = `${name}-${count}`;
      const plain = upsert(id, 'Plain');
      await ok(plain);
      made.add(id);
      const keyed = upsert(id, 'Keyed', `${id}-keyed`);
      const first = noted(keyed, await ok(keyed));
      const same = upsert(id, 'Keyed', `${id}-unchanged`);
      await repeat(noted(same, await ok(same)));
      await ok(upsert(id, 'Changed since'));
      await repeat(first);
      const many: Sent = {
        ...{ method: 'POST', path: '/locations/upsert_many', key: `${id}-many` },
        body: [upsert(`${id} one of many`, 'Many').body, upsert(id, 'One of many').body],
      };
      const batch = noted(many, await ok(many));
      made.add(`${id} one of many`);
      await repeat(batch);
      const removed = upsert(`${id}-removed`, 'Removed', `${id}-removed`);
      const { body } = await ok(removed);
      const gone: Sent = {
        ...{ method: 'DELETE', path: `/locations/${body.unique_identifier}` },
        key: `${id}-gone`,
      };
      await repeat(noted(gone, await ok(gone)));
      // Its repetition says that it was removed since, and brings nothing back.
      const { status } = await send(removed);
      assert.equal(status, 404);
      const repeated = done[(count * 7) % done.length];
      if (repeated !== undefined) await repeat(repeated);
    }
  }

  let calling: Promise<unknown> = Promise.resolve();
  return {
    refused,
    begin(): void {
      const end = (): void => {
        over = true;
      };
      calling = Promise.all(['a', 'b'].map((name) => caller(name).finally(end)));
      // It is waited for below.
      calling.catch(() => undefined);
    },
    /** Waits for some more requests; fails where a caller has. */
    async some(): Promise<void> {
      const wanted = requests + 60;
      await until(() => over || requests > wanted);
      if (over) await calling;
    },
    /** Ends the callers, and repeats all requests, whatever became of their records since. */
    async end(): Promise<void> {
      over = true;
      await calling;
      for (const one of done) await repeat(one);
    },
    use: (...addresses: readonly string[]) => {
      live = addresses;
    },
    /** All that was made is there once, and nothing else of it. */
    async lose(before: ReadonlySet<string>): Promise<void> {
      const names = await locations(at);
      assert.deepEqual(names.filter((name) => !before.has(name)).toSorted(), [...made].toSorted());
    },
  };
}

const locations = async (at: At): Promise<readonly string[]> =>
  (await rowsOf(at, 'SELECT external_identifier FROM location')).map((row) =>
    String(row.external_identifier),
  );

for (const release of EARLIER)
  describe(`Processes of ${release} and of this version`, () => {
    it('serve a store on PostgreSQL at once', async () => {
      const old = programOf(release);
      const at = await storeOf(release, 'postgres');
      const before = new Set(await locations(at));
      const callers = await callersOf(old, at);
      const [first, second] = [await serve(old, at), await serve(old, at)];
      callers.use(first.address, second.address);
      callers.begin();
      await callers.some();
      const status = JSON.parse(await ran(PROJECT, ['migrate', 'status', '--json'], at));
      assert.equal(status.up_to_date, false);
      assert.equal(status.stop_first, false);
      const third = await serve(PROJECT, at);
      callers.use(first.address, second.address, third.address);
      await callers.some();
      await callers.some();
      const refusal = await ran(old, ['serve', '--port', '0'], at, 1);
      assert.match(refusal, /was migrated by Ledgerstone 1\.1\.0, and this is /);
      callers.use(first.address, third.address);
      await second.stop();
      await callers.some();
      const fourth = await serve(PROJECT, at);
      callers.use(first.address, third.address, fourth.address);
      await callers.some();
      callers.use(third.address, fourth.address);
      await first.kill();
      await callers.some();
      await callers.end();
      assert.deepEqual(callers.refused, []);
      await callers.lose(before);
      await third.stop();
      await fourth.stop();
      assert.match(await ran(PROJECT, ['verify'], at), /./);
    });

    it('serve a store on SQLite one after the other', async () => {
      const old = programOf(release);
      const at = await storeOf(release, 'sqlite');
      const before = new Set(await locations(at));
      const callers = await callersOf(old, at);
      const first = await serve(old, at);
      callers.use(first.address);
      callers.begin();
      await callers.some();
      await first.stop();
      const second = await serve(PROJECT, at);
      callers.use(second.address);
      await callers.some();
      await callers.end();
      assert.deepEqual(callers.refused, []);
      await second.stop();
      await callers.lose(before);
      assert.match(await ran(PROJECT, ['verify'], at), /./);
    });
  });
