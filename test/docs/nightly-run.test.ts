/** The programs of `docs/syncs.md` remove what the source no longer sends, and nothing of others. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isThere, ownFolder } from '../support/cli-program.ts';
import { pages } from '../support/doc-pages.ts';
import { createReader } from '../support/doc-reader.ts';
import { type Body, startService } from '../support/service.ts';

for (const { language, needs } of [
  { language: 'ts', needs: undefined },
  { language: 'python', needs: 'python3' },
]) {
  const skip =
    needs !== undefined && !isThere(needs) && `there is no ${needs} on this machine to run it`;
  const name = `removes what the run before sent and this one did not, and nothing of others: ${language}`;
  it(name, { skip }, () => removesTheRest(language));
}

async function removesTheRest(language: string): Promise<void> {
  const service = await startService();
  const pieces = pages()
    .filter(({ path }) => path === 'docs/syncs.md')
    .flatMap(({ blocks }) => blocks.filter((block) => block.language === language))
    .map(({ text }) => text);
  const { secret: key } = await service.newKey({ name: 'Nightly' });
  const reader = await createReader({ ...service, key }, ownFolder());

  const { body: found } = await service.get('/v1/locations?expand[]=identifiers');
  const location = found.data.find((one: Body) => one.identifiers.external_identifier === 'L-2');
  const at = location.unique_identifier;
  const rows = ['case-1000', 'case-1001'].map((external_identifier) => ({
    ...{ location_unique_identifier: at, external_identifier, event_name: 'Funeral' },
    event_datetime: '2027-03-20T14:30:00Z',
  }));
  await service.json('/v1/events/upsert_many', rows, { key });
  // Others have entered a service, and somebody who came to one of ours.
  await service.event(at, 'of others');
  await service.json('/v1/event_administrators/upsert', {
    ...{
      account_unique_identifier: service.account.unique_identifier,
      location_external_identifier: 'L-2',
    },
    event_external_identifier: 'case-1001',
    external_identifier: 'of others',
    person_full_name: 'John Doe',
    person_phone_number: '+14155550123',
  });
  await reader.runProgram(language, pieces);
  const { body } = await service.get(`/v1/events?location_unique_identifier=${at}`);
  assert.deepEqual(body.data.map((one: Body) => one.external_identifier).sort(), [
    'case-1001',
    'case-1041',
    'case-1042',
    'of others',
  ]);
}
