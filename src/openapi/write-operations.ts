/** The operations that write one record of a resource. */
import { ApiError, type ErrorCode } from '../errors.ts';
import type { Resource } from '../schema/define.ts';
import type { Members } from '../schema/fields/members.ts';
import { identityParams } from '../schema/named-pair.ts';
import { parseUpsert, recordWriteParams } from '../schema/parse.ts';
import { removalParams } from '../schema/parse-removal.ts';
import { deletionCodes, pairCodes, patchCodes, upsertCodes } from './codes.ts';
import { errorExample, errorResponses } from './errors.ts';
import { exampleAnswer, exampleChange, exampleRemoved, exampleRequest } from './examples.ts';
import { formFields } from './form-fields.ts';
import { outcome, rehearsed, removed, replayed, tagged, timed } from './headers.ts';
import { articled, componentName, refTo, tagName } from './names.ts';
import { identifierInPath, parameterOf, queryParams } from './query-params.ts';
import { readSchema } from './schemas.ts';

export function upsertOperation(resource: Resource, serverUrl: string): object {
  const { name, says, parentParam } = resource;
  return {
    operationId: `upsert_${name}`,
    tags: [tagName(resource)],
    summary: `Create or update ${articled(resource)}`,
    description: `${says} It is identified by its \`${parentParam}\` and its \`external_identifier\` together: where a record with this pair exists, what is sent is merged into it.`,
    parameters: [
      ...queryOf(recordWriteParams(resource)),
      refTo('parameters', 'Idempotency-Key'),
      refTo('parameters', 'Ledgerstone-Mode'),
      refTo('parameters', 'If-Match'),
      refTo('parameters', 'If-None-Match-Any'),
      refTo('parameters', 'Ledgerstone-Unknown-Fields'),
    ],
    requestBody: bodyOf(resource, `${componentName(resource)}Upsert`, requestExamples(resource)),
    responses: {
      200: written(
        resource,
        'The record as it is now. The header `Ledgerstone-Outcome` says what was done.',
      ),
      ...withEmptyBody(errorResponses(upsertCodes(resource)), resource, serverUrl),
    },
  };
}

export function patchOperation(resource: Resource): object {
  return {
    operationId: `patch_${resource.name}`,
    tags: [tagName(resource)],
    summary: `Change ${articled(resource)}`,
    description:
      'Merges what is sent into the record, by the rules of the upsert, and needs nothing: what is left out stays. What identifies the record may be repeated and cannot be changed.',
    ...patchParts(resource, [identifierInPath(resource)], patchCodes(resource)),
  };
}

/** The same, of the record that the query names. */
export function pairPatchOperation(resource: Resource): object {
  return {
    operationId: `patch_${resource.name}_by_external_identifier`,
    tags: [tagName(resource)],
    summary: `Change ${articled(resource)} by your own identifier`,
    description:
      'Merges the body into the one record with this `external_identifier` under what the other parameters name, which is said in the same ways as in an upsert, but in the query. Creates none.',
    ...patchParts(resource, identityOf(resource), pairCodes(resource, patchCodes(resource))),
  };
}

function patchParts(
  resource: Resource,
  which: readonly object[],
  codes: ReadonlySet<ErrorCode>,
): object {
  const examples = { change: { summary: 'What changes', value: exampleChange(resource) } };
  return {
    parameters: [
      ...which,
      ...queryOf(recordWriteParams(resource)),
      refTo('parameters', 'Idempotency-Key'),
      refTo('parameters', 'If-Match'),
      refTo('parameters', 'Ledgerstone-Unknown-Fields'),
    ],
    requestBody: bodyOf(resource, `${componentName(resource)}Patch`, examples, MERGE_PATCH),
    responses: {
      200: written(resource, 'The record as it is now.'),
      ...errorResponses(codes),
    },
  };
}

/** `hasChildren` tells whether records of other resources belong to those of this one. */
export function removeOperation(resource: Resource, hasChildren: boolean): object {
  return {
    operationId: `delete_${resource.name}`,
    tags: [tagName(resource)],
    summary: `Remove ${articled(resource)}`,
    description: `Removes the record. Its content stays in the log of changes for as long as that goes back, and can be restored until then. Its \`external_identifier\` may be used again, for a record with another \`unique_identifier\`.${hasChildren ? ' A record that others belong to is only removed with all of them, where the query says `cascade=true`.' : ''}`,
    parameters: [
      identifierInPath(resource),
      ...queryOf(removalParams),
      refTo('parameters', 'Idempotency-Key'),
      refTo('parameters', 'If-Match'),
      refTo('parameters', 'Ledgerstone-Unknown-Fields'),
    ],
    responses: removedResponses(resource, deletionCodes(resource, hasChildren)),
  };
}

/** The same, of the record that the query names. */
export function pairRemoveOperation(resource: Resource, hasChildren: boolean): object {
  return {
    operationId: `delete_${resource.name}_by_external_identifier`,
    tags: [tagName(resource)],
    summary: `Remove ${articled(resource)} by your own identifier`,
    description: `Removes the one record with this \`external_identifier\` under what the other parameters name, which is said in the same ways as in an upsert.${hasChildren ? ' A record that others belong to is only removed with all of them, where the query says `cascade=true`.' : ''}`,
    parameters: [
      ...identityOf(resource),
      ...queryOf(removalParams),
      refTo('parameters', 'Idempotency-Key'),
      refTo('parameters', 'If-Match'),
      refTo('parameters', 'Ledgerstone-Unknown-Fields'),
    ],
    responses: removedResponses(
      resource,
      pairCodes(resource, deletionCodes(resource, hasChildren)),
    ),
  };
}

function removedResponses(resource: Resource, codes: ReadonlySet<ErrorCode>): object {
  return {
    200: {
      description: 'The record is gone.',
      headers: { ...timed, ...outcome, ...removed, ...rehearsed, ...replayed },
      content: {
        'application/json': {
          schema: refTo('schemas', `${componentName(resource)}Deleted`),
          example: exampleRemoved(resource),
        },
      },
    },
    ...errorResponses(codes),
  };
}

/** Who the record is, in the query. */
function identityOf(resource: Resource): object[] {
  return Object.entries(identityParams(resource)).map(([name, field]) => ({
    ...parameterOf(name, field),
    ...(name === 'external_identifier' ? { required: true } : {}),
  }));
}

function queryOf(members: Members): object[] {
  return queryParams(members).map(([name, field]) => parameterOf(name, field));
}

const MERGE_PATCH = 'application/merge-patch+json';

function bodyOf(
  resource: Resource,
  component: string,
  examples: object,
  ...more: readonly string[]
): object {
  const schema = refTo('schemas', component);
  return {
    required: true,
    description: bodyDescription(resource),
    content: {
      'application/json': { schema, examples },
      ...Object.fromEntries(more.map((type) => [type, { schema, examples }])),
      'application/x-www-form-urlencoded': { schema, encoding: formEncoding(resource), examples },
    },
  };
}

function written(resource: Resource, description: string): object {
  return {
    description,
    headers: { ...timed, ...outcome, ...tagged, ...rehearsed, ...replayed },
    content: {
      'application/json': {
        schema: readSchema(resource),
        example: exampleAnswer(resource),
      },
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
