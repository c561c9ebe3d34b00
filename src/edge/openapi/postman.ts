/** The interface as a collection for Postman, made from the OpenAPI document: optional parts are switched off, so that each request works unchanged. */
import { isObject, type Json, type JsonObject } from '../../core/schema/values.ts';

/** Variables that the reader fills in, or the first requests. */
const VARIABLES = ['key', 'account', 'location', 'event'] as const;
/** The variable that a path's identifier is, by the path's resource. */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  ...{ accounts: 'account', locations: 'location', events: 'event' },
};
const METHODS = ['get', 'post', 'patch', 'delete'];
const PARENTS = /^(account|location|event)_unique_identifier$/;

/** The first steps, in order; the example of each is sent with these members in place of its own. */
const FIRST: readonly (readonly [
  operation: string,
  body?: JsonObject | undefined,
  keeps?: readonly [variable: string, from: string],
])[] = [
  ['get_me', undefined, ['account', 'accounts[0]']],
  ['list_accounts'],
  [
    'upsert_location',
    {
      ...{ account_unique_identifier: '{{account}}', external_identifier: 'postman' },
      location_name: 'Postman Chapel',
    },
    ['location', 'unique_identifier'],
  ],
  [
    'upsert_event',
    {
      ...{ location_unique_identifier: '{{location}}', external_identifier: 'postman-1' },
      ...{ event_name: 'Celebration of life', event_datetime: '2027-03-20T09:30:00-05:00' },
    },
    ['event', 'unique_identifier'],
  ],
  ['list_events'],
  ['list_changes'],
];

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly content: JsonObject;
}

export function postmanCollection(document: JsonObject, url: string): JsonObject {
  const operations = Object.entries(document.paths as JsonObject).flatMap(([path, item]) =>
    METHODS.flatMap((method): Operation[] => {
      const content = (item as JsonObject)[method];
      return isObject(content) ? [{ method: method.toUpperCase(), path, content }] : [];
    }),
  );
  const request = (operation: Operation, body?: JsonObject): JsonObject => ({
    name: operation.content.summary ?? '',
    request: requestOf(operation, document, body),
  });
  const first = FIRST.flatMap(([id, body, keeps]) => {
    const operation = operations.find(({ content }) => content.operationId === id);
    if (operation === undefined) throw new TypeError(`There is no operation ${id}.`);
    const [variable, from] = keeps ?? [];
    const exec = [`pm.collectionVariables.set('${variable}', pm.response.json().${from});`];
    const event = [{ listen: 'test', script: { type: 'text/javascript', exec } }];
    return [{ ...request(operation, body), ...(keeps && { event }) }];
  });
  const tags = document.tags as JsonObject[];
  return {
    info: {
      name: 'Ledgerstone',
      description:
        'Fill in the variable "key", and send the requests of "Start here" in order. Optional parameters and headers are there and switched off.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'basic',
      basic: [
        { key: 'username', value: '{{key}}', type: 'string' },
        { key: 'password', value: '', type: 'string' },
      ],
    },
    variable: [
      { key: 'url', value: url },
      ...VARIABLES.map((key): JsonObject => ({ key, value: '' })),
    ],
    item: [
      { name: 'Start here', item: first },
      ...tags.map(
        ({ name = '', description = '' }): JsonObject => ({
          ...{ name, description },
          item: operations
            .filter(({ content }) => (content.tags as Json[]).includes(name))
            .map((operation) => request(operation)),
        }),
      ),
    ],
  };
}

function requestOf(
  { method, path, content }: Operation,
  document: JsonObject,
  given?: JsonObject,
): JsonObject {
  const parameters = ((content.parameters ?? []) as JsonObject[]).map((one) =>
    typeof one.$ref === 'string' ? followed(document, one.$ref) : one,
  );
  const of = (where: string): JsonObject[] =>
    parameters
      .filter((one) => one.in === where)
      .map(({ name = '', description = '', required, example }) => ({
        ...{ key: name, value: example === undefined ? '' : String(example), description },
        ...(required === true ? {} : { disabled: true }),
      }));
  const [, , resource = ''] = path.split('/');
  const variable = IDENTIFIERS[resource];
  const query = of('query');
  const enabled = query.filter(({ disabled }) => disabled !== true);
  const words = enabled.map(({ key, value }) => `${key}=${value}`).join('&');
  const named = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const body = given ?? exampleOf(content);
  const type: JsonObject = { key: 'Content-Type', value: 'application/json' };
  return {
    method,
    description: content.description ?? '',
    url: {
      raw: `{{url}}${named}${words === '' ? '' : `?${words}`}`,
      host: ['{{url}}'],
      path: named.slice(1).split('/'),
      query,
      variable: of('path').map(({ disabled: _, ...one }) => ({
        ...one,
        value: variable === undefined ? '' : `{{${variable}}}`,
      })),
    },
    header: [...(body === undefined ? [] : [type]), ...of('header')],
    ...(body !== undefined && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(body, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
  };
}

/** The least that can be sent, with the parents that the first requests have made. */
function exampleOf({ requestBody }: JsonObject): Json | undefined {
  const content = (requestBody as JsonObject | undefined)?.content as JsonObject | undefined;
  const json = content?.['application/json'] as JsonObject | undefined;
  const examples = json?.examples as Readonly<Record<string, JsonObject>> | undefined;
  const { least, ...others } = examples ?? {};
  const [other] = Object.values(others);
  return withParents((least ?? other)?.value ?? json?.example);
}

function withParents(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((one) => withParents(one) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const [, parent] = PARENTS.exec(name) ?? [];
      return [name, parent === undefined ? one : `{{${parent}}}`];
    }),
  );
}

function followed(document: JsonObject, ref: string): JsonObject {
  let found: Json | undefined = document;
  for (const name of ref.slice(2).split('/')) found = (found as JsonObject)[name];
  return found as JsonObject;
}
