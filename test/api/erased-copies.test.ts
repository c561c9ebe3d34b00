/** An erasure reaches all that have copies: in the feed, and by every webhook endpoint that gets anything of the resource. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { world } from '../support/world.ts';

const MARK = 'Rumpelstilzchen';

describe('An erasure', () => {
  const on = world({ settings: keyed() });
  const { service, visit } = on;
  const endpoint = (url: string, more: object) =>
    on.ok('/v1/webhook_endpoints', { url, ...more }, on.officer);

  it('is told after the removal, with nothing of the record, and changes nothing else', async () => {
    const { unique_identifier: record } = await visit(`${MARK} Told`);
    const { unique_identifier: removed } = await visit(`${MARK} Removed`);
    await service.send('DELETE', `/v1/event_check_in_records/${removed}`);
    const { position } = (await service.get('/v1/changes?starting_after=now')).body;
    const { unique_identifier: erasure } = await on.erase(record, removed);
    const { data } = (await service.get(`/v1/changes?starting_after=${position}`)).body;
    assert.deepEqual(pluck(data, 'record', 'outcome', 'version', 'erasure', 'location'), [
      [record, 'deleted', 2, undefined, on.location],
      [record, 'erased', 3, erasure, on.location],
      [removed, 'erased', 3, erasure, on.location],
    ]);
    assert.deepEqual([data[1].key, data[1].source, data[1].changed], [null, null, []]);
    const only = await service.get(`/v1/changes?starting_after=${position}&outcome[]=erased`);
    assert.equal(only.body.data.length, 2);
  });

  it('reaches every endpoint that gets anything of the resource, whatever else it asks for', async () => {
    const wanted = {
      ...{ all: ['*'], made: ['event_check_in_record.created'], removals: ['*.deleted'] },
      ...{ events: ['event.*'], proposals: ['proposal.created'], sources: ['*.silent'] },
    };
    const receivers = new Map<string, Awaited<ReturnType<typeof startReceiver>>>();
    for (const [name, notifications] of Object.entries(wanted)) {
      const receiver = await startReceiver();
      receivers.set(name, receiver);
      await endpoint(receiver.url, { notifications });
    }
    const { unique_identifier } = await visit(`${MARK} Reached`);
    await on.erase(unique_identifier);
    await service.patch(`/v1/events/${on.event}`, { event_name: 'the last of all' });
    const typesTo = (name: string): string[] =>
      (receivers.get(name)?.received ?? []).map(({ body }) => body.type);
    const of = (...outcomes: string[]) => outcomes.map((one) => `event_check_in_record.${one}`);
    await until(() => typesTo('events').length > 0 && typesTo('all').length >= 4, 60_000);
    await until(() => typesTo('made').length >= 2 && typesTo('removals').length >= 2, 60_000);
    const all = typesTo('all').filter((type) => type !== 'event.updated');
    assert.deepEqual(all, of('created', 'deleted', 'erased'));
    assert.deepEqual(typesTo('made'), of('created', 'erased'));
    assert.deepEqual(typesTo('removals'), of('deleted', 'erased'));
    assert.deepEqual(typesTo('events'), ['event.updated']);
    assert.deepEqual([typesTo('proposals'), typesTo('sources')], [[], []]);
    for (const receiver of receivers.values()) await receiver.close();
  });
});
