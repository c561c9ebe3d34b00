/** Lists that hold only what meets their filters, and filters that cannot be read (decisions, "Lists", "All faults at once", "Unknown fields"; docs/pagination.md). */
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
  const other = await service.another();
  foreignAccount = other.account.unique_identifier;
  foreignLocation = await other.location();
});

const list = (path: string, query: Record<string, string> = {}, key?: string): Promise<Answer> =>
  stage.service.get(`/v1/${path}?${new URLSearchParams(query)}`, key === undefined ? {} : { key });
const identifiers = ({ status, body, text }: Answer): string[] => {
  assert.equal(status, 200, text);
  return body.data.map((one: Body) => one.unique_identifier);
};
const make = async (path: string, json: Body, as?: string): Promise<string> =>
  (await stage.made(path, as, json)).unique_identifier;

/** Filters that have tests of their own; that by proposals is proved in corrections.test.ts. */
const ELSEWHERE =
  /^(inserted_at|updated_at|external_identifier|proposed$)|_unique_identifier$|\[[gl]te?\]$/;
const [CHECK_INS, REPLIES] = ['event_check_in_records', 'direct_mail_replies'];
/** What the records of each resource are directly below. */
const UNDER: Readonly<Record<string, 'location' | 'event'>> = {
  ...{ events: 'location', event_administrators: 'event', [CHECK_INS]: 'event' },
  ...{ online_arrangements: 'location', direct_mail_replies: 'location' },
};
const underAway = (path: string): Record<string, string> =>
  UNDER[path] === 'event'
    ? { event_unique_identifier: awayEvent }
    : { location_unique_identifier: away };
