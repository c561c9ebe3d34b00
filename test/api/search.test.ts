/** `/v1/search`: one box for people, over everything that the key may see. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { realPace } from '../../src/core/pace.ts';
import { pluck } from '../support/pluck.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Body, Sent } from '../support/service.ts';
import { served } from '../support/world.ts';

let chapel: string;
let riverside: string;
let event: string;
let jane: string;

const feed = async () => {
  while (await service.app.store.search.feed());
};
const upsert = async (path: string, body: object): Promise<string> => {
  const answer = await service.json(`/v1/${path}/upsert`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.unique_identifier;
};
const visitor = (external_identifier: string, name: string, more: object = {}) =>
  upsert('event_check_in_records', {
    ...visitorBody(event, external_identifier, { visitor_full_name: name }),
    ...{ visitor_phone_number: '+14155550123', ...more },
  });
const search = async (query: string, sent?: Sent): Promise<Body> => {
  const answer = await service.get(`/v1/search?${query}`, sent);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const idsOf = (group: Body) => group.data.map(({ record }: Body) => record.unique_identifier);
/** What is found, by resource. */
const found = async (q: string, sent?: Sent) => {
  const { data } = await search(`q=${encodeURIComponent(q)}`, sent);
  return Object.fromEntries(data.map((group: Body) => [group.resource, idsOf(group)]));
};

// It is indexed when a test says so.
const service = served({ pace: realPace }, async () => {
  chapel = await service.location('chapel');
  riverside = await service.location('riverside');
  const celebration = { event_name: 'Celebration of life', person: { full_name: 'Jonathan Doe' } };
  event = await upsert('events', eventBody(chapel, 'service-1041', celebration));
  jane = await visitor('guest-1', 'Jane Döe', { visitor_email_address: 'Jane@Example.com' });
  await feed();
});

it('groups what it finds by resource, each with the fields that it was found by', async () => {
  const { body, headers } = await service.get('/v1/search?q=doe');
  assert.equal(headers.get('cache-control'), 'no-store');
  const { data, ...rest } = body;
  const index = { status: 'ready', behind_seconds: 0 };
  assert.deepEqual(rest, { object: 'search_result', url: '/v1/search', index });
  assert.deepEqual(
    data.map(({ data, ...group }: Body) => group),
    [
      { object: 'search_group', resource: 'event', has_more: false },
      { object: 'search_group', resource: 'event_check_in_record', has_more: false },
    ],
  );
  const [events, visitors] = data;
  const asRead = await service.get(`/v1/events/${event}`);
  assert.deepEqual(events.data, [
    { record: asRead.body, matches: [{ param: 'person.full_name', value: 'Jonathan Doe' }] },
  ]);
  assert.deepEqual(visitors.data[0].matches, [{ param: 'visitor_full_name', value: 'Jane Döe' }]);
});

it('finds by words of several fields, digits, email address and identifiers', async () => {
  assert.deepEqual(await found('celebration doe'), { event: [event] });
  assert.deepEqual(await found('0123'), { event_check_in_record: [jane] });
  assert.deepEqual(await found('jane@example.COM'), { event_check_in_record: [jane] });
  assert.deepEqual(await found('service-1041'), { event: [event] });
  assert.deepEqual(await found(event), { event: [event] });
  assert.deepEqual(await found(jane), { event_check_in_record: [jane] });
  assert.deepEqual(await found('main street'), { location: [riverside, chapel] });
  assert.deepEqual(await found('nobody'), {});
});

it('forgives a wrong letter in longer words, after what is exactly so, and says which are near', async () => {
  const right = await visitor('near-1', 'Anna Kowalski');
  const other = await visitor('near-2', 'Bert Kowalsky');
  await feed();
  const { data } = await search('q=kowalsky');
  const param = 'visitor_full_name';
  assert.deepEqual(pluck(data[0].data, 'near', 'matches'), [
    [undefined, [{ param, value: 'Bert Kowalsky' }]],
    [true, [{ param, value: 'Anna Kowalski' }]],
  ]);
  assert.deepEqual(idsOf(data[0]), [other, right]);
  assert.deepEqual(await found('Anna Kawalski'), { event_check_in_record: [right] });
  assert.deepEqual(await found('celebretion deo'), {});
  assert.deepEqual(await found('celebretion doe'), { event: [event] });
  const only = await service.newKey({ anchors: [riverside] });
  assert.deepEqual(await found('Anna Kawalski', { key: only.secret }), {});
});

it('puts in what the records belong to', async () => {
  const { data } = await search('q=jane&expand[]=event&expand[]=identifiers');
  const [{ record }] = data[0].data;
  assert.equal(record.event.unique_identifier, event);
  assert.equal(record.identifiers.event_external_identifier, 'service-1041');
});

it('is limited to the requested resources, and to a number of each, newest first', async () => {
  const ids = [];
  for (const name of ['one', 'two', 'three']) ids.unshift(await visitor(name, 'Adam Limit'));
  await feed();
  const { data } = await search('q=limit&limit=2');
  assert.equal(data[0].has_more, true);
  assert.deepEqual(idsOf(data[0]), ids.slice(0, 2));
  const only = await search('q=doe&resource[]=event');
  assert.deepEqual(pluck(only.data, 'resource'), ['event']);
  assert.deepEqual((await search(`q=doe&location=${riverside}`)).data, []);
  assert.equal((await search(`q=doe&location=${chapel}`)).data.length, 2);
  const { unique_identifier: account } = service.account;
  assert.equal((await search(`q=doe&account=${account}`)).data.length, 2);
});

