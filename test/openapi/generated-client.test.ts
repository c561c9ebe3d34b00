/** The client that people generate from the OpenAPI document speaks to a running service: its key, its queries, its bodies. */
// needs: --ci
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { compilers, complaints, makeClient, write } from '../support/compile.ts';
import { world } from '../support/world.ts';

const program = `import { createClient, createConfig } from './made/client/index.ts';
import * as our from './made/sdk.gen.ts';

export async function run(baseUrl: string, key: string, account_unique_identifier: string) {
  const client = createClient(createConfig({ baseUrl, auth: key }));
  const location = { account_unique_identifier, external_identifier: 'generated', location_name: 'x' };
  const made = await our.upsertLocation({ client, body: location });
  const unique_identifier = made.data?.unique_identifier ?? '';
  const listed = await our.listLocations({
    client,
    query: {
      external_identifier: 'generated',
      'inserted_at[gte]': '2020-01-01T00:00:00Z',
      'expand[]': ['account', 'identifiers'],
    },
  });
  const many = await our.upsertManyLocations({ client, body: [{ ...location, location_name: 'y' }] });
  const refused = await our.patchLocation({ client, path: { unique_identifier }, body: { location_name: '' } });
  const removed = await our.deleteLocation({ client, path: { unique_identifier } });
  return {
    made: made.data?.external_identifier,
    listed: listed.data?.data.map((one) => [one.name, one.account?.unique_identifier === account_unique_identifier]),
    many: many.data?.data,
    refused: refused.error?.error.errors.map(({ code, param }) => [code, param]),
    removed: removed.data?.deleted,
  };
}
`;

const stage = world();

describe('what @hey-api/openapi-ts makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-generated-'));
  before(async () => {
    await makeClient(folder);
    write(folder, { 'package.json': '{"type":"module"}', 'program.ts': program });
  });
  after(() => rmSync(folder, { recursive: true }));

  it('compiles', async () => {
    const found = await complaints(folder, compilers['TypeScript 7'] ?? '', {
      lib: ['es2022', 'dom', 'dom.iterable'],
      // What it writes to send requests with does not compile under this one.
      exactOptionalPropertyTypes: false,
    });
    assert.deepEqual([...found.values()], []);
  });

  it('writes, finds and removes', async () => {
    const { run } = await import(join(folder, 'program.ts'));
    const { url, key } = stage.service;
    const { many, ...told } = await run(url, key, stage.parents.account);
    assert.deepEqual(told, {
      made: 'generated',
      listed: [['x', true]],
      refused: [['parameter_missing', 'location_name']],
      removed: true,
    });
    assert.deepEqual([many.length, many[0].outcome], [1, 'updated']);
  });
});
