/** A notification is verified in whatever form a runtime or a gateway gives its headers and its body; usual mistakes are said in words. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import {
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from '../../client/src/index.ts';
import { localServer } from '../support/local-server.ts';

const KEY = randomBytes(24);
const SECRET = `whsec_${KEY.toString('base64')}`;
const BODY = '{"type":"event.created","timestamp":"2027-03-20T09:30:00Z","data":{"name":"Đặng 🕊"}}';
const TIME = String(Math.floor(Date.now() / 1000));

const signatureOf = (body: string, key = KEY): string =>
  `v1,${createHmac('sha256', key).update(`msg_1.${TIME}.${body}`).digest('base64')}`;
const headersOf = (body = BODY): Readonly<Record<string, string>> => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': TIME,
  'webhook-signature': signatureOf(body),
});
const renamed = (change: (name: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [change(name), value]));

/** As a server of Node gets them. */
async function incoming(): Promise<Pick<IncomingMessage, 'headers' | 'headersDistinct'>> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const url = await localServer((request, response) => {
    resolve(request);
    response.end();
  });
  await fetch(url, { headers: headersOf() });
  return promise;
}

const { headers, headersDistinct } = await incoming();

describe('headers', () => {
  const forms: Readonly<Record<string, WebhookHeaders>> = {
    lower: headersOf(),
    upper: renamed((name) => name.toUpperCase()),
    'as Go writes them': renamed((name) => name.replace(/(^|-)./g, (part) => part.toUpperCase())),
    mixed: renamed((name) =>
      [...name].map((one, at) => (at % 2 ? one : one.toUpperCase())).join(''),
    ),
    lists: Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [name, [value]])),
    Headers: new Headers(headersOf()),
    'of Node': headers,
    'of Node, each by itself': headersDistinct,
    'without a prototype': Object.assign(Object.create(null), headersOf()),
    'with what is undefined': { ...headersOf(), 'WEBHOOK-ID': undefined, other: undefined },
    'a list of signatures': {
      ...headersOf(),
      'webhook-signature': [signatureOf(BODY, randomBytes(24)), signatureOf(BODY)],
    },
  };
  for (const [form, headers] of Object.entries(forms))
    it(`in the form ${form}`, async () => {
      assert.equal((await verifyWebhook(headers, BODY, SECRET)).type, 'event.created');
    });

  it('that are missing are said by their names', async () => {
    for (const missing of Object.keys(headersOf())) {
      const { [missing]: _, ...rest } = headersOf();
      await assert.rejects(verifyWebhook(rest, BODY, SECRET), {
        name: 'WebhookVerificationError',
        message: `The notification has no header ${missing}.`,
      });
    }
  });
});

describe('a body', () => {
  const bytes = Buffer.from(BODY);
  const within = new Uint8Array(bytes.length + 9);
  within.set(bytes, 5);
  const forms: Readonly<Record<string, string | ArrayBuffer | ArrayBufferView>> = {
    text: BODY,
    Buffer: bytes,
    Uint8Array: new Uint8Array(bytes),
    ArrayBuffer: new Uint8Array(bytes).buffer,
    DataView: new DataView(within.buffer, 5, bytes.length),
    'a part of a buffer': within.subarray(5, 5 + bytes.length),
  };
  for (const [form, body] of Object.entries(forms))
    it(`as ${form}`, async () => {
      assert.equal((await verifyWebhook(headersOf(), body, SECRET)).type, 'event.created');
    });

  it('that begins with a mark of the order of its bytes is what was signed', async () => {
    const marked = Buffer.from(`\ufeff${BODY}`);
    const headers = headersOf(`\ufeff${BODY}`);
    // JSON with such a mark is none, so it is not one of ours; but it was not changed on the way.
    await assert.rejects(verifyWebhook(headers, marked, SECRET), SyntaxError);
    await assert.rejects(verifyWebhook(headersOf(), marked, SECRET), WebhookVerificationError);
  });

  for (const [form, body] of Object.entries({
    parsed: JSON.parse(BODY),
    'an empty object, as of a parser that was not for it': {},
    missing: undefined,
    null: null,
    'a number': 12,
    'a stream': new ReadableStream(),
  }))
    it(`that is ${form} is said in words`, async () => {
      await assert.rejects(verifyWebhook(headersOf(), body as never, SECRET), {
        name: 'WebhookVerificationError',
        message: /^The body is (?:parsed|missing).*express\.raw/,
      });
    });
});

describe('a secret', () => {
  for (const secret of [undefined, null, '', 'whsec_', '   ', 'whsec_%%%'])
    it(`that is ${JSON.stringify(secret)} is said in words`, async () => {
      await assert.rejects(verifyWebhook(headersOf(), BODY, secret as never), {
        name: 'WebhookVerificationError',
        message: /^The secret is empty/,
      });
    });

  it('may end with the line break of its file', async () => {
    assert.equal((await verifyWebhook(headersOf(), BODY, `${SECRET}\n`)).type, 'event.created');
  });

  it('of another endpoint is none', async () => {
    const other = `whsec_${randomBytes(24).toString('base64')}`;
    await assert.rejects(verifyWebhook(headersOf(), BODY, other), WebhookVerificationError);
  });
});
