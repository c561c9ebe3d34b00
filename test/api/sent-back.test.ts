/** A record that was read and is sent back as it is: each member that is no parameter is told what to do. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resources } from '../../src/core/resources/index.ts';
import { examples, formOf } from '../support/bodies.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();

for (const { path, full } of examples) {
  const resource = resources.find((one) => one.path === path);
  const inside = Object.keys(resource?.public_data ?? {});

  it(`${path}: PATCH and upsert say of every member of an answer what to do with it`, async () => {
    const { external_identifier: _, ...json } = full;
    const made = await stage.made(path, 'sent back', json);
    const one = `/v1/${path}/${made.unique_identifier}`;
    const read: Body = (await stage.service.get(one)).body;

    const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const asJson = { 'Content-Type': 'application/json' };
    for (const [method, to, headers] of [
      ['PATCH', one, asJson],
      ['PATCH', one, asForm],
      ['POST', `/v1/${path}/upsert`, asJson],
    ] as const) {
      const body = headers === asJson ? JSON.stringify(read) : formOf(read);
      const refused = await stage.service.send(method, to, { headers, body });
      assert.equal(refused.status, 400, refused.text);
      const told = new Map<string, string>(
        refused.body.error.errors.map((fault: Body) => [fault.param, fault.message]),
      );
      for (const name of ['object', 'unique_identifier', 'inserted_at', 'updated_at']) {
        assert.match(told.get(name) ?? '', /are set by the service\. Leave them out\.$/);
      }
      // A form cannot say that an object is empty.
      if (read.public_data !== undefined && (headers === asJson || inside.length > 0)) {
        const says = told.get('public_data') ?? '';
        if (inside.length === 0) assert.match(says, /Leave it out\.$/);
        else assert.ok(says.endsWith(`Send them by themselves: ${inside.join(', ')}.`), says);
      }
    }

    const { object, unique_identifier, inserted_at, updated_at, public_data, ...own } = read;
    const followed = await stage.service.patch(one, { ...own, ...public_data });
    assert.deepEqual(faultsOf(followed), []);
    assert.equal(followed.headers.get('ledgerstone-outcome'), 'unchanged', followed.text);
  });
}
