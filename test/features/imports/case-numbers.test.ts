/** A case number says which service is meant, at whatever location that is, where it is the only one that the person may see. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resources } from '../../../src/core/registry.ts';
import { externalOf } from '../../../src/core/schema/reference.ts';
import { planImport } from '../../../src/features/imports/serves/plan.ts';
import { MEMBERS } from '../../../src/features/imports/serves/words.ts';
import { bring as bringing, toldIn } from '../../support/bring.ts';
import { counts, filesFolder, rejectedIn, take } from '../../support/importing.ts';
import { pluck } from '../../support/pluck.ts';
import { world } from '../../support/world.ts';

const stage = world();
const files = filesFolder();
let made = 0;

/** All that belongs to something that is not a location. */
const below = resources.filter(({ parent }) => parent?.parent !== undefined && !parent.anchor);

async function service(location: string, external_identifier: string): Promise<string> {
  const { status, body, text } = await stage.service.json('/v1/events/upsert', {
    ...{ location_unique_identifier: location, external_identifier },
    ...{ event_name: 'Funeral', event_datetime: '2027-03-20T10:00:00Z' },
  });
  assert.equal(status, 200, text);
  return body.unique_identifier;
}

/** A file of records below services: by what each is called, the case number in its row. */
function table(path: string, cases: Readonly<Record<string, string>>): string {
  const [resource] = below.filter((one) => one.path === path);
  const [title = ''] = resource?.display.title ?? [];
  const phone = Object.keys(resource?.upsert ?? {}).find((name) => name.endsWith('phone_number'));
  const head = ['external_identifier', title, phone ?? '', 'Case #'].join(',');
  const rows = Object.entries(cases).map(([id, number]) => `${id},Dana,+15555550100,${number}`);
  made += 1;
  return files.write(`${path}.${made}.csv`, [head, ...rows].join('\n'));
}

for (const { path, parent } of below)
  it(`finds the service of ${path}, and asks where several have it`, async () => {
    const { store } = stage.service.app;
    const { account } = stage.parents;
    const [one, two] = [
      await stage.service.location(`${path}-one`),
      await stage.service.location(`${path}-two`),
    ];
    const own = (name: string) => `${path}-${name}`;
    const only = await service(one, own('26-1'));
    const here = await service(one, own('26-2'));
    const there = await service(two, own('26-2'));
    const rows = { a: own('26-1'), b: own('26-2'), c: own('26-3'), d: own('26-1'), e: '' };
    const file = table(path, rows);
    const { run, undecided } = await take(store, account, [file], { resource: path });
    assert.deepEqual(run.counts, counts(2, 0, 0, 3));
    assert.deepEqual(undecided, [own('26-2')]);
    const refused = rejectedIn(run);
    const external = externalOf(parent ?? { name: '', parent: undefined });
    assert.match(refused, new RegExp(`\\n3,"?${external} is the identifier of several records`));
    assert.match(refused, new RegExp(`\\n4,"?${external}: there is no record with this identi`));
    assert.match(refused, /\n6,/);
    for (const [location, event] of [
      [one, here],
      [two, there],
    ] as const) {
      const chosen = { [own('26-2').toUpperCase()]: location };
      const again = await take(store, account, [file], { resource: path, chosen });
      assert.deepEqual(again.run.counts, counts(1, 0, 2, 2));
      const { data } = await stage.read(`/v1/${path}?event_unique_identifier=${event}`);
      assert.deepEqual(pluck(data, 'external_identifier'), ['b']);
    }
    const { data } = await stage.read(`/v1/${path}?event_unique_identifier=${only}`);
    assert.deepEqual(pluck(data, 'external_identifier').sort(), ['a', 'd']);
  });

it('sees no services of others: those of another location leave one that is the only one', async () => {
  const [one, two] = [await stage.service.location('l1'), await stage.service.location('l2')];
  const here = await service(one, 'limited-1');
  await service(two, 'limited-1');
  const limited = await stage.service.newKey({ anchors: [one] } as never);
  const path = 'event_check_in_records';
  const file =
    'external_identifier,visitor_full_name,visitor_phone_number,Case #\nz,Dana,+15555550100,limited-1\n';
  const send =
    (key: string) => (method: string, at: string, body: unknown, headers: Record<string, string>) =>
      stage.service.send(method, at, {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...{ headers, key },
      });
  const check = async (key: string) =>
    toldIn(await bringing(send(key), 'check', { name: 'v.csv', resource: path }, file));
  const whole = await check(stage.service.key);
  assert.deepEqual([whole.counts.failed, whole.undecided], [1, ['limited-1']]);
  const seen = await check(limited.secret);
  assert.deepEqual([seen.counts.created, seen.undecided], [1, undefined]);
  assert.ok(here);
});

it('is not asked for where the file says at which location each row is', async () => {
  const { store } = stage.service.app;
  const { account, location } = stage.parents;
  await service(location, 'told-1');
  const path = table('event_check_in_records', { t1: 'told-1', t2: 'told-2' });
  const set = { location_unique_identifier: location };
  const { run } = await take(store, account, [path], { resource: 'event_check_in_records', set });
  assert.deepEqual(run.counts, counts(1, 0, 0, 1));
  const how = { resources, resource: 'event_check_in_records', remedies: MEMBERS };
  await assert.rejects(planImport([path], how), /no column that says to which service/);
});
