/** Images of mail replies come through the service: asked for by record and index, never by address. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { refused } from '../support/world.ts';

/** The first bytes of a JPEG with that many pixels, and a few more. */
function jpeg(width = 900, height = 600, more = 64): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const app = Buffer.concat([Buffer.from([0xff, 0xe0, 0, 16]), Buffer.alloc(14)]);
  const [start, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];
  return Buffer.concat([start, app, frame, Buffer.alloc(more), end]);
}

describe('Images of a record', () => {
  let service: Service;
  let other: Server;
  let at: string;
  let location: string;
  let asked: string[] = [];
  type Given = { status?: number; headers?: Record<string, string>; body?: Buffer };
  const answers: Record<string, Given> = {
    '/card.jpg': { headers: { 'Content-Type': 'text/html' }, body: jpeg() },
    '/moved.jpg': { status: 302, headers: { Location: '/card.jpg' } },
    '/round.jpg': { status: 302, headers: { Location: '/round.jpg' } },
    '/inside.jpg': { status: 302, headers: { Location: 'http://10.0.0.1/card.jpg' } },
    '/metadata.jpg': { status: 307, headers: { Location: 'http://169.254.169.254/latest' } },
    '/file.jpg': { status: 302, headers: { Location: 'file:///etc/passwd' } },
    '/page.jpg': { body: Buffer.from('<html><script>alert(1)</script>') },
    '/empty.jpg': { body: Buffer.alloc(0) },
    '/cut.jpg': { body: jpeg().subarray(0, 12) },
    '/bomb.jpg': { body: jpeg(60_000, 60_000) },
    '/large.jpg': { body: jpeg(900, 600, 15 * 1_048_576) },
    '/gone.jpg': { status: 404, body: jpeg() },
  };

  before(async () => {
    other = createServer((request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      const { status = 200, headers = {}, body } = answers[path] ?? { status: 404 };
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    at = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    service = await startService({ settings: { webhook_allow: '127.0.0.1' } });
    location = await service.location();
  });
  after(async () => {
    other.closeAllConnections();
    other.close();
  });

  const reply = async (...image_urls: string[]): Promise<string> => {
    const { body } = await service.json('/v1/direct_mail_replies/upsert', {
      location_unique_identifier: location,
      external_identifier: `card-${image_urls.join()}`.slice(0, 200),
      image_urls,
    });
    assert.ok(body.unique_identifier, JSON.stringify(body));
    return `/v1/direct_mail_replies/${body.unique_identifier}/images`;
  };
  /** Why there is no image at that address. */
  const refusal = async (url: string): Promise<string> => {
    const answer = await service.get(`${await reply(url)}/0`);
    refused(answer, 424, 'image_unavailable', 'image_urls.0');
    return answer.body.error.message;
  };

  it('are answered as JPEG and nothing else, whatever their server says that they are', async () => {
    const images = await reply(`${at}/gone.jpg`, `${at}/card.jpg`);
    const answer = await fetch(`${service.url}${images}/1`, {
      headers: { Authorization: `Bearer ${service.key}` },
    });
    assert.equal(answer.status, 200);
    const names = ['content-type', 'x-content-type-options', 'cache-control'];
    const values = names.map((name) => answer.headers.get(name));
    assert.deepEqual(values, ['image/jpeg', 'nosniff', 'no-store']);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), jpeg());
    const moved = await service.get(`${await reply(`${at}/moved.jpg`)}/0`);
    assert.equal(moved.status, 200);
  });

  it('never lead into the network of the operator, not by a redirect either', async () => {
    asked = [];
    const hosts = '10.0.0.1 127.0.0.2 [::1] [::ffff:10.0.0.1] 169.254.169.254 0x7f.2 2130706434';
    const inside = hosts.split(' ').map((host) => `http://${host}/card.jpg`);
    for (const url of [...inside, `${at}/inside.jpg`, `${at}/metadata.jpg`])
      assert.match(await refusal(url), /not public/, url);
    assert.match(await refusal(`${at}/file.jpg`), /must begin with https/);
    assert.match(await refusal(`${at}/round.jpg`), /redirects too often/);
    const first = ['/inside.jpg', '/metadata.jpg', '/file.jpg', '/round.jpg'];
    assert.deepEqual(new Set(asked), new Set(first));
  });

  it('are refused in words where they are none, or too large to be shown', async () => {
    const whys = {
      ...{ page: /is not a JPEG/, empty: /is not a JPEG/, cut: /is a damaged JPEG/ },
      ...{ bomb: /more than 100 megapixels/, large: /larger than 15 MiB/ },
      gone: /answers with status 404/,
    };
    for (const [name, why] of Object.entries(whys))
      assert.match(await refusal(`${at}/${name}.jpg`), why);
    assert.match(await refusal('http://127.0.0.1:9/card.jpg'), /must have the port 80|refused/);
  });

  it('are seen by keys that may read the record, and are there where it has one', async () => {
    const images = await reply(`${at}/card.jpg`);
    const { secret } = await service.newKey({ anchors: [await service.location('elsewhere')] });
    refused(await service.get(`${images}/0`, { key: secret }), 404, 'resource_missing');
    for (const index of ['1', '10', '-1', '00', 'x', '0x0'])
      refused(await service.get(`${images}/${index}`), 404, 'resource_missing');
    assert.equal((await service.get('/v1/events/evt_none/images/0')).status, 404);
  });

  it('are fetched a few at a time', async () => {
    const held: (() => void)[] = [];
    const slow = createServer((_, response) => {
      held.push(() => response.end(jpeg()));
    });
    whenOver(() => {
      slow.closeAllConnections();
      slow.close();
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const images = await reply(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/card.jpg`);
    const asking = Array.from({ length: 30 }, () => service.get(`${images}/0`));
    for (let answered = 0; answered < asking.length; answered++) {
      await until(() => held.length > 0);
      // Whatever else is fetched has begun before a request that comes later is answered.
      await reply(`${at}/card.jpg`);
      assert.ok(held.length <= 4, String(held.length));
      held.shift()?.();
    }
    const all = await Promise.all(asking);
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
  });
});
