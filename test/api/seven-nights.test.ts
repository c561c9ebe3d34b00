/** Two vendors sync each night, a tablet sends by day and staff correct: nobody loses a record, and corrections stay. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import { servicesAt, sevenNights } from '../support/seven-nights.ts';
import { served } from '../support/world.ts';

const clock = { now: Date.now() - 7 * 86_400_000 };
const service = served({ now: () => clock.now });

it('keep seven nights of syncs: each removes its own, and nothing of others', async () => {
  const nights = await sevenNights({ service, clock });
  const { location, passare, parting, synced, corrected, proposed } = nights;
  const there = await servicesAt(service, location);
  const wanted = new Map([...passare, ...parting]);
  // Passare sends them no more, and they stay: a visitor came to one, and staff corrected the other.
  const stayed = new Map([
    ['case-1006', 'Foster service'],
    ['case-1007', 'Moved'],
  ]);
  wanted.set('case-1015', 'Lane service, main chapel');
  const all = [...wanted, ...stayed].filter(([name]) => name !== 'pp-9');
  assert.deepEqual([...there].sort(), all.sort());
  const removed = [{}, { event: 1 }, { event: 1 }, { event: 2 }, {}, {}];
  assert.deepEqual(pluck(synced, 'removed'), removed);
  const left = synced.at(-1)?.sync.left ?? [];
  assert.deepEqual(pluck(left, 'external_identifier', 'reason').sort(), [
    ['case-1006', 'children_of_other'],
    ['case-1007', 'changed_by_other'],
  ]);

  // The value that Passare had before was quiet; the other one is a proposal, once.
  assert.deepEqual(proposed, [0, 0, 0, 0, 1, 1, 1]);
  const [proposal] = (await service.get('/v1/proposals')).body.data;
  assert.deepEqual(
    [proposal.record, proposal.member, proposal.stored, proposal.proposed],
    [corrected.event, 'event_name', 'Lane service, main chapel', 'Lane service, chapel B'],
  );
  const visitor = await service.get(`/v1/event_check_in_records/${corrected.visitor}`);
  assert.equal(visitor.body.visitor_phone_number, '+12175550153');
});
