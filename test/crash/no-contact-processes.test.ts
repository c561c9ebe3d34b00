/** Two processes over one database, of which one is killed now and then: nobody who is in the register is workable by either, nothing is done about them that is committed after their entry, and an entry goes by lifting alone. */
// needs: --ci, program, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ALL } from '../support/all.ts';
import { connected } from '../support/ask.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { NEWEST } from '../support/postgres-programs.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

const RUNS = ALL ? 60 : 4;
const VISITS = '/v1/event_check_in_records';
const FOLLOW_UPS = '/v1/follow_ups';
const REGISTER = '/v1/do_not_contact';
const PEOPLE = [0, 1, 2] as const;
/** What says that nobody is to contact a person, what says that they may be, and what works on them. */
const SAYS = ['enter', 'enterRecord', 'enterList', 'closeNo'] as const;
const LIFTS = ['lift', 'reopen'] as const;
const WORKS = ['begin', 'claim', 'attempt', 'done', 'erase'] as const;
const DOES = [...SAYS, ...LIFTS, ...WORKS, ...WORKS] as const;
type Does = (typeof DOES)[number];

/** One thing that is done at the same time as the others of its round. */
interface Step {
  readonly does: Does;
  readonly person: number;
  /** The process that is asked. */
  readonly by: number;
}

/** Steps that are done at the same time. */
interface Round {
  readonly steps: readonly Step[];
  /** Whether the second process is killed meanwhile. */
  readonly kills: boolean;
  /** Who is entered by a commit before all others of the round: these are asked for before it is done, and wait for it. */
  readonly first: number | undefined;
}

interface Person {
  readonly number: string;
  record: string;
  followUp: string;
  /** Whether the register has them, as plain code knows it. */
  said: boolean;
}

/** A transaction goes on seeing the sessions that it saw first, unless it is told to look anew. */
const LOOK_ANEW = 'SELECT pg_stat_clear_snapshot()';
const WAITING = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const has = (some: readonly string[], does: string): boolean => some.includes(does);

