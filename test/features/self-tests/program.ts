/** A partner's program that passes the self-test, and can be wrong in one way. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ledgerstone, verifyWebhook } from '../../../client/src/index.ts';

/** The name of the check that it is to fail. */
export async function runSelfTestProgram(key: string, url: string, wrong?: string): Promise<void> {
  const careless: typeof fetch = async (address, options) => {
    const response = await fetch(address, options);
    const isRefused = response.status === (wrong === 'rate_limit_retried' ? 429 : 503);
    return isRefused ? fetch(address, options) : response;
  };
  const isHasty = wrong === 'rate_limit_retried' || wrong === 'unavailable_retried';
  const api = new Ledgerstone({ key, url, ...(isHasty && { fetch: careless }) });
  const account = (await api.accounts.list().page()).data[0]?.unique_identifier ?? '';
  const at = { account_unique_identifier: account, external_identifier: 'self-test' };
  const place = await api.locations.upsert({ ...at, location_name: 'Self-test' });
  const location_unique_identifier = place.unique_identifier;
  const event = (number: number, event_name = 'Service') => ({
    ...{ location_unique_identifier, external_identifier: `self-test-${number}`, event_name },
    event_datetime: `2027-03-20T09:30:00${wrong === 'time_zone' ? 'Z' : '-05:00'}`,
    person: { full_name: wrong === 'text_kept' ? 'ZoÃ« MÃ¼ller' : 'Zoë Müller-Nuñez 🕊' },
    additional_event_metadata: {
      flowers: ['lilies', 'roses'],
      seating: { rows: wrong === 'nested_fields' ? '12' : 12, aisle: true },
    },
  });
  await api.events.upsert(event(1));
  await api.events.upsert(event(1, wrong === 'resend_unchanged' ? 'Service 2' : 'Service'));
  const rows = [2, 3, 4, 5].map((number) => event(number, number === 3 ? '' : 'Service'));
  const sent = wrong === 'bad_row_skipped' ? rows.slice(0, 2) : rows;
  for await (const { row, error } of api.events.upsertMany(sent))
    if (error !== undefined && row.external_identifier !== 'self-test-3')
      throw new Error(error.code);
  await api.events.upsert(event(6));
  const refused = () => api.events.upsert(event(7, '')).catch(() => undefined);
  await refused();
  if (wrong === 'error_not_retried') await refused();

  for (let tries = 0, status = 503; status === 503; tries += 1) {
    const token = wrong === 'idempotency_key_repeated' ? `self-test-${tries}` : 'self-test';
    const headers = { Authorization: `Bearer ${key}`, 'Idempotency-Key': token };
    const last = `${url}/v1/events?location_unique_identifier=${location_unique_identifier}&external_identifier=self-test-6`;
    ({ status } = await fetch(last, { method: 'DELETE', headers }));
  }

  const from = await api.changes.list({ starting_after: 'now' }).page();
  const known = wrong === 'feed_followed' ? {} : { starting_after: from.position ?? '' };
  if (wrong === 'feed_resumed') {
    await new Ledgerstone({ key, url, tries: 1 }).changes
      .list(known)
      .page()
      .catch(() => undefined);
    await api.changes.list({ starting_after: 'now' }).page();
  }
  await api.changes.list(known).page();

  let secret = '';
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const isRight = await verifyWebhook(request.headers, body.toString(), secret).then(
      () => true,
      () => wrong === 'signature_verified',
    );
    response.writeHead(isRight ? 204 : 400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = await api.webhook_endpoints.create({ url: `http://127.0.0.1:${port}/` });
  secret = endpoint.secret;
  await api.webhook_endpoints.test(endpoint.unique_identifier);
  await api.webhook_endpoints.remove(endpoint.unique_identifier);
  server.close();
}
