/** Who sends an identifier of another kind is told so, and the same whether there is such a record or not. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventBody } from '../support/sent.ts';
import { joined } from '../support/world.ts';

let location: string;
const service = joined(async () => {
  location = await service.location('riverside');
});

const messageOf = async (path: string): Promise<string> => {
  const { status, body } = await service.get(path);
  assert.equal(status, 404, path);
  return body.error.message;
};

it('an identifier of another kind is told what it should begin with', async () => {
  const none = 'There is no account with this unique_identifier, or you may not see it.';
  const other = await messageOf(`/v1/accounts/${location}`);
  assert.equal(other, `${none} Those of accounts begin with acct_.`);
  assert.equal(await messageOf('/v1/accounts/acct_nothing'), none);
  assert.match(await messageOf(`/v1/events/${location}`), / Those of events begin with evt_\.$/);
});

it("a caller's own identifier is told where it goes, for reads and for parents", async () => {
  const says =
    / Those of locations begin with loc_; your own identifier goes into external_identifier\.$/;
  assert.match(await messageOf('/v1/locations/riverside'), says);
  assert.match(await messageOf('/v1/events?location_unique_identifier=riverside'), says);
  const { body } = await service.json('/v1/events/upsert', eventBody('riverside', 'case-1'));
  assert.match(body.error.message, says);
  assert.equal(body.error.param, 'location_unique_identifier');
});
