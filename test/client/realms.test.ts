/** The client takes what another realm has made, such as the window of a runner of tests, as its own. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import { Ledgerstone } from '../../client/src/index.ts';
import { verifyWebhook } from '../../client/src/verify-webhook.ts';

const BODY = '{"type":"event.updated","data":{"object":"change"}}';
const KINDS = {
  'an ArrayBuffer': 'new Uint8Array(bytes).buffer',
  'a Uint8Array': 'new Uint8Array(bytes)',
  'a DataView': 'new DataView(new Uint8Array(bytes).buffer)',
};

for (const [kind, code] of Object.entries(KINDS))
  it(`${kind} as the body of a notification, and as a file`, async () => {
    const made = runInNewContext(code, { bytes: [...Buffer.from(BODY)] });
    const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, no?').toString('base64')}`;
    const at = new Date();
    const headers = {
      'webhook-id': 'chg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('chg_1', at, BODY),
    };
    assert.equal((await verifyWebhook(headers, made, secret)).type, 'event.updated');
    const sent: unknown[] = [];
    const fetch = async (_: unknown, { body }: RequestInit = {}) => {
      sent.push(body);
      return new Response('{"object":"upload"}');
    };
    const api = new Ledgerstone({ key: 'sk_test_x', url: 'http://localhost', fetch });
    await api.uploads.create(made, { name: 'a file.csv' });
    assert.deepEqual(sent, [made]);
  });

it('the error of a connection, with its cause', async () => {
  const fetch = async () => {
    throw runInNewContext(
      "const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }); new TypeError('fetch failed', { cause })",
    );
  };
  const api = new Ledgerstone({ key: 'sk_test_x', url: 'http://localhost', fetch, tries: 1 });
  await assert.rejects(api.accounts.list().page(), {
    code: 'connection_failed',
    message: /could not be reached: connect ECONNREFUSED$/,
  });
});
