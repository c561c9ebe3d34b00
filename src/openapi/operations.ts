/** The operations of a resource: its upsert and its list. */
import { ApiError } from '../errors.ts';
import type { Resource } from '../schema/define.ts';
import { listParams, MAX_PAGE, parseUpsert } from '../schema/parse.ts';
import { listCodes, upsertCodes } from './codes.ts';
import { errorExample, errorResponses } from './errors.ts';
import { exampleAnswer, exampleList, exampleRequest } from './examples.ts';
import { formFields } from './form-fields.ts';
import { outcome, timed } from './headers.ts';
import { articled, componentName, refTo, tagName } from './names.ts';

/** The path items of a resource, by path. */
export function resourcePaths(resource: Resource, serverUrl: string): Record<string, object> {
  const { path, parent, list } = resource;
  return {
    ...(list === undefined ? {} : { [`/v1/${path}`]: { get: listOperation(resource) } }),
    ...(parent === undefined
      ? {}
      : { [`/v1/${path}/upsert`]: { post: upsertOperation(resource, serverUrl) } }),
  };
}

function upsertOperation(resource: Resource, serverUrl: string): object {
  const { name, says, parentParam } = resource;
  const schema = refTo('schemas', `${componentName(resource)}Upsert`);
  const examples = requestExamples(resource);
  return {
    operationId: `upsert_${name}`,
    tags: [tagName(resource)],
    summary: `Create or update ${articled(resource)}`,
    description: `${says} It is identified by its \`${parentParam}\` and its \`external_identifier\` together: where a record with this pair exists, what is sent is merged into it.`,
    parameters: [refTo('parameters', 'Ledgerstone-Unknown-Fields')],
    requestBody: {
      required: true,
      description: bodyDescription(resource),
      content: {
        'application/json': { schema, examples },
        'application/x-www-form-urlencoded': { schema, encoding: formEncoding(resource), examples },
      },
    },
    responses: {
      200: {
        description:
          'The record as it is now. The header `Ledgerstone-Outcome` says what was done.',
        headers: { ...timed, ...outcome },
        content: {
          'application/json': {
            schema: refTo('schemas', componentName(resource)),
            example: exampleAnswer(resource),
          },
        },
      },
      ...withEmptyBody(errorResponses(upsertCodes(resource)), resource, serverUrl),
    },
  };
}

function listOperation(resource: Resource): object {
  const page = resource.list?.page ?? MAX_PAGE;
  return {
    operationId: `list_${resource.path}`,
    tags: [tagName(resource)],
    summary: `List ${tagName(resource).toLowerCase()}`,
    description: `Lists what the key may see, sorted by ${resource.list?.order}. To walk on, send the last \`unique_identifier\` of a page as \`starting_after\` while \`has_more\` is true.`,
    parameters: [
      ...Object.entries(listParams).map(([name, { kind, says }]) => ({
        name,
        in: 'query',
        description: says,
        schema: name === 'limit' ? { ...kind.schema, default: page } : kind.schema,
      })),
      refTo('parameters', 'Ledgerstone-Unknown-Fields'),
    ],
    responses: {
      200: {
        description: 'One page of records.',
        headers: timed,
        content: {
          'application/json': {
            schema: refTo('schemas', `${componentName(resource)}List`),
            example: exampleList(resource),
          },
        },
      },
      ...errorResponses(listCodes()),
    },
  };
}

function requestExamples(resource: Resource): object {
  const full = exampleRequest(resource, 'full');
  const least = exampleRequest(resource, 'least');
  return {
    full: { summary: 'Every parameter', value: full },
    ...(Object.keys(least).length === Object.keys(full).length
      ? {}
      : { least: { summary: 'What is required', value: least } }),
  };
}

function bodyDescription(resource: Resource): string {
  const names = formFields(exampleRequest(resource, 'full')).map(([name]) => name);
  const bracketed = [...new Set(names.filter((name) => name.includes('[')))];
  return bracketed.length === 0
    ? 'The same parameters as JSON or as a form.'
    : `The same parameters as JSON or as a form. A form writes members and elements with brackets, such as ${bracketed.map((name) => `\`${name}\``).join(', ')}; elements may also be numbered from 0.`;
}

/** What is no scalar is written with brackets. */
function formEncoding({ params }: Resource): object {
  const bracketed = Object.entries(params).filter(([, { kind }]) => !kind.scalar);
  return Object.fromEntries(
    bracketed.map(([name]) => [name, { style: 'deepObject', explode: true }]),
  );
}

/** The responses, with what is really answered to an empty object: every required parameter named. */
function withEmptyBody(
  responses: Record<string, object>,
  resource: Resource,
  serverUrl: string,
): Record<string, object> {
  const answer = responses[400] as { content: { 'application/json': { examples: object } } };
  const { 'application/json': json } = answer.content;
  const examples = {
    empty_body: { summary: 'An empty object was sent', value: emptyBodyError(resource, serverUrl) },
    ...json.examples,
  };
  return {
    ...responses,
    400: { ...answer, content: { 'application/json': { ...json, examples } } },
  };
}

function emptyBodyError(resource: Resource, serverUrl: string): object {
  const params = {
    encoding: 'json',
    body: Buffer.from('{}'),
    query: '',
    unknown: 'refuse',
  } as const;
  try {
    parseUpsert(resource, params);
  } catch (error) {
    if (error instanceof ApiError) return errorExample(error, serverUrl);
    throw error;
  }
  throw new TypeError(`${resource.name} takes an empty body.`);
}
