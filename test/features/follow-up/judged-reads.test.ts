/**
 * A list of follow-ups while somebody is in the register reads no record, and asks a bounded number of questions: whatever state
 * it is asked for, and however few of those that it judges are on the page.
 */
// needs: both stores
import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { type Call, type Result, Session } from '../../../src/store/postgres/wire/session.ts';
import { visitorBody } from '../../support/sent.ts';
import type { Body } from '../../support/service.ts';
import { world } from '../../support/world.ts';
import { openedOf } from './fill.ts';

const PATH = '/v1/follow_ups';
const SOME = 1_000;
const LIMIT = 15;
/** Statements of a page at most. */
const MOST = 30;
const STATES = ['', 'open', 'claimed', 'scheduled', 'closed', 'unfinished'] as const;

/** The statements that were answered since, with their rows. */
let answers: { readonly text: string; readonly rows: readonly unknown[] }[] | undefined;

const { all } = StatementSync.prototype;
StatementSync.prototype.all = function (this: StatementSync, ...given: Parameters<typeof all>) {
  const rows = all.apply(this, given);
  answers?.push({ text: this.sourceSQL, rows });
  return rows;
} as typeof all;
const { run, bundle } = Session.prototype;
Session.prototype.run = async function <Row extends readonly unknown[]>(
  this: Session,
  wanted: Call<Row>,
) {
  const result = (await run.call(this, wanted)) as Result<Row>;
  answers?.push({ text: this.place.name(wanted).statement.text, rows: result.rows });
  return result;
};
Session.prototype.bundle = async function (...given) {
  const results = await bundle.apply(this, given);
  for (const [at, rows] of results.entries()) {
    const { text } = this.place.name(given[0][at] as Call).statement;
    answers?.push({ text, rows });
  }
  return results;
};

/** Tables that a list may read: follow-ups, the register, and records. */
const READ = /\b(?:follow_up|no_contact|event_check_in_record)\b/;
const isDocument = (value: unknown) => typeof value === 'string' && value.includes('public_data');

type Answered = NonNullable<typeof answers>;

const documentsOf = (answered: Answered) =>
  answered
    .flatMap(({ rows }) => rows)
    .flatMap((row) => Object.values(row as object))
    .filter(isDocument);

describe('A list of follow-ups beside a register', () => {
  const numberOf = (at: number) => `+1424${1_000_000 + at}`;
  const isNo = (at: number) => at % 50 === 49;
  /** The last ones that are due. */
  const isClosed = (at: number) => at >= SOME - 100;
  const ids: string[] = [];
  const idOf = (at: number) => `fup_${String(at).padStart(22, '0')}`;
  const on = world({}, async ({ service, account, location, event, ok, officer, read }) => {
    await read(PATH);
    const sent = Array.from({ length: SOME }, (_, at) => {
      const more = { visitor_full_name: `Visitor ${at}`, visitor_phone_number: numberOf(at) };
      return visitorBody(event, `visitor ${at}`, more);
    });
    const { data } = await ok('/v1/event_check_in_records/upsert_many', sent);
    ids.push(...data.map((one: Body) => one.unique_identifier));
    const { followUp: book } = service.app.store;
    for (let at = 0; at < SOME; at += 1) {
      const closed = {
        state: 'closed',
        outcome: 'done',
        closed_at: 9,
        closed_by: 'key_1',
      } as const;
      const made = openedOf(account, {
        ...{ location, resource: 'event_check_in_record', record: String(ids[at]), position: null },
        ...{ unique_identifier: idOf(at), due_at: at, ...(isClosed(at) && closed) },
      });
      assert.ok(await book.open(made, []));
    }
    const entries = Array.from({ length: SOME }, (_, at) => at)
      .filter(isNo)
      .map((at) => ({ phone_number: numberOf(at) }));
    await ok('/v1/do_not_contact/add_many', { account, entries }, officer);
  });

  /** A page, and what was asked of those tables for it: the least of some tries, since the service looks through them by itself, too. */
  const asked = async (query: string) => {
    for (let tries = 1; ; tries += 1) {
      answers = [];
      const { data, has_more } = await on.read(`${PATH}?${query}`);
      const answered = answers.filter(({ text }) => READ.test(text));
      answers = undefined;
      const isFew = answered.length <= MOST && documentsOf(answered).length === 0;
      if (isFew || tries === 5) return { data, has_more, answered };
    }
  };

  for (const state of STATES)
    it(`reads no record, and in few questions, ${state || 'whatever their state'}`, async () => {
      const wanted = ids
        .map((_, at) => ({ at, seen: isClosed(at) || isNo(at) ? 'closed' : 'open' }))
        .filter(
          ({ seen }) => [seen, ''].includes(state) || (state === 'unfinished' && seen === 'open'),
        )
        .map(({ at, seen }) => [idOf(at), seen]);
      const found: (readonly string[])[] = [];
      for (let after = '', isMore = true; isMore && found.length < 3 * LIMIT; ) {
        const query = `${state && `&state=${state}`}${after && `&starting_after=${after}`}`;
        const { data, has_more, answered } = await asked(`limit=${LIMIT}${query}`);
        found.push(...data.map((one: Body) => [one.unique_identifier, one.state]));
        after = data.at(-1)?.unique_identifier;
        isMore = has_more;
        assert.ok(answered.some(({ rows }) => rows.length > 0) || data.length === 0);
        assert.ok(answered.length <= MOST, `${answered.length} statements ${query}`);
        const { length } = documentsOf(answered);
        assert.equal(length, 0, `${length} records ${query}`);
      }
      assert.deepEqual(found, wanted.slice(0, 3 * LIMIT));
    });
});
