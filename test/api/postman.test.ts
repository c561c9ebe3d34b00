/** The collection for Postman works as it is imported: with the key filled in, its first requests succeed in their order. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type Body, joinService, type Service } from '../support/service.ts';

let service: Service;
let collection: Body;
before(async () => {
  service = await (await joinService()).another();
  const answer = await service.get('/postman.json', { key: null });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  collection = answer.body;
});

it('its first requests succeed, as Postman sends them', async () => {
  const values = new Map<string, string>(
    collection.variable.map(({ key, value }: Body) => [key, value]),
  );
  values.set('key', service.key).set('url', service.url);
  const filled = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values.get(name) ?? '');
  const [{ name, item: first }] = collection.item;
  assert.equal(name, 'Start here');
  for (const { name, request, event } of first) {
    const isOn = ({ disabled }: Body) => disabled !== true;
    const headers = Object.fromEntries(
      request.header.filter(isOn).map(({ key, value }: Body) => [key, value]),
    );
    const answer = await service.send(
      request.method,
      filled(request.url.raw).replace(service.url, ''),
      {
        headers,
        key: filled(collection.auth.basic[0].value),
        ...(request.body && { body: filled(request.body.raw) }),
      },
    );
    assert.equal(answer.status, 200, `${name}: ${answer.text}`);
    const pm = {
      response: { json: () => answer.body },
      collectionVariables: { set: (key: string, value: string) => values.set(key, value) },
    };
    for (const { script } of event ?? []) new Function('pm', script.exec.join('\n'))(pm);
  }
  assert.match(values.get('event') ?? '', /^evt_/);
});

it('has every operation once, and sends nothing that is optional', async () => {
  const { body: document } = await service.get('/openapi.json', { key: null });
  const operations = Object.values<Body>(document.paths).flatMap((path) =>
    Object.values<Body>(path).map(({ summary }) => summary),
  );
  const requests = collection.item.slice(1).flatMap(({ item }: Body) => item);
  assert.deepEqual(requests.map(({ name }: Body) => name).sort(), operations.sort());
  for (const { name, request } of requests) {
    const on = request.header.filter(({ disabled }: Body) => disabled !== true);
    assert.ok(
      on.every(({ key }: Body) => key === 'Content-Type'),
      name,
    );
    assert.doesNotMatch(
      request.body?.raw ?? '',
      /"(account|location|event)_unique_identifier": "[a-z]/,
    );
  }
});
