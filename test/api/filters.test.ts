/** Lists that hold only what meets their filters (decisions, "Lists"; docs/pagination.md). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryParams } from '../../scripts/openapi/operations/query-params.ts';
import { resources } from '../../src/core/resources/index.ts';
import { filterMembers } from '../../src/core/schema/filters.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Answer, Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
let now = START;
let away: string;
let awayEvent: string;
let awayOnly: string;
let foreignAccount: string;
let foreignLocation: string;
const stage = world({ now: () => now }, async ({ service, upsert }) => {
  away = (await upsert('locations', { as: 'away' })).body.unique_identifier;
  const json = { location_unique_identifier: away };
  awayEvent = (await upsert('events', { json, as: 'away' })).body.unique_identifier;
  ({ secret: awayOnly } = await service.newKey({ anchors: [away] }));
  const other = await service.app.store.accounts.create({ name: 'Other', livemode: false });
  foreignAccount = other.unique_identifier;
  const { secret: key } = await service.newKey({ accounts: [foreignAccount] });
  const made = await upsert('locations', {
    json: { account_unique_identifier: foreignAccount },
    key,
  });
  foreignLocation = made.body.unique_identifier;
});

const list = (path: string, query: Record<string, string> = {}, key?: string): Promise<Answer> =>
  stage.service.get(`/v1/${path}?${new URLSearchParams(query)}`, key === undefined ? {} : { key });
const identifiers = ({ status, body, text }: Answer): string[] => {
  assert.equal(status, 200, text);
  return body.data.map((one: Body) => one.unique_identifier);
};
const make = async (path: string, json: Body, as?: string): Promise<string> =>
  (await stage.made(path, as, json)).unique_identifier;

const CHECK_INS = 'event_check_in_records';

describe('A filter on a field', () => {
  const found: readonly (readonly [
    path: string,
    filter: string,
    asked: string,
    meets: Body,
    others: readonly Body[],
  ])[] = [
    [
      'events',
      'event_datetime',
      '2027-01-01T09:30:00-05:00',
      { event_datetime: '2027-01-01T14:30:00.900Z' },
      [{ event_datetime: '2027-01-01T14:30:01Z' }, { event_datetime: '2027-01-01T09:30:00Z' }],
    ],
    [
      'event_administrators',
      'person_phone_number',
      '+14155550188',
      { person_phone_number: '+14155550188' },
      [{ person_phone_number: '+14155550187' }],
    ],
    [
      'event_administrators',
      'person_email_address',
      'ZOË+1@Example.com',
      { person_email_address: 'Zoë+1@example.COM' },
      [
        { person_email_address: 'zoe+1@example.com' },
        { person_email_address: 'Zoë 1@example.com' },
        {},
      ],
    ],
    ...['true', '1'].map(
      (asked) =>
        [
          'event_administrators',
          'person_interested_in_pre_planning',
          asked,
          { person_interested_in_pre_planning: true },
          [{ person_interested_in_pre_planning: false }, {}],
        ] as const,
    ),
    [
      CHECK_INS,
      'visitor_phone_number',
      '+442079460958',
      { visitor_phone_number: '+442079460958' },
      [{ visitor_phone_number: '+442079460959' }],
    ],
    [
      CHECK_INS,
      'visitor_email_address',
      ' Kept as it is ',
      { visitor_email_address: ' kept as it is ' },
      [{ visitor_email_address: 'kept as it is' }, {}],
    ],
    [
      CHECK_INS,
      'visitor_interested_in_pre_planning',
      'true',
      { visitor_interested_in_pre_planning: true },
      [{ visitor_interested_in_pre_planning: false }, {}],
    ],
    [
      'online_arrangements',
      'person_phone_number',
      '+14155550189',
      { person_phone_number: '+14155550189' },
      [{}],
    ],
    [
      'online_arrangements',
      'additional_person_metadata[email_address]',
      'a@example.com',
      { additional_person_metadata: { email_address: 'A@example.com' } },
      [{ additional_person_metadata: { mailing_address: 'a@example.com' } }, {}],
    ],
    [
      'online_arrangements',
      'additional_cart_metadata[is_abandoned_cart]',
      'true',
      { additional_cart_metadata: { is_abandoned_cart: true } },
      [{ additional_cart_metadata: { is_abandoned_cart: false } }, {}],
    ],
    ...['+14155550190', '(415) 555-0190', '415.555.0190', '1 415 555 0190'].map(
      (asked) =>
        [
          'direct_mail_replies',
          'respondent_person[phone_number1]',
          asked,
          { respondent_person: { phone_number1: '415-555-0190' } },
          [{ respondent_person: { phone_number2: '415-555-0190' } }, {}],
        ] as const,
    ),
    [
      'direct_mail_replies',
      'respondent_person[phone_number2]',
      '4155550191',
      { respondent_person: { phone_number2: '+14155550191' } },
      [{ respondent_person: { phone_number1: '+14155550191' } }],
    ],
    [
      'direct_mail_replies',
      'respondent_person[email_address]',
      'x@example.com',
      { respondent_person: { email_address: 'x@example.com' } },
      [{ respondent_person: { full_name: 'x@example.com' } }],
    ],
    ...[
      { respondent_person: { full_name: 'Olive' } },
      { respondent_person: { email_address: 'o@example.com' } },
      {},
    ].map(
      (meets) =>
        [
          'direct_mail_replies',
          'incomplete',
          'true',
          meets,
          [{ respondent_person: { full_name: 'Olive', phone_number2: '+14155550191' } }],
        ] as const,
    ),
  ];

  for (const [index, [path, filter, asked, meets, others]] of found.entries()) {
    it(`${path}?${filter}=${asked} finds what has that value, and nothing else`, async () => {
      const location = await make('locations', {}, `location ${index}`);
      const event = await make('events', { location_unique_identifier: location }, 'of a filter');
      const parent =
        path === CHECK_INS || path === 'event_administrators'
          ? { event_unique_identifier: event }
          : { location_unique_identifier: location };
      const wanted = await make(path, { ...parent, ...meets });
      for (const other of others) await make(path, { ...parent, ...other });
      assert.deepEqual(identifiers(await list(path, { ...parent, [filter]: asked })), [wanted]);
      const everywhere = await list(path, { [filter]: asked });
      assert.ok(identifiers(everywhere).includes(wanted));
      // What is found is the whole object, as without a filter.
      const { body } = await stage.service.get(`/v1/${path}/${wanted}`);
      assert.deepEqual(everywhere.body.data[0], body);
    });
  }

  it('is proved here for every field that is declared one', () => {
    const proved = new Set(found.map(([path, filter]) => `${path}?${filter}`));
    for (const resource of resources) {
      const own = queryParams(filterMembers(resource)).map(([name]) => name);
      const fields = own.filter(
        (name) =>
          // `corrections.test.ts` proves the filter by proposals.
          !/^(inserted_at|updated_at|external_identifier|proposed$)|_unique_identifier$|\[[gl]te?\]$/.test(
            name,
          ),
      );
      for (const name of fields) assert.ok(proved.has(`${resource.path}?${name}`), name);
    }
  });

  it('finds what is incomplete no more once it is complete, and again when it is not', async () => {
    const path = 'direct_mail_replies';
    const parent = { location_unique_identifier: away };
    const found = async () => identifiers(await list(path, { ...parent, incomplete: 'true' }));
    const wanted = await make(path, { ...parent, respondent_person: { full_name: 'O' } }, 'queued');
    assert.deepEqual(await found(), [wanted]);
    const person = { full_name: 'O', email_address: 'o@example.com' };
    await make(path, { ...parent, respondent_person: person }, 'queued');
    assert.deepEqual(await found(), []);
    await make(path, { ...parent, respondent_person: { full_name: null } }, 'queued');
    assert.deepEqual(await found(), [wanted]);
  });

  it('is met together with all others', async () => {
    const both = { visitor_phone_number: '+14155550172', visitor_email_address: 'v@example.com' };
    const wanted = await make(CHECK_INS, both);
    await make(CHECK_INS, { ...both, visitor_email_address: 'w@example.com' });
    assert.deepEqual(identifiers(await list(CHECK_INS, both)), [wanted]);
  });
});

describe('external_identifier', () => {
  it('finds the record of a caller, under each parent that has one', async () => {
    for (const [path, parent, at] of [
      ['events', 'location_unique_identifier', away],
      [CHECK_INS, 'event_unique_identifier', awayEvent],
      ['event_administrators', 'event_unique_identifier', awayEvent],
      ['online_arrangements', 'location_unique_identifier', away],
      ['direct_mail_replies', 'location_unique_identifier', away],
    ] as const) {
      const external_identifier = 'Case #1041 & more';
      const here = await make(path, {}, external_identifier);
      const there = await make(path, { [parent]: at }, external_identifier);
      assert.deepEqual(identifiers(await list(path, { external_identifier })), [there, here]);
      const one = await list(path, { external_identifier, [parent]: at });
      assert.deepEqual(identifiers(one), [there]);
      const none = await list(path, { external_identifier: 'case #1041 & more' });
      assert.deepEqual(none.body, {
        object: 'list',
        url: `/v1/${path}`,
        has_more: false,
        data: [],
      });
    }
    const found = await list('locations', { external_identifier: 'away' });
    assert.deepEqual(identifiers(found), [away]);
  });
});

describe('A filter on what records belong to', () => {
  it('finds what is below a location, at every depth', async () => {
    for (const path of [
      'events',
      'event_administrators',
      CHECK_INS,
      'online_arrangements',
      'direct_mail_replies',
    ]) {
      const direct = path !== CHECK_INS && path !== 'event_administrators';
      const parent = direct
        ? { location_unique_identifier: away }
        : { event_unique_identifier: awayEvent };
      const wanted = await make(path, parent, 'below');
      await make(path, {}, 'elsewhere');
      const found = await list(path, { location_unique_identifier: away });
      assert.ok(identifiers(found).includes(wanted));
      for (const { location_unique_identifier } of found.body.data)
        assert.equal(location_unique_identifier, away);
      assert.deepEqual(found.body.data, (await list(path, {}, awayOnly)).body.data);
      if (!direct) {
        const of = { event_unique_identifier: awayEvent };
        assert.deepEqual(identifiers(await list(path, of)), identifiers(found));
        const nowhere = { ...of, location_unique_identifier: stage.parents.location };
        assert.deepEqual(identifiers(await list(path, nowhere)), []);
      }
    }
  });

  it('finds the locations of one account', async () => {
    const { service, parents } = stage;
    const { secret } = await service.newKey({ accounts: [parents.account, foreignAccount] });
    const of = (account_unique_identifier: string): Promise<Answer> =>
      list('locations', { account_unique_identifier }, secret);
    assert.deepEqual(identifiers(await of(foreignAccount)), [foreignLocation]);
    assert.ok(!identifiers(await of(parents.account)).includes(foreignLocation));
  });

  it('is 404 where there is no such record or the key may not see it, the same to the letter', async () => {
    const errorOf = ({ status, body }: Answer, param: string): Body => {
      assert.equal(status, 404);
      assert.equal(body.error.param, param);
      return { ...body.error, request_id: undefined };
    };
    const { location, event } = stage.parents;
    for (const [param, path, hidden] of [
      ['location_unique_identifier', 'events', location],
      ['location_unique_identifier', CHECK_INS, location],
      ['location_unique_identifier', 'online_arrangements', foreignLocation],
      ['event_unique_identifier', CHECK_INS, event],
      ['account_unique_identifier', 'locations', foreignAccount],
    ] as const) {
      const missing = errorOf(await list(path, { [param]: `${hidden}y` }, awayOnly), param);
      assert.equal(missing.code, 'resource_missing');
      assert.deepEqual(errorOf(await list(path, { [param]: hidden }, awayOnly), param), missing);
      assert.deepEqual(
        errorOf(await list(path, { [param]: `${hidden}x` }, awayOnly), param),
        missing,
      );
    }
  });

  it('names all that are missing', async () => {
    const query = { event_unique_identifier: 'x', location_unique_identifier: 'y' };
    const answer = await list(CHECK_INS, query);
    assert.deepEqual(faultsOf(answer), [
      ['event_unique_identifier', 'resource_missing'],
      ['location_unique_identifier', 'resource_missing'],
    ]);
  });

  it('lets a key of one resource ask by parents of another, as it may write under them', async () => {
    const { secret } = await stage.service.newKey({ resources: [CHECK_INS] });
    const answer = await list(CHECK_INS, { event_unique_identifier: awayEvent }, secret);
    assert.equal(answer.status, 200);
  });
});

describe('A filter by time', () => {
  /** Events of one location, inserted in this second, in its last millisecond, and in the next. */
  const timed = async (as: string): Promise<{ at: string; ids: string[]; text: string }> => {
    const at = await make('locations', {}, as);
    now += 3_600_000;
    const second = Math.floor(now / 1000) * 1000;
    const ids: string[] = [];
    for (const moment of [second - 1, second, second + 999, second + 1000]) {
      now = moment;
      ids.push(await make('events', { location_unique_identifier: at }));
    }
    return { at, ids, text: `${new Date(second).toISOString().slice(0, 19)}Z` };
  };
  /** Which of the four each comparison finds: times are compared as they are answered. */
  const EDGES: Readonly<Record<string, readonly number[]>> = {
    '': [1, 2],
    '[gte]': [1, 2, 3],
    '[gt]': [3],
    '[lte]': [0, 1, 2],
    '[lt]': [0],
  };

  for (const [bound, expected] of Object.entries(EDGES)) {
    it(`inserted_at${bound} and updated_at${bound} compare the whole seconds that answers show`, async () => {
      const { at, ids, text } = await timed(`timed ${bound}`);
      const wanted = expected.map((index) => ids[index]).reverse();
      for (const name of ['inserted_at', 'updated_at']) {
        const query = { location_unique_identifier: at, [`${name}${bound}`]: text };
        assert.deepEqual(identifiers(await list('events', query)), wanted, name);
      }
    });
  }

  it('takes two ends, any offset, and cuts fractions as upserts do', async () => {
    const { at, ids, text } = await timed('two ends');
    const local = `${new Date(Date.parse(text) + 19_800_000).toISOString().slice(0, 19)}.7+05:30`;
    const query = { location_unique_identifier: at, 'inserted_at[gte]': local };
    const wanted = [ids[2], ids[1]];
    assert.deepEqual(
      identifiers(await list('events', { ...query, 'inserted_at[lte]': text })),
      wanted,
    );
    assert.deepEqual(identifiers(await list('events', { ...query, 'inserted_at[lt]': text })), []);
  });

  it('by updated_at finds what was changed since, and not what an upsert left as it was', async () => {
    const at = await make('locations', {}, 'changed since');
    const json = { location_unique_identifier: at };
    const changed = await make('events', json, 'changed');
    await make('events', json, 'unchanged');
    now += 10_000;
    const since = { ...json, 'updated_at[gte]': `${new Date(now).toISOString().slice(0, 19)}Z` };
    assert.deepEqual(identifiers(await list('events', since)), []);
    await make('events', { ...json, event_name: 'Changed' }, 'changed');
    await make('events', json, 'unchanged');
    assert.deepEqual(identifiers(await list('events', since)), [changed]);
  });

  it('is there on every list, those by name too', async () => {
    const future = { 'inserted_at[gt]': '9999-12-31T23:59:59Z' };
    const past = { 'inserted_at[gt]': '0001-01-01T00:00:00Z' };
    for (const path of ['accounts', 'locations', 'events', CHECK_INS, 'event_administrators']) {
      assert.deepEqual(identifiers(await list(path, future)), []);
      assert.deepEqual(identifiers(await list(path, past)), identifiers(await list(path)));
    }
  });

  it('event_datetime takes ranges, whenever the event was inserted', async () => {
    const at = await make('locations', {}, 'datetimes');
    const json = { location_unique_identifier: at };
    const days = ['2031-01-03', '2031-01-01', '2031-01-02', '0999-01-01'];
    const ids = new Map<string, string>();
    for (const day of days)
      ids.set(day, await make('events', { ...json, event_datetime: `${day}T12:00:00Z` }));
    const found = async (bounds: Record<string, string>): Promise<(string | undefined)[]> => {
      const query = Object.entries(bounds).map(([is, one]) => [`event_datetime[${is}]`, one]);
      return identifiers(await list('events', { ...json, ...Object.fromEntries(query) }));
    };
    const noon = '2031-01-02T07:00:00-05:00';
    const [third, first, second, old] = days.map((day) => ids.get(day));
    assert.deepEqual(await found({ gte: noon }), [second, third]);
    assert.deepEqual(await found({ gt: noon }), [third]);
    assert.deepEqual(await found({ lte: noon }), [old, second, first]);
    assert.deepEqual(await found({ lt: noon, gte: '2031-01-01T12:00:00Z' }), [first]);
  });
});
