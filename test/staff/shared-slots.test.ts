/** Imports, exports and images of one account keep no other account waiting. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { type ConsoleBrowser, OWN, signedIn } from '../support/console.ts';
import { localServer } from '../support/local-server.ts';
import { pluck } from '../support/pluck.ts';
import { sendLargeEvents } from '../support/sent.ts';
import type { Answer, Body, Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';

describe('Of two accounts', () => {
  let other: Service;
  let mine: ConsoleBrowser;
  let theirs: ConsoleBrowser;
  let slow: string;
  const service = served({ settings: { webhook_allow: '127.0.0.1' } }, async () => {
    other = await service.another();
    const of = (one: Service) => ({ accounts: [one.account.unique_identifier] });
    mine = await signedIn(service, 'mine@example.com', of(service));
    theirs = await signedIn(service, 'theirs@example.com', of(other));
    slow = await localServer(() => {});
  });

  /** A request whose answer nobody reads. */
  const unread = (
    path: string,
    by: ConsoleBrowser,
    body: string | Buffer,
    type: string,
    accept = '*/*',
  ) =>
    new Promise<{ status: number; leave: () => void }>((resolve, reject) => {
      const headers = { ...OWN, Cookie: by.cookie ?? '', 'Content-Type': type, Accept: accept };
      const sent = request(`${service.url}/console/api${path}`, { method: 'POST', headers });
      sent.on('response', (answer) =>
        resolve({ status: answer.statusCode ?? 0, leave: () => sent.destroy() }),
      );
      sent.on('error', reject);
      sent.end(body);
    });
  const upload = async (by: ConsoleBrowser, rows: string): Promise<string> =>
    (await by.post('/v1/uploads?name=a.csv', rows)).body.unique_identifier;
  const asked = { resource: 'locations' };
  const look = async (by: ConsoleBrowser): Promise<Answer> => {
    const id = await upload(by, 'location_name,external_identifier\nA,a\n');
    return by.post(`/v1/uploads/${id}/look`, asked);
  };

  it('a file is read while another waits to be told its rejected rows', async () => {
    const rows = `location_name,external_identifier\n${',x\n'.repeat(60_000)}`;
    const readers = [];
    for (const by of [mine, theirs])
      readers.push(
        await unread(
          `/v1/uploads/${await upload(by, rows)}/check`,
          by,
          JSON.stringify(asked),
          'application/json',
          'application/x-ndjson',
        ),
      );
    assert.deepEqual(pluck(readers, 'status'), [200, 200]);
    assert.equal((await look(mine)).status, 200);
    assert.equal((await look(theirs)).status, 200);
    for (const { leave } of readers) leave();
  });

  it('one does not have all exports, however slowly it reads them', async () => {
    for (const one of [service, other])
      await sendLargeEvents(one, await one.location('large'), 1_000);
    const asked = JSON.stringify({ resources: ['events'], format: 'ndjson' });
    const accounts = [service.account.unique_identifier];
    const people = [mine];
    for (const name of ['b', 'c'])
      people.push(await signedIn(service, `${name}@example.com`, { accounts }));
    const exported = [];
    for (const by of people) exported.push(await unread('/exports', by, asked, 'application/json'));
    assert.deepEqual(pluck(exported, 'status'), [200, 200, 429]);
    const free = await unread('/exports', theirs, asked, 'application/json');
    assert.equal(free.status, 200);
    for (const { leave } of [...exported, free]) leave();
  });

  it('one does not have all images, however slow their servers are', async () => {
    const quick = await localServer((_, response) => response.end('no image'));
    const imageOf = async (one: Service, server: string): Promise<string> => {
      const { body } = await one.json('/v1/direct_mail_replies/upsert', {
        location_unique_identifier: await one.location(),
        external_identifier: 'card',
        image_urls: [`${server}/card.jpg`],
      });
      return `/v1/direct_mail_replies/${body.unique_identifier}/images/0`;
    };
    const path = await imageOf(service, slow);
    const gone = new AbortController();
    const statuses: number[] = [];
    const all = Array.from({ length: 80 }, async () => {
      const headers = { Authorization: `Bearer ${service.key}` };
      const answer = await fetch(`${service.url}${path}`, { headers, signal: gone.signal });
      const { error } = (await answer.json()) as Body;
      assert.equal(error.code, 'images_waiting');
      statuses.push(answer.status);
    });
    const settled = Promise.allSettled(all);
    await until(() => statuses.length >= 80 - 2 - 32);
    assert.deepEqual(new Set(statuses), new Set([429]));
    const { body } = await other.get(await imageOf(other, quick));
    assert.equal(body.error.code, 'image_unavailable');
    assert.match(body.error.message, /is not a JPEG/);
    // Whoever goes away leaves the queue, and ends what is fetched for them.
    gone.abort();
    await settled;
    const again = await imageOf(service, quick);
    // A client that has ended its side may still read: that it is gone is known a moment later.
    await until(async () => (await service.get(again)).body.error.code === 'image_unavailable');
  });
});
