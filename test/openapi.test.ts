/** The OpenAPI document is valid, its examples are what it describes, and it leaves nothing out. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openapiDocument } from '../scripts/openapi/document.ts';
import { exampleRequest } from '../scripts/openapi/schemas/examples.ts';
import { formFields } from '../scripts/openapi/schemas/form-fields.ts';
import { ownObjects } from '../scripts/own-tables.ts';
import { staffErrors } from '../src/core/errors/staff.ts';
import { catalogue } from '../src/core/errors.ts';
import { resources } from '../src/core/resources/index.ts';
import { equalJson, stringify } from '../src/core/schema/json/json.ts';
import { parseUpsert } from '../src/core/schema/parse/parse.ts';
import type { JsonObject } from '../src/core/schema/values.ts';
import { featureNotifications } from '../src/features/declares.ts';
import { describedBy, type Operation, operationsOf } from './support/openapi.ts';
import type { Body } from './support/service.ts';
import { startWithRoutes } from './support/service-routes.ts';

const document = JSON.parse(
  JSON.stringify(openapiDocument(resources, 'https://records.example.com')),
);
const operations = operationsOf(document);
const validate = describedBy(document);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors));
    assert.match(document.openapi, /^3\.1\./);
  });

  it('describes every endpoint of the specification, and every other route of the service, once', async () => {
    const { routes, service } = await startWithRoutes();
    await service.stop();
    const served = routes
      .filter(({ method, url }) => method !== 'HEAD' && /^\/(?:v1\/|healthz|readyz)/.test(url))
      .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
    const described = operations.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(described.toSorted(), served.toSorted());
    for (const { path, parent } of resources)
      for (const route of [
        ...[`GET /v1/${path}`, `GET /v1/${path}/{unique_identifier}`],
        ...(parent === undefined ? [] : [`POST /v1/${path}/upsert`]),
      ])
        assert.ok(described.includes(route), route);
  });

  it('says of every error code which operations may answer with it', () => {
    const documented = new Set(operations.flatMap(({ codes }) => [...codes]));
    const elsewhere = ['path_unknown', 'method_not_allowed'];
    // The console is no part of the document.
    const ofConsole = Object.keys(staffErrors);
    assert.deepEqual(
      [...documented, ...elsewhere, ...ofConsole].sort(),
      Object.keys(catalogue).sort(),
    );
    for (const code of elsewhere) assert.ok(document.info.description.includes(code));
  });

  it('takes null for every member of an object that can be null', () => {
    for (const { typeName, views } of ownObjects)
      for (const { name, field } of views.api)
        if (field.nullable && !field.leftOut) {
          const member = document.components.schemas[typeName]?.properties[name];
          if (member !== undefined) validate(member, null);
        }
  });

  it('shows each error of a parameter that there is', () => {
    const named = new Set(
      Array.from(
        JSON.stringify(document).matchAll(/"(\w+)":|"name":"(\w+)"/g),
        ([, one, other]) => one ?? other,
      ),
    );
    for (const [code, { value }] of Object.entries<Body>(document.components.examples))
      for (const name of value?.error?.param?.split('.') ?? [])
        assert.ok(named.has(name), `${code}: ${name}`);
  });

  it('calls what it is about as people do', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const said = JSON.stringify(methods);
      assert.doesNotMatch(said, /\b(?:follow up|self test|check in|the do not contact)\b/, path);
    }
  });

  it('leads every error to the page of this address', () => {
    const { parameter_missing } = document.components.examples;
    assert.equal(
      parameter_missing.value.error.doc_url,
      'https://records.example.com/docs/errors#parameter_missing',
    );
  });
});

describe('the notifications of the OpenAPI document', () => {
  it('are those of every outcome of every resource, the signal and the test, each with an example', () => {
    const outcomes = ['created', 'updated', 'deleted', 'restored', 'erased'];
    assert.deepEqual(Object.keys(document.webhooks), [
      ...['created', 'updated', 'wiped'].map((outcome) => `account.${outcome}`),
      ...resources
        .filter(({ parent }) => parent !== undefined)
        .flatMap(({ name }) => outcomes.map((outcome) => `${name}.${outcome}`)),
      'proposal.created',
      ...featureNotifications.flatMap(({ of, states }) =>
        Object.keys(states).map((state) => `${of}.${state}`),
      ),
      ...['webhook_endpoint.test'],
    ]);
    for (const [type, { post }] of Object.entries<Body>(document.webhooks)) {
      const { schema, example } = post.requestBody.content['application/json'];
      assert.equal(example.type, type);
      validate(schema, example);
      assert.throws(() => validate(schema, { ...example, type: 'event.lost' }));
    }
  });
});

for (const operation of operations) {
  describe(`${operation.method} ${operation.path}`, () => {
    it('has examples that its schemas accept', () => {
      assert.ok(operation.examples.length > 0);
      for (const { schema, value } of operation.examples) validate(schema, value);
    });

    it('says how to authenticate, unless it takes no key', () => {
      const open = !operation.path.startsWith('/v1/');
      assert.deepEqual(securityOf(operation), open ? [] : ['basic', 'bearer']);
    });
  });
}

function securityOf({ security }: Operation): string[] {
  return (security ?? document.security).flatMap((one: object) => Object.keys(one));
}

describe('the examples of requests', () => {
  for (const resource of resources.filter(({ parent }) => parent !== undefined)) {
    for (const which of ['full', 'least'] as const) {
      it(`${resource.path}, ${which}: say the same as JSON and as a form`, () => {
        const body = exampleRequest(resource, which);
        const form = new URLSearchParams(formFields(body)).toString();
        const byJson = parse(resource, 'json', stringify(body));
        const byForm = parse(resource, 'form', form);
        assert.ok(
          equalJson(textual(byJson), textual(byForm)),
          `${stringify(byJson)} and ${stringify(byForm)}`,
        );
      });
    }
  }
});

function parse(
  resource: (typeof resources)[number],
  encoding: 'json' | 'form',
  text: string,
): JsonObject {
  const { patch } = parseUpsert(resource, {
    encoding,
    body: Buffer.from(text),
    query: '',
    unknown: 'refuse',
  });
  return patch;
}

/** As a form has it: numbers and booleans within free-form content are texts there. */
function textual(value: JsonObject): JsonObject {
  return JSON.parse(stringify(value), (_key, one) =>
    typeof one === 'object' ? one : String(one),
  ) as JsonObject;
}