it('shows nothing that the key may not read, and says nothing of it', async () => {
  const only = await service.newKey({ anchors: [riverside] });
  for (const q of ['doe', '0123', 'guest-1', 'jane@example.com', event])
    assert.deepEqual(await found(q, { key: only.secret }), {});
  assert.deepEqual(await found('main', { key: only.secret }), { location: [riverside] });
  const events = await service.newKey({ resources: ['events'] });
  assert.deepEqual(await found('doe', { key: events.secret }), { event: [event] });
  const refused = async (query: string, key: string, status: number) => {
    const answer = await service.get(`/v1/search?q=doe&${query}`, { key });
    assert.equal(answer.status, status, answer.text);
    return answer.body.error;
  };
  await refused('resource[]=event_check_in_record', events.secret, 403);
  await refused('expand[]=location', events.secret, 403);
  assert.equal((await refused(`location=${chapel}`, only.secret, 404)).param, 'location');
  assert.equal((await refused('location=loc_none', service.key, 404)).param, 'location');
});

it('never shows a record that is gone or reads otherwise, however far it is behind', async () => {
  const gone = await visitor('gone', 'Ghost Visitor');
  const renamed = await visitor('renamed', 'Ghost Second');
  await feed();
  assert.equal((await found('ghost')).event_check_in_record.length, 2);
  await service.send('DELETE', `/v1/event_check_in_records/${gone}`);
  await visitor('renamed', 'Real Second');
  assert.deepEqual(await found('ghost'), {});
  const behind = await search('q=ghost');
  assert.equal(behind.index.status, 'ready');
  assert.ok(behind.index.behind_seconds >= 0);
  await feed();
  assert.deepEqual(await found('real second'), { event_check_in_record: [renamed] });
});

it('takes any text, and finds it to the letter or not at all', async () => {
  const odd = await visitor('odd', '山田太郎 “Ōta” O’Neil-Ünal %_*\\');
  await feed();
  for (const q of ['山田', 'ota', 'oneil', "o'neil unal", 'OTA 山']) {
    assert.deepEqual(await found(q), { event_check_in_record: [odd] }, q);
  }
  for (const q of [...'%_*"\'\\', '--', '\u{1f56f}', 'a'.repeat(200), '1 '.repeat(100)])
    assert.deepEqual(await found(q), {}, q);
  assert.ok((await found('j')).event.length > 0);
});

it('finds the same by POST, where no address holds what people type', async () => {
  const asked = { q: 'döe', resource: ['event', 'event_check_in_record'], limit: 1 };
  const answer = await service.json('/v1/search', { ...asked, expand: ['event'], account: null });
  const query = 'q=d%C3%B6e&resource[]=event&resource[]=event_check_in_record&limit=1';
  assert.deepEqual(answer.body, await search(`${query}&expand[]=event`));
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const form = await service.form('/v1/search', new URLSearchParams(query).toString());
  assert.deepEqual(form.body, await search(query));
});

it('finds what people half remember: a name with the end of a number, and words written as one or as two', async () => {
  const names = ['Gail St. Clair', 'Ana de la Cruz', 'Mary Ann Torgerson', 'Ian McDonald'];
  const known = new Map<string, string>();
  for (const [at, name] of names.entries())
    known.set(
      name,
      await visitor(`half-${at}`, name, { visitor_phone_number: `+1217555${8100 + at}` }),
    );
  // Of another person with the name, and of another with the number.
  await visitor('half-other', 'Gail Stone', { visitor_phone_number: '+12175559999' });
  await feed();
  const ofName = (name: string) => name.toLowerCase().replaceAll('.', '').split(' ');
  const misses: string[] = [];
  for (const [at, name] of names.entries()) {
    const words = ofName(name);
    const ways = [
      ...words.map((word) => `${word} ${8100 + at}`),
      `${name} 555-${8100 + at}`,
      ...words.slice(1).map((_, index) => words.slice(index, index + 2).join('')),
      words.slice(1).join(''),
    ].filter((way) => way.length >= 5);
    for (const way of ways) {
      const ids = (await found(way)).event_check_in_record ?? [];
      if (!ids.includes(known.get(name))) misses.push(`${way}: ${name}`);
    }
  }
  assert.deepEqual(misses, []);
  assert.deepEqual((await found('mc donald')).event_check_in_record, [known.get('Ian McDonald')]);
  assert.deepEqual((await found('gail 8100')).event_check_in_record, [known.get('Gail St. Clair')]);
  assert.deepEqual(await found('gail 8101'), {}, 'the number of another');
  const { data } = await search('q=stclair');
  assert.deepEqual(
    [data[0].data[0].near, data[0].data.length],
    [undefined, 1],
    'it is spelt right',
  );
});

it('says that it is being made, until all records are found', async () => {
  const { accounts } = service.app.store;
  const begun = async () => {
    const { unique_identifier } = await accounts.create({ name: 'New Group', livemode: false });
    const { secret } = await service.newKey({ accounts: [unique_identifier] });
    return { secret, status: (await search('q=group', { key: secret })).index.status };
  };
  let { secret, status } = await begun();
  // The service itself may have made it before it was looked at.
  for (let count = 0; count < 20 && status !== 'building'; count++)
    ({ secret, status } = await begun());
  assert.equal(status, 'building');
  await feed();
  const { index, data } = await search('q=group', { key: secret });
  assert.equal(index.status, 'ready');
  assert.equal(data[0].resource, 'account');
  assert.equal(data[0].data[0].record.name, 'New Group');
});