describe('A filter on a field', () => {
  /** Values of the field, nothing where it is left out, or all that is sent. */
  type Value = string | boolean | object | undefined;
  const [people, carts, replies] = ['event_administrators', 'online_arrangements', REPLIES];
  const [interest, email] = ['person_interested_in_pre_planning', 'person_email_address'];
  const [person, cart] = [
    'additional_person_metadata',
    'additional_cart_metadata[is_abandoned_cart]',
  ];
  const [phone1, phone2] = ['respondent_person[phone_number1]', 'respondent_person[phone_number2]'];
  const at = 'respondent_person[email_address]';
  const [noon, visitor] = ['2027-01-01T09:30:00-05:00', 'visitor_interested_in_pre_planning'];
  const later = ['2027-01-01T14:30:01Z', '2027-01-01T09:30:00Z'];
  const respondent = (respondent_person: object) => ({ respondent_person });
  const second = respondent({ phone_number2: '415-555-0190' });
  const complete = respondent({ full_name: 'Olive', phone_number2: '+14155550191' });
  const mail = { [person]: { mailing_address: 'a@example.com' } };
  type Found = readonly [
    string,
    filter: string,
    asked: string,
    is: Value,
    others: readonly Value[],
  ];
  const found: readonly Found[] = [
    ['events', 'event_datetime', noon, '2027-01-01T14:30:00.900Z', later],
    [people, 'person_phone_number', '+14155550188', '+14155550188', ['+14155550187']],
    [people, email, 'ZOË+1@Example.com', 'Zoë+1@example.COM', ['zoe+1@example.com', undefined]],
    [people, email, 'ZOË+1@Example.com', 'Zoë+1@example.COM', ['Zoë 1@example.com']],
    ...['true', '1'].map((asked): Found => [people, interest, asked, true, [false, undefined]]),
    [CHECK_INS, 'visitor_phone_number', '+442079460958', '+442079460958', ['+442079460959']],
    [CHECK_INS, 'visitor_email_address', ' Kept as is ', ' kept as is ', ['kept as', undefined]],
    [CHECK_INS, 'visitor_email_address', 'Found by it', ' found by it, ', [undefined]],
    [CHECK_INS, visitor, 'true', true, [false, undefined]],
    [carts, 'person_phone_number', '+14155550189', '+14155550189', [undefined]],
    [carts, `${person}[email_address]`, 'a@example.com', 'A@example.com', [mail, undefined]],
    [carts, cart, 'true', true, [false, undefined]],
    ...['+14155550190', '(415) 555-0190', '415.555.0190', '1 415 555 0190'].map(
      (asked): Found => [replies, phone1, asked, '415-555-0190', [second, undefined]],
    ),
    [
      replies,
      phone2,
      '4155550191',
      '+14155550191',
      [respondent({ phone_number1: '+14155550191' })],
    ],
    [replies, at, 'x@example.com', 'x@example.com', [respondent({ full_name: 'x@example.com' })]],
    ...[{ full_name: 'Olive' }, { email_address: 'o@example.com' }].map(
      (one): Found => [replies, 'incomplete', 'true', respondent(one), [complete]],
    ),
    [replies, 'incomplete', 'true', undefined, [complete]],
  ];
  const sentAs = (filter: string, value: Value): Body => {
    if (value === undefined || typeof value === 'object') return value ?? {};
    const [name = '', member] = filter.split(/[[\]]/);
    return { [name]: member === undefined ? value : { [member]: value } };
  };

  for (const [index, [path, filter, asked, is, others]] of found.entries()) {
    it(`${path}?${filter}=${asked} finds what has that value, and nothing else`, async () => {
      const location = await make('locations', {}, `location ${index}`);
      const event = await make('events', { location_unique_identifier: location }, 'of a filter');
      const parent =
        UNDER[path] === 'event'
          ? { event_unique_identifier: event }
          : { location_unique_identifier: location };
      const wanted = await make(path, { ...parent, ...sentAs(filter, is) });
      for (const other of others) await make(path, { ...parent, ...sentAs(filter, other) });
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
      for (const name of own)
        if (!ELSEWHERE.test(name))
          assert.ok(
            proved.has(`${resource.path}?${name}`),
            `add a row to \`found\` for ${resource.path}?${name}`,
          );
    }
  });

  it('finds what is incomplete no more once it is complete, and again when it is not', async () => {
    const path = REPLIES;
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
    for (const path of Object.keys(UNDER)) {
      const under = underAway(path);
      const external_identifier = 'Case #1041 & more';
      const here = await make(path, {}, external_identifier);
      const there = await make(path, under, external_identifier);
      assert.deepEqual(identifiers(await list(path, { external_identifier })), [there, here]);
      const one = await list(path, { external_identifier, ...under });
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
    for (const path of Object.keys(UNDER)) {
      const parent = underAway(path);
      const direct = UNDER[path] === 'location';
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
      for (const named of [hidden, `${hidden}x`])
        assert.deepEqual(errorOf(await list(path, { [param]: named }, awayOnly), param), missing);
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
    const ended = await list('events', { ...query, 'inserted_at[lte]': text });
    assert.deepEqual(identifiers(ended), [ids[2], ids[1]]);
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

const TIMES = 'inserted_at and updated_at';

describe('A filter that cannot be read is 400', () => {
  const local = 'event_datetime[gte]=2027-01-01T00:00:00';
  const times = 'inserted_at[gte]=yesterday&updated_at[lt]=1';
  const [phone, interest] = ['phone_number1', 'visitor_interested_in_pre_planning'];
  const email = 'respondent_person[email_address]=%00';
  for (const [path, query, ...faults] of [
    ['events', local, ['event_datetime.gte', 'datetime_offset_missing']],
    ['events', 'event_datetime[gte]=', ['event_datetime.gte', 'value_invalid']],
    ['events', 'event_datetime[from]=x', ['event_datetime.from', 'parameter_unknown']],
    [
      'events',
      times,
      ['inserted_at.gte', 'datetime_invalid'],
      ['updated_at.lt', 'datetime_invalid'],
    ],
    [
      REPLIES,
      `respondent_person[${phone}]=555-0123`,
      [`respondent_person.${phone}`, 'phone_number_invalid'],
    ],
    [CHECK_INS, `${interest}=false`, [interest, 'value_invalid']],
    ['online_arrangements', 'order=name', ['order', 'parameter_unknown']],
    [REPLIES, email, ['respondent_person.email_address', 'text_invalid']],
  ] as const)
    it(`${path}?${query}`, async () => {
      const answer = await stage.service.get(`/v1/${path}?${query}`);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults);
    });

  it('says of a field that it is no filter, and which are', async () => {
    const ofEvents = `location_unique_identifier, external_identifier, event_datetime, proposed, ${TIMES}`;
    const name = 'respondent_person[full_name]=x';
    for (const [path, query, named, filters] of [
      ['events', 'event_name=x', 'event_name', ofEvents],
      ['events', 'person[full_name]=x', 'person', 'event_datetime'],
      ['events', 'account_unique_identifier=x', 'account_unique_identifier', 'event_datetime'],
      ['locations', 'name=x', 'name', 'external_identifier'],
      ['locations', 'unique_identifier=x', 'unique_identifier', 'external_identifier'],
      ['accounts', 'name=x', 'name', TIMES],
      [REPLIES, name, 'respondent_person[full_name]', 'respondent_person[phone_number1]'],
    ] as const) {
      const { body } = await stage.service.get(`/v1/${path}?${query}`);
      const { message } = body.error;
      assert.ok(message.startsWith(`${named} is not a parameter here`), message);
      assert.match(message, /not filtered by it/);
      assert.ok(message.includes(filters), message);
    }
  });

  it('names the nearest filter', async () => {
    for (const [path, query, nearest] of [
      [CHECK_INS, 'visitor_phone=x', 'visitor_phone_number'],
      ['events', 'location=x', 'location_unique_identifier'],
      ['events', 'insertedat[gte]=x', 'inserted_at'],
      ['events', 'inserted_at[get]=x', 'inserted_at[gte]'],
      ['events', 'inserted_at.gte=x', 'inserted_at[gte]'],
      [
        'online_arrangements',
        'additional_cart_metadata.is_abandoned_cart=true',
        'additional_cart_metadata[is_abandoned_cart]',
      ],
    ] as const) {
      const { body } = await stage.service.get(`/v1/${path}?${query}`);
      assert.ok(body.error.message.includes(nearest), body.error.message);
    }
  });
});
