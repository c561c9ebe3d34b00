/** A start knows whom nobody is to contact: by keys that were changed, and by what version 1.0 has left. */
// needs: both stores
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { resources } from '../../../src/core/registry.ts';
import { adopt } from '../../../src/features/do-not-contact/serves/adopt.ts';
import { leftBy, marksBy } from '../../support/left-marks.ts';
import { pluck } from '../../support/pluck.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { serviceGround } from '../../support/service-ground.ts';
import { until } from '../../support/until.ts';
import { world } from '../../support/world.ts';

const PATH = '/v1/do_not_contact';

describe('A start', () => {
  const settings = keyed();
  const file = settings.secret_key_file;
  const first = readFileSync(file, 'utf8');
  after(() => writeFileSync(file, first));
  const on = world({ settings, store: serviceGround });
  const asked = async (query: string): Promise<readonly Body[]> =>
    (await on.read(`${PATH}?${query}`)).data;
  const visitor = async (name: string, number: string): Promise<string> =>
    (await on.visit(name, { visitor_phone_number: number })).unique_identifier;
  const says = async (record: string): Promise<boolean> =>
    (await on.read(`/v1/event_check_in_records/${record}?expand[]=do_not_contact`)).do_not_contact;

  it('enters what version 1.0 has left: of records that say whose it is, and hashes of others', async () => {
    const markOf = marksBy(file);
    const [there, removed] = [
      await visitor('There', '+14155550201'),
      await visitor('Removed', '+14155550202'),
    ];
    await on.service.send('DELETE', `/v1/event_check_in_records/${removed}`);
    const left = [
      [there, '+14155550201', 'fup_1'],
      [removed, '+14155550202', 'fup_2'],
      ['ecr_gone', '+14155550203', 'fup_3'],
    ].flatMap(([record = '', number = '', follow_up = '']) =>
      [record, markOf(number)].map((mark) => [on.account, mark, follow_up, record]),
    );
    await on.restart(() => leftBy(on.ground.url, left));
    for (const number of ['4155550201', '4155550202'])
      assert.deepEqual(
        pluck(await asked(`phone_number=${number}`), 'kind', 'source', 'follow_up'),
        [['phone', 'follow_up', number === '4155550201' ? 'fup_1' : 'fup_2']],
      );
    assert.deepEqual(pluck(await asked('phone_number=4155550203'), 'kind', 'value'), [
      ['unknown', null],
    ]);
    for (const end of ['1', '2', '3'])
      assert.equal(await says(await visitor(`Like ${end}`, `+1415555020${end}`)), true, end);
    const count = async () => (await asked('limit=1000')).length;
    const before = await count();
    const [one] = await asked('phone_number=4155550201');
    await on.ok(`${PATH}/${one?.unique_identifier}/lift`, { reason: 'called' }, on.officer);
    await on.restart();
    assert.equal(
      await count(),
      before - 2,
      'what was lifted stays so, and nothing is entered twice',
    );
    assert.equal(await says(there), false);
  });

  it('is followed by what version 1.0 closes so beside it', async () => {
    const record = await visitor('Beside', '+14155550221');
    const mark = marksBy(file)('+14155550221');
    await leftBy(
      on.ground.url,
      [record, mark].map((one) => [on.account, one, 'fup_beside', record]),
    );
    await until(async () => await says(record));
    assert.equal(await says(await visitor('Like beside', '+14155550221')), true);
  });

  it('enters each once, also where several processes start at once', async () => {
    const markOf = marksBy(file);
    const left = Array.from({ length: 40 }, (_, at) => [
      ...[on.account, markOf(`+1415555${4000 + at}`)],
      ...[`fup_at_once_${at}`, `ecr_at_once_${at}`],
    ]);
    await leftBy(on.ground.url, left);
    const { store } = on.service.app;
    const done = await Promise.all([1, 2, 3].map(() => adopt({ store, resources })));
    assert.equal(
      done.reduce((all, one) => all + one, 0),
      left.length,
    );
    for (const at of left.keys()) {
      const found = await asked(`phone_number=415555${4000 + at}`);
      assert.equal(found.length, 1, String(at));
      await on.ok(`${PATH}/${found[0]?.unique_identifier}/lift`, { reason: 'x' }, on.officer);
      assert.deepEqual(await asked(`phone_number=415555${4000 + at}`), []);
    }
    assert.equal(await adopt({ store, resources }), 0, 'what was lifted stays so');
  });

  it('goes on with a new key beside the old one, and is refused without the one that entries need', async () => {
    const record = await visitor('Erased', '+14155550211');
    await on.ok(PATH, { record }, on.officer);
    await on.ok(PATH, { phone_number: '+14155550212' }, on.officer);
    await on.erase(record);
    const second = `${randomBytes(32).toString('base64')}\n`;
    await on.restart(() => writeFileSync(file, second + first));
    assert.equal(await says(await visitor('Again', '+14155550211')), true);
    const late = await visitor('Late', '+14155550212');
    await on.erase(late);
    const [entry] = await asked('phone_number=4155550212');
    assert.equal(entry?.value, null);
    assert.notEqual(
      entry?.hashed_with,
      (await asked('phone_number=4155550211'))[0]?.hashed_with,
      'by the newest key',
    );
    const refusal = /SECRET_KEY_FILE: entries of the register .* are hashes by a key/;
    await assert.rejects(
      on.restart(() => writeFileSync(file, second)),
      refusal,
    );
    await on.restart(() => writeFileSync(file, second + first)).catch(() => {});
  });
});
