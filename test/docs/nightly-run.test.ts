/** The script of `docs/bulk.md` that removes what a run did not send: it removes that, and nothing else. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
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
  const name = `removes what was there before and was not sent, with all that belongs to it: ${language}`;
  it(name, { skip }, (test) => removesTheRest(test, language));
}

async function removesTheRest(test: TestContext, language: string): Promise<void> {
  let now = Date.now() - 3_600_000;
  const service = await startService({ now: () => now });
  test.after(() => service.stop());
  const pieces = pages()
    .filter(({ path }) => path === 'docs/bulk.md')
    .flatMap(({ blocks }) => blocks.filter((block) => block.language === language))
    .map(({ text }) => text);
  const [setUp] = pieces;
  const script = pieces.find((text) => text.includes('updated_at'));
  assert.ok(setUp !== undefined && script !== undefined);
  const reader = await createReader(service, ownFolder(test));

  const { body: found } = await service.get('/v1/locations?expand[]=identifiers');
  const location = found.data.find((one: Body) => one.identifiers.external_identifier === 'L-2');
  const at = location.unique_identifier;
  // Sent again without a change, not sent any more, and written by somebody else since the run began.
  await service.json('/v1/events/upsert', {
    location_unique_identifier: at,
    external_identifier: 'case-1041',
    event_name: 'Celebration of life',
    event_datetime: '2027-03-20T14:30:00Z',
  });
  const old = await service.event(at, 'case-1000');
  await service.json('/v1/event_administrators/upsert', {
    event_unique_identifier: old,
    external_identifier: 'of an old one',
    person_full_name: 'John Doe',
    person_phone_number: '+14155550123',
  });
  const elsewhere = await service.event(await service.location('elsewhere'), 'case-1000');
  now = Date.now() + 60_000;
  await service.event(at, 'case-1043');

  await reader.runProgram(language, [setUp, script]);

  const after = await service.get(`/v1/events?location_unique_identifier=${at}`);
  assert.deepEqual(after.body.data.map((one: Body) => one.external_identifier).sort(), [
    'case-1041',
    'case-1042',
    'case-1043',
  ]);
  assert.equal((await service.get(`/v1/events/${elsewhere}`)).status, 200);
  const administrators = await service.get(
    '/v1/event_administrators?external_identifier=of+an+old+one',
  );
  assert.deepEqual(administrators.body.data, []);
}
