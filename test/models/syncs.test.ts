/** Whatever befalls nightly deliveries, no record goes that its system still has, unless somebody asked for it. */
// needs: both stores with --all, long
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { it } from 'node:test';
import fc from 'fast-check';
import { ALL } from '../support/all.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import type { Answer, Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';
import { Homes, type Night, TROUBLES } from './syncs.ts';

const HOMES = 3;
/** Of the largest home; all cases of small ones may go without a word about one of them. */
const CASES = { many: 6, few: 2 };
const RUNS = ALL ? 60 : 6;
const NIGHTS = 5;
const MANY = '/v1/events/upsert_many';

const service = served({ settings: keyed() });
const home = fc.integer({ min: 0, max: HOMES - 1 });
/** The cases of each home. */
const casesUpTo = (max: number, homes: number) =>
  fc.array(fc.integer({ min: 1, max }), { minLength: homes, maxLength: HOMES });
const sizes = fc.oneof(casesUpTo(CASES.few, 1), casesUpTo(CASES.many, HOMES));
const night: fc.Arbitrary<Night> = fc.record({
  closes: fc.array(home, { maxLength: 2 }),
  opens: fc.array(home, { maxLength: 2 }),
  at: home,
  trouble: fc.constantFrom(...TROUBLES),
  despite: fc.boolean(),
  whole: fc.boolean(),
  rehearsed: fc.boolean(),
  undone: fc.boolean(),
});

/** The homes of a source, and the rows of a night on their way. */
async function ground() {
  const { secret: key } = await service.newKey({ name: 'Cases' });
  const account = service.account.unique_identifier;
  const ids: string[] = [];
  while (ids.length < HOMES) ids.push(await service.location(`${key.slice(-8)} ${ids.length}`));

  const stored = async () =>
    Promise.all(
      ids.map(async (id) => {
        const query = `location_unique_identifier=${id}&limit=1000`;
        const { body } = await service.get(`/v1/events?${query}`, { key });
        return new Set<string>(body.data.map((one: Body) => one.external_identifier));
      }),
    );

  const post = (path: string, body: string, type: string, headers: Record<string, string>) =>
    service.send('POST', path, { key, body, headers: { 'Content-Type': type, ...headers } });

  /** Ends in the middle of its rows. */
  const cut = async (sync: string, lines: readonly string[]) => {
    const half = Math.floor(lines.length / 2);
    const text = [...lines.slice(0, half), lines[half]?.slice(0, 12)].join('');
    const { port, hostname } = new URL(service.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const head = [
      `POST ${MANY} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}`,
      `Ledgerstone-Sync: ${sync}\r\nContent-Type: application/x-ndjson`,
      `Content-Length: ${Buffer.byteLength(text) + 1_000}\r\n\r\n${text}`,
    ];
    socket.write(head.join('\r\n'));
    const count = async () =>
      (await service.get(`/v1/syncs/${sync}`, { key })).body.doubts_count as number;
    await until(async () => (await count()) > 0);
    socket.destroy();
  };

  const send = async (sync: string, at: number, names: readonly string[], night: Night) => {
    const { trouble } = night;
    const under = { 'Ledgerstone-Sync': sync };
    const rows = names.map((name) => eventBody(ids[at], name));
    const [first, ...others] = rows;
    const array = (some: readonly object[], headers = {}) =>
      post(MANY, JSON.stringify(some), 'application/json', { ...under, ...headers });
    const lines = rows.map((one) => `${JSON.stringify(one)}\n`);
    if (trouble === 'no home sent') return undefined;
    if (night.at !== at || trouble === 'none') return array(rows);
    if (trouble === 'not sent') return undefined;
    if (trouble === 'empty') return array([]);
    if (trouble === 'number') return array([{ ...first, external_identifier: 1 }, ...others]);
    if (trouble === 'cut line')
      return post(
        MANY,
        [lines[0]?.slice(0, 12), ...lines.slice(1)].join('\n'),
        'application/x-ndjson',
        under,
      );
    if (trouble === 'slipped') {
      const header = Object.keys(first ?? {});
      const cells = rows.map((row, nth) => [
        ...(nth === 0 ? ['Smith'] : []),
        ...Object.values(row),
      ]);
      return post(MANY, [header, ...cells].map((one) => one.join()).join('\n'), 'text/csv', under);
    }
    if (trouble === 'refused') return post(MANY, '<services/>', 'application/xml', under);
    if (trouble === 'limited') return post(`${MANY}?what=1`, '[]', 'application/json', under);
    if (trouble === 'broken off') return cut(sync, lines);
    const again = { 'Ledgerstone-Instead-Of': `home ${at}`.replace(' ', '-') };
    await post(MANY, '[{"external_identifier":', 'application/json', { ...under, ...again });
    return array(rows, again);
  };

  return { key, account, ids, stored, send };
}

it('a sync removes only what its system no longer has, and an undo brings it back', async () => {
  const property = fc.asyncProperty(
    sizes,
    fc.array(night, { minLength: 2, maxLength: NIGHTS }),
    async (cases, nights) => {
      const { key, account, stored, send } = await ground();
      const homes = new Homes(cases);
      const quiet: Night = {
        ...{ closes: [], opens: [], at: 0, trouble: 'none', despite: false, whole: false },
        ...{ rehearsed: false, undone: false },
      };
      for (const any of [quiet, ...nights]) {
        const one = { ...any, at: any.at % cases.length };
        homes.pass(one);
        const begun = await service.json('/v1/syncs', { resource: 'event', account }, { key });
        const sync: string = begun.body.unique_identifier;
        for (const [at, names] of homes.own.entries()) await send(sync, at, [...names], one);
        const before = await stored();
        homes.stored = before;
        const asked = {
          ...(one.despite && { despite: 'all' }),
          ...(one.whole && { at_most: '100%' }),
        };
        const finish = async (how: object): Promise<Answer> => {
          let done = await service.json(`/v1/syncs/${sync}/finish`, how, { key });
          while (done.body.status === 'finishing')
            done = await service.json(`/v1/syncs/${sync}/finish`, how, { key });
          return done;
        };
        const dry = one.rehearsed ? await finish({ ...asked, dry_run: true }) : undefined;
        if (dry !== undefined) assert.deepEqual(await stored(), before, 'looking changes nothing');
        const done = await finish(asked);
        if (dry !== undefined) assert.equal(dry.body.refusal, done.body.error?.message ?? null);
        const isRefused = done.status === 409;
        assert.equal(isRefused, homes.isRefused(one), `${JSON.stringify(one)}: ${done.text}`);
        const after = await stored();
        if (isRefused) assert.deepEqual(after, before, 'nothing goes where it is refused');
        for (const [at, had] of before.entries()) {
          const mayGo = homes.mayGo(at, one);
          const gone = [...had].filter((name) => !after[at]?.has(name));
          assert.deepEqual(
            gone.filter((name) => !mayGo(name)),
            [],
            JSON.stringify(one),
          );
          // What nobody has goes, where the night is finished.
          const stays = [...(after[at] ?? [])].filter((name) => !homes.own[at]?.has(name));
          if (!isRefused) assert.deepEqual(stays, []);
        }
        if (one.undone && !isRefused) {
          const path = `/v1/syncs/${sync}/undo`;
          let undone = await service.send('POST', path, { key });
          while (undone.body.status === 'undoing')
            undone = await service.send('POST', path, { key });
          assert.equal(undone.body.status, 'undone', undone.text);
          assert.deepEqual(await stored(), before, 'all is back');
        }
      }
    },
  );
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: 240_000 });
});
