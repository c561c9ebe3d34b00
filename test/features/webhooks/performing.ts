/** Performs the commands of webhooks. */

import type { Answer, PerformingGround } from '../../support/performing.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';

export async function performs({
  at,
  elsewhere,
  id,
  json,
  key: own,
  visit,
}: PerformingGround): Promise<void> {
  const receiver = await startReceiver();
  const key = elsewhere.length > 0 ? [] : ['--key', own];
  const endpoint = await id('webhooks', 'create', ...key, '--url', receiver.url);
  await json('webhooks', 'list');
  await json('webhooks', 'test', endpoint);
  await visit('notified');
  await receiver.count(2);
  const deliveries = ['webhooks', 'deliveries', endpoint];
  const find = async () =>
    (await at.json<readonly Answer[]>(...deliveries)).find(
      (delivery) => delivery.status === 'delivered' && `${delivery.change}`.startsWith('chg_'),
    );
  await until(async () => (await find()) !== undefined);
  // Both were, the one that `test` has sent, too.
  const sent = () => at.json<readonly Answer[]>(...deliveries);
  await until(async () => (await sent()).every(({ status }) => status === 'delivered'));
  await json(...deliveries);
  await json('webhooks', 'pause', endpoint);
  await json('webhooks', 'show', endpoint);
  await json('webhooks', 'change', endpoint, '--description', 'A desk');
  await json('webhooks', 'resend', endpoint, '--change', `${(await find())?.change}`);
  await json('webhooks', 'replay', endpoint, '--since', '2026-01-20T14:30:00Z');
  await json('webhooks', 'rotate', endpoint);
  await json('webhooks', 'enable', endpoint);
  await json('webhooks', 'delete', endpoint);
}
