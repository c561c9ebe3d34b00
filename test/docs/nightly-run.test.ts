/** The script of `docs/bulk.md` that removes what a run did not send: it removes that, and nothing else. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const name = `removes what the run before sent and this one did not, and nothing of others: ${language}`;
  it(name, { skip }, (test) => removesTheRest(test, language));
}

async function removesTheRest(test: TestContext, language: string): Promise<void> {
  const service = await startService();
  test.after(() => service.stop());
  const pieces = pages()
    .filter(({ path }) => path === 'docs/bulk.md')
    .flatMap(({ blocks }) => blocks.filter((block) => block.language === language))
    .map(({ text }) => text);
  const [setUp] = pieces;
  const script = pieces.find((text) => text.includes('sent.json'));
  assert.ok(setUp !== undefined && script !== undefined);
  const folder = ownFolder(test);
  const reader = await createReader(service, folder);
  const sent = join(folder, 'sent.json');

  const { body: found } = await service.get('/v1/locations?expand[]=identifiers');
  const location = found.data.find((one: Body) => one.identifiers.external_identifier === 'L-2');
  const at = location.unique_identifier;
  const listed = async (): Promise<string[]> => {
    const { body } = await service.get(`/v1/events?location_unique_identifier=${at}`);
    return body.data.map((one: Body) => one.external_identifier).sort();
  };
  await service.event(at, 'case-1000');
  // Others have entered a service, and somebody who came to one of ours.
  await service.event(at, 'of others');
  await service.json('/v1/event_administrators/upsert', {
    event_unique_identifier: await service.event(at, 'case-1001'),
    external_identifier: 'of others',
    person_full_name: 'John Doe',
    person_phone_number: '+14155550123',
  });
  writeFileSync(sent, JSON.stringify(['case-1000', 'case-1001', 'case-1041', 'never there']));
  await reader.runProgram(language, [setUp, script]);
  assert.deepEqual(await listed(), ['case-1001', 'case-1041', 'case-1042', 'of others']);
  assert.deepEqual(JSON.parse(readFileSync(sent, 'utf8')), ['case-1041', 'case-1042', 'case-1001']);

  const many = Array.from({ length: 20 }, (_, number) => `case-${number}`);
  writeFileSync(sent, JSON.stringify(many));
  await service.event(at, 'case-7');
  await assert.rejects(reader.runProgram(language, [setUp, script]));
  assert.ok((await listed()).includes('case-7'), 'a short export removes nothing');
}
