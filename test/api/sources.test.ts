/** Sources: who made a record and who changed it last, across keys; shown, filtered by, renamed and merged. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventBody } from '../support/sent.ts';
import { type Body, joinService, type Service } from '../support/service.ts';
import { refused } from '../support/world.ts';

async function ground() {
  const service = await joinService();
  const make = async (name: string, more = {}) => (await service.newKey({ name, ...more })).secret;
  const passare = await make('Passare', { source: { name: 'Passare' } });
  const tablet = await make('Tablet');
  const location = await service.location('oak');
  const event = (key: string, name: string, event_name = 'A service') => {
    const sent = eventBody(location, name, { event_name });
    return service.json('/v1/events/upsert?expand[]=source', sent, { key });
  };
  return { service, make, passare, tablet, location, event };
}

function names({ source }: Body): readonly (string | null)[] {
  return [source.created_by?.name ?? null, source.changed_by?.name ?? null];
}

async function listed(service: Service, query: string, key = service.key) {
  const { body, text } = await service.get(`/v1/events?${query}`, { key });
  assert.ok(Array.isArray(body.data), text);
  return body.data.map((one: Body) => one.external_identifier).sort();
}

describe('sources', { concurrency: true }, () => {
  it('stand on records beside what was sent, which stays as it was', async () => {
    const { service, passare, tablet, event } = await ground();
    const made = await event(passare, 'one');
    assert.deepEqual(names(made.body), ['Passare', 'Passare']);
    const same = await event(tablet, 'one');
    assert.equal(same.headers.get('ledgerstone-outcome'), 'unchanged');
    assert.deepEqual(names(same.body), ['Passare', 'Passare'], 'what changes nothing is no trace');
    const changed = await event(tablet, 'one', 'Another name');
    assert.deepEqual(names(changed.body), ['Passare', 'Tablet']);
    const path = `/v1/events/${made.body.unique_identifier}`;
    const plain = await service.get(path);
    assert.equal('source' in plain.body, false);
    const shown = await service.get(`${path}?expand[]=source`);
    const { source, ...rest } = shown.body;
    assert.deepEqual([rest, names({ source })], [plain.body, ['Passare', 'Tablet']]);
    const first = await service.get(`${path}?expand[]=source&version=1`);
    assert.deepEqual(names(first.body), ['Passare', 'Tablet'], 'they are those of the record now');
    const many = await service.get('/v1/events?expand[]=source');
    assert.deepEqual(many.body.data.map(names), [['Passare', 'Tablet']]);
    const removed = await service.send('DELETE', path);
    const removal = removed.headers.get('ledgerstone-removal');
    await service.send('POST', `/v1/removals/${removal}/restore`, { key: tablet });
    const back = await service.get(`${path}?expand[]=source`);
    assert.deepEqual(names(back.body), ['Passare', 'Tablet'], 'it is brought back with its source');
  });

  it('stand on rows of arrays, on patches, and in changes and the history', async () => {
    const { service, passare, tablet, location } = await ground();
    const rows = ['a', 'b'].map((external_identifier) => eventBody(location, external_identifier));
    const sent = await service.json('/v1/events/upsert_many', rows, { key: passare });
    assert.equal(sent.status, 200, sent.text);
    const { body } = await service.get('/v1/events?external_identifier=a');
    const [{ unique_identifier: id }] = body.data;
    const path = `/v1/events/${id}?expand[]=source`;
    const patched = await service.patch(path, { event_name: 'Renamed' }, { key: tablet });
    assert.deepEqual(names(patched.body), ['Passare', 'Tablet']);
    const { created_by, changed_by } = patched.body.source;
    const history = await service.get(`/v1/events/${id}/history`, { key: tablet });
    assert.deepEqual(
      history.body.data.map(({ source, key }: Body) => [source, key === null]),
      [
        [changed_by.unique_identifier, false],
        [created_by.unique_identifier, true],
      ],
      'the source is told where the key is not',
    );
    const changes = await service.get('/v1/changes', { key: tablet });
    const last = changes.body.data.at(-1);
    assert.equal(last.source, changed_by.unique_identifier);
  });

  it('limit lists, by identifier and as the caller', async () => {
    const { service, make, passare, tablet, event } = await ground();
    const one = await event(passare, 'one');
    await event(passare, 'two');
    await event(tablet, 'three');
    await event(tablet, 'one', 'Another name');
    const { unique_identifier: id } = one.body.source.created_by;
    assert.deepEqual(await listed(service, `source=${id}`), ['one', 'two']);
    assert.deepEqual(await listed(service, 'source=me', tablet), ['three']);
    assert.deepEqual(await listed(service, 'source=me'), [], 'it has sent no event');
    const silent = await make('Silent');
    assert.deepEqual(await listed(service, 'source=me', silent), []);
    const total = await service.get(`/v1/events?source=${id}&include[]=total&limit=1`);
    assert.deepEqual(total.body.total, { count: 2, more: false });
    const headers = { Accept: 'application/x-ndjson' };
    const rows = await service.get(`/v1/events?source=${id}`, { headers });
    assert.equal(rows.text.trim().split('\n').length, 2, rows.text);
    const unknown = await service.get('/v1/events?source=src_nothing');
    assert.deepEqual([unknown.status, unknown.body.error.param], [404, 'source']);
    const other = await service.another();
    const foreign = await other.get(`/v1/events?source=${id}`);
    assert.equal(foreign.status, 404, 'that of another account is as unknown');
  });

  it('are listed, renamed and merged, and keys are told to those that may know', async () => {
    const { service, make, passare, tablet, event } = await ground();
    const steward = await make('Steward', { allow: ['sources', 'requests'] });
    await event(passare, 'one');
    await event(tablet, 'two');
    const { body } = await service.get('/v1/sources', { key: steward });
    const found = (name: string) => body.data.find((each: Body) => each.name === name);
    const [of, at] = [found('Passare'), found('Tablet')];
    assert.match(of.unique_identifier, /^src_/);
    assert.equal(of.account, service.account.unique_identifier);
    assert.equal(at.keys.length, 1);
    assert.equal('number' in of, false);
    const seen = await service.get('/v1/sources', { key: tablet });
    assert.deepEqual(
      seen.body.data.map((each: Body) => [each.name, each.keys.length]),
      body.data.map((each: Body) => [each.name, each.name === 'Tablet' ? 1 : 0]),
      'other keys are not told',
    );

    const rename = (id: string, name: string) =>
      service.patch(`/v1/sources/${id}`, { name }, { key: steward });
    const renamed = await rename(at.unique_identifier, 'Tablets, Oak Street');
    assert.equal(renamed.body.name, 'Tablets, Oak Street', renamed.text);
    const taken = await rename(at.unique_identifier, 'Passare');
    refused(taken, 400, 'value_invalid', 'name');
    const merge = (id: string, into: string) =>
      service.json(`/v1/sources/${id}/merge`, { into }, { key: steward });
    const itself = await merge(of.unique_identifier, of.unique_identifier);
    refused(itself, 400, itself.body.error.code, 'into');
    const nothing = await merge(of.unique_identifier, 'src_nothing');
    refused(nothing, 404, nothing.body.error.code, 'into');
    const merged = await merge(at.unique_identifier, of.unique_identifier);
    assert.equal(merged.body.name, 'Passare', merged.text);
    assert.equal(merged.body.keys.length, 2);
    const { unique_identifier: id } = of;
    assert.deepEqual(await listed(service, `source=${id}`), ['one', 'two']);
    assert.deepEqual(names((await event(tablet, 'three')).body), ['Passare', 'Passare']);
    assert.equal((await merge(at.unique_identifier, id)).status, 404, 'it is gone');
  });

  it('outlast a key that is rotated', async () => {
    const { service, make, event } = await ground();
    const steward = await make('Steward', { allow: ['sources', 'requests'] });
    const { key, secret } = await service.newKey({ name: 'Old' });
    await event(secret, 'one');
    const next = await service.newKey({ name: 'New', source: { of: key.unique_identifier } });
    const changed = await event(next.secret, 'one', 'Another name');
    assert.deepEqual(names(changed.body), ['Old', 'Old']);
    const { body } = await service.get('/v1/sources', { key: steward });
    const old = body.data.find((each: Body) => each.name === 'Old');
    const keys = [key.unique_identifier, next.key.unique_identifier];
    assert.deepEqual(old.keys.toSorted(), keys.toSorted());
  });
});