await onPostgres(
  ({ name, url: server }) => {
    describe(`Two processes over ${name}`, () => {
      it('show nobody as workable who is in the register, and lose no entry', async () => {
        const cwd = ownFolder();
        const services: RunningService[] = [];
        const { env: place, url } = await emptyDatabase(server, services);
        const holder = await connected(url);
        const env = { ...place, SECRET_KEY_FILE: secretKeyFile() };
        const start = async (at: number): Promise<void> => {
          services[at] = await startProcess({ cwd, env });
        };
        await start(0);
        await start(1);
        const { account, secret } = await makeAccount(cwd, env);
        const rights = ['follow_up', 'do_not_contact', 'erase'];
        const { secret: officer } = await programIn(cwd, env).json<{ secret: string }>(
          ...['keys', 'create', '--account', account, '--permission', 'read'],
          ...rights.flatMap((right) => ['--allow', right]),
        );
        const ask = async (by: number, path: string, body?: object, key = officer) => {
          const { status, text } = await call(services[by]?.url ?? '', key, path, body);
          return { status, body: JSON.parse(text) as Body, text };
        };
        const ok = async (by: number, path: string, body?: object, key = officer) => {
          const answer = await ask(by, path, body, key);
          assert.equal(answer.status, 200, `${path}: ${answer.text}`);
          return answer.body;
        };
        const location = await makeLocation(services[0]?.url ?? '', secret, account);
        const sent = eventBody(location, 'case', { event_name: 'A service' });
        const { unique_identifier: event } = await ok(0, '/v1/events/upsert', sent, secret);
        let made = 0;
        const visit = async (by: number, visitor_phone_number: string): Promise<string> => {
          made += 1;
          const guest = visitorBody(event, `guest ${made}`, { visitor_phone_number });
          return (await ok(by, `${VISITS}/upsert`, guest, secret)).unique_identifier;
        };
        const entriesOf = async (by: number, { number }: Person): Promise<readonly Body[]> =>
          (await ok(by, `${REGISTER}?phone_number=${encodeURIComponent(number)}`)).data;

        const does: Readonly<
          Record<Does, (by: number, one: Person) => Promise<{ readonly status: number }>>
        > = {
          enter: (by, { number }) => ask(by, REGISTER, { account, phone_number: number }),
          enterRecord: (by, { record }) => ask(by, REGISTER, { record }),
          enterList: (by, { number }) =>
            ask(by, `${REGISTER}/add_many`, { account, entries: [{ phone_number: number }] }),
          closeNo: (by, { followUp }) =>
            ask(by, `${FOLLOW_UPS}/${followUp}/close`, { outcome: 'do_not_contact' }),
          async lift(by, one) {
            for (const { unique_identifier: id } of await entriesOf(by, one))
              await ok(by, `${REGISTER}/${id}/lift`, { reason: 'called' });
            return { status: 200 };
          },
          reopen: (by, { followUp }) =>
            ask(by, `${FOLLOW_UPS}/${followUp}/reopen`, { reason: 'called' }),
          begin: (by, { record }) => ask(by, FOLLOW_UPS, { record }),
          claim: (by, { followUp }) => ask(by, `${FOLLOW_UPS}/${followUp}/claim`, {}),
          attempt: (by, { followUp }) =>
            ask(by, `${FOLLOW_UPS}/${followUp}/attempt`, { channel: 'call', outcome: 'reached' }),
          done: (by, { followUp }) =>
            ask(by, `${FOLLOW_UPS}/${followUp}/close`, { outcome: 'done' }),
          async erase(by, { record }) {
            const begun = await ask(by, '/v1/erasures', { account, records: [record] });
            const path = `/v1/erasures/${begun.body.unique_identifier}`;
            return begun.status === 200 ? ask(by, `${path}/run`, { records: [record] }) : begun;
          },
        };

        /** What both processes say of a person, which must be the same. */
        const seen = async (one: Person, why: string): Promise<boolean> => {
          const said: boolean[] = [];
          for (const by of [0, 1]) {
            const isIn = (await entriesOf(by, one)).length > 0;
            const record = await ok(by, `${VISITS}/${one.record}?expand[]=do_not_contact`);
            const query = `state=unfinished&record=${one.record}`;
            const { data } = await ok(by, `${FOLLOW_UPS}?${query}`);
            if (isIn) {
              assert.equal(record.do_not_contact, true, why);
              assert.deepEqual(data, [], `workable: ${why}`);
              const begun = await ask(by, FOLLOW_UPS, { record: one.record });
              assert.equal(begun.body.error?.code, 'do_not_contact', why);
            }
            said.push(isIn);
          }
          assert.equal(said[0], said[1], `both say the same: ${why}`);
          return said[0] === true;
        };

        /** Makes what a person has lost: a record, and a follow-up where they may be contacted. */
        const renew = async (one: Person, why: string): Promise<void> => {
          const { status } = await ask(0, `${VISITS}/${one.record}`, undefined, secret);
          if (one.record === '' || status === 410) {
            one.record = await visit(0, one.number);
            one.followUp = '';
          }
          const { data } = await ok(1, `${FOLLOW_UPS}?record=${one.record}`);
          const open = data.find(({ state }: Body) => state !== 'closed');
          if (open !== undefined) one.followUp = open.unique_identifier;
          else if (!(await seen(one, why)))
            one.followUp = (await ok(1, FOLLOW_UPS, { record: one.record })).unique_identifier;
        };

        /** Keeps back all other commits until a person is entered. */
        const entering = async (
          one: Person | undefined,
        ): Promise<(doing: Promise<unknown>) => Promise<void>> => {
          if (one === undefined || one.said) return async () => {};
          await does.enter(0, one);
          const [entry] = await entriesOf(0, one);
          await does.lift(0, one);
          await holder.query(`BEGIN; SELECT FROM "account" FOR NO KEY UPDATE;
            UPDATE no_contact SET lifted_at = NULL, lifted_by = NULL, lifted_because = NULL
              WHERE unique_identifier = '${entry?.unique_identifier}'`);
          return async (doing) => {
            let areDone = false;
            const end = () => {
              areDone = true;
            };
            doing.then(end, end);
            // One has come as far as its commit, which waits, or none waits for it.
            await until(async () => {
              await holder.query(LOOK_ANEW);
              return areDone || (await holder.query(WAITING)).rowCount !== 0;
            });
            await holder.query('COMMIT');
          };
        };

        const round = async (people: readonly Person[], { steps, kills, first }: Round) => {
          const before = people.map(({ said }, at) => said || at === first);
          const begin = async (step: Step) => {
            const one = people[step.person] as Person;
            // A process that ends has answered nothing.
            const answer = await does[step.does](step.by, one).catch((error) => {
              if (!kills || step.by === 0) throw error;
              return { status: 0 };
            });
            return { ...step, ...answer };
          };
          const enter = await entering(people[first ?? -1]);
          const doing = Promise.all(steps.map(begin));
          await enter(doing);
          if (kills) await services[1]?.stop('SIGKILL');
          const answers = await doing;
          if (kills) await start(1);
          const isErasing = answers.some(({ does }) => does === 'erase');
          const done = async () =>
            (await ok(0, `/v1/erasures?limit=50`)).data.every(
              ({ status }: Body) => status !== 'running',
            );
          if (isErasing) await until(done);
          const why = JSON.stringify({
            before,
            answers: answers.map(({ does, person, by, status }) => [does, person, by, status]),
          });
          for (const [at, one] of people.entries()) {
            const own = answers.filter(({ person }) => person === at);
            const isAsked = (some: readonly string[]) => own.some(({ does }) => has(some, does));
            for (const { does, status } of own) {
              assert.notEqual(status, 500, why);
              // It was said before this was asked for, and nothing has lifted it.
              if (before[at] && has(['begin', 'claim', 'attempt', 'done'], does) && !isAsked(LIFTS))
                assert.notEqual(status, 200, why);
            }
            await renew(one, why);
            const said = await seen(one, why);
            const isSaid = own.some(({ does, status }) => has(SAYS, does) && status === 200);
            if (!isAsked(LIFTS) && (before[at] || isSaid)) assert.ok(said, `lost: ${why}`);
            if (!isAsked(SAYS) && !before[at]) assert.ok(!said, `nobody has said so: ${why}`);
            one.said = said;
          }
        };

        let run = 0;
        const step = fc.record({
          does: fc.constantFrom(...DOES),
          person: fc.constantFrom(...PEOPLE),
          by: fc.nat(1),
        });
        const rounds = fc.array(
          fc.record({
            steps: fc.array(step, { minLength: 2, maxLength: 6 }),
            kills: fc.nat(9).map((one) => one === 0),
            first: fc.option(fc.constantFrom(...PEOPLE), { nil: undefined }),
          }),
          { minLength: 3, maxLength: 8 },
        );
        const property = fc.asyncProperty(rounds, async (all) => {
          run += 1;
          const people = PEOPLE.map((at) => ({
            number: `+1421${1_000_000 + run * PEOPLE.length + at}`,
            ...{ record: '', followUp: '', said: false },
          }));
          for (const one of people) {
            one.record = await visit(0, one.number);
            await renew(one, 'at first');
          }
          for (const one of all) await round(people, one);
        });
        await fc.assert(property, {
          numRuns: RUNS,
          endOnFailure: true,
          interruptAfterTimeLimit: ALL ? 240_000 : 60_000,
        });
      });
    });
  },
  [NEWEST],
);
