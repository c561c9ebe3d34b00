/** Words of the operations that write one record. */

import { ApiError } from '../../../src/core/errors.ts';
import type { Resource } from '../../../src/core/schema/define.ts';
import type { Members } from '../../../src/core/schema/fields/members.ts';
import { pairPatchParams, parseUpsert } from '../../../src/core/schema/parse/parse.ts';
import { pairRemovalParams } from '../../../src/core/schema/parse/parse-queries.ts';
import type { Json } from '../../../src/core/schema/values.ts';
import { errorExample } from '../errors.ts';
import { kept, newer, outcome, rehearsed, removed, replayed, tagged, timed } from '../headers.ts';
import {
  exampleAnswer,
  exampleChange,
  exampleRemoved,
  exampleRequest,
} from '../schemas/examples.ts';
import { formFields } from '../schemas/form-fields.ts';
import { formEncoding, formExample, hasNamesOfForms } from '../schemas/forms.ts';
import { articled, componentName, refTo } from '../schemas/names.ts';
import { jsonOf } from '../schemas/parts.ts';
import { readSchema } from '../schemas/schemas.ts';
import {
  limitErrors,
  SYNC_ERRORS,
  type Words,
  type WordsOptions,
  WRITE_ERRORS,
} from './operation.ts';

export const writeWords = {
  upsert: upsertWords,
  patch: patchWords,
  patchPair: patchPairWords,
  remove: removeWords,
  removePair: removePairWords,
};

function upsertWords(resource: Resource, { serverUrl }: WordsOptions): Words {
  const { says, parentParam } = resource;
  return {
    summary: `Create or update ${articled(resource)}`,
    description: `${says} It is identified by its \`${parentParam}\` and its \`external_identifier\` together: if a record with this pair exists, the body is merged into it.`,
    headers: [
      ...['Idempotency-Key', 'Ledgerstone-Mode', 'Ledgerstone-Sync', 'Ledgerstone-Instead-Of'],
      ...['If-Match', 'If-None-Match-Any'],
    ],
    requestBody: bodyOf(resource, `${componentName(resource)}Upsert`, requestExamples(resource)),
    answer: written(
      resource,
      'The current record. The header `Ledgerstone-Outcome` says what was done.',
    ),
    errors: [
      ...WRITE_ERRORS,
      'pins_too_many',
      ...(['record_exists', 'record_present'] as const),
      ...SYNC_ERRORS,
      ...limitErrors(resource),
    ],
    errorExamples: {
      400: {
        empty_body: {
          summary: 'An empty object was sent',
          value: emptyBodyError(resource, serverUrl),
        },
      },
    },
  };
}

function patchWords(resource: Resource): Words {
  return {
    ...patchParts(resource),
    summary: `Change ${articled(resource)}`,
    description:
      'Merges the body into the record, by the rules of the upsert. Nothing is required: omitted members stay. The members that identify the record may be repeated, but not changed.',
  };
}

/** The operation on the record that the query names. */
function patchPairWords(resource: Resource): Words {
  return {
    ...patchParts(resource),
    summary: `Change ${articled(resource)} by your own identifier`,
    description:
      'Merges the body into the record with this `external_identifier`. The query names its parent in the same ways as the body of an upsert. Creates nothing.',
    query: namedPair(pairPatchParams(resource)),
  };
}

function patchParts(resource: Resource) {
  const examples = { change: { summary: 'What changes', value: exampleChange(resource) } };
  return {
    headers: ['Idempotency-Key', 'If-Match'],
    requestBody: bodyOf(resource, `${componentName(resource)}Patch`, examples, MERGE_PATCH),
    answer: written(resource, 'The current record.'),
    errors: [...WRITE_ERRORS, 'pins_too_many' as const, ...limitErrors(resource)],
  };
}

function removeWords(resource: Resource, { hasChildren }: WordsOptions): Words {
  return {
    ...removeParts(resource, hasChildren),
    summary: `Remove ${articled(resource)}`,
    description: `Removes the record. It can be restored for as long as the log of changes goes back. Its \`external_identifier\` may be used again, for a record with another \`unique_identifier\`.${hasChildren ? WITH_CHILDREN : ''}`,
  };
}

/** The operation on the record that the query names. */
function removePairWords(resource: Resource, { hasChildren }: WordsOptions): Words {
  return {
    ...removeParts(resource, hasChildren),
    summary: `Remove ${articled(resource)} by your own identifier`,
    description: `Removes the record with this \`external_identifier\`. The other parameters name its parent in the same ways as in an upsert.${hasChildren ? WITH_CHILDREN : ''}`,
    query: namedPair(pairRemovalParams(resource)),
  };
}

const WITH_CHILDREN =
  ' A record that others belong to is removed only together with them, with `cascade=true`.';

function removeParts(
  resource: Resource,
  hasChildren: boolean,
): Omit<Words, 'summary' | 'description'> {
  const children = ['record_has_children', 'children_too_many'] as const;
  return {
    headers: ['Idempotency-Key', 'If-Match'],
    answer: {
      description: 'The record was removed.',
      headers: { ...timed, ...outcome, ...removed, ...rehearsed, ...replayed },
      content: jsonOf(
        refTo('schemas', `${componentName(resource)}Deleted`),
        exampleRemoved(resource),
      ),
    },
    errors: [
      ...[...WRITE_ERRORS, ...(hasChildren ? children : []), 'record_held' as const],
      ...limitErrors(resource),
    ],
  };
}

/** Says that the query must name the record. */
function namedPair(members: Members): Members {
  const { external_identifier } = members;
  if (external_identifier === undefined) return members;
  const needed = { ...external_identifier, required: true, omittable: false };
  return { ...members, external_identifier: needed };
}

type Examples = Readonly<
  Record<string, { readonly summary: string; readonly value: Readonly<Record<string, Json>> }>
>;

const MERGE_PATCH = 'application/merge-patch+json';

function bodyOf(
  resource: Resource,
  component: string,
  examples: Examples,
  ...more: readonly string[]
): object {
  const { params } = resource;
  const schema = refTo('schemas', component);
  return {
    required: true,
    description: bodyDescription(resource),
    content: {
      'application/json': { schema, examples },
      ...Object.fromEntries(more.map((type) => [type, { schema, examples }])),
      'application/x-www-form-urlencoded': {
        schema: hasNamesOfForms(params) ? refTo('schemas', `${component}Form`) : schema,
        ...formEncoding(params),
        examples: asForms(examples, params),
      },
    },
  };
}

function written(resource: Resource, description: string): object {
  return {
    description,
    headers: { ...timed, ...outcome, ...kept, ...newer, ...tagged, ...rehearsed, ...replayed },
    content: jsonOf(readSchema(resource), exampleAnswer(resource)),
  };
}

function requestExamples(resource: Resource): Examples {
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

/** The examples, by the names that a form has. */
function asForms(examples: Examples, params: Members): Examples {
  const written = Object.entries(examples).map(([name, { summary, value }]) => [
    name,
    { summary, value: formExample(value, params) },
  ]);
  return Object.fromEntries(written);
}

/** The real response to an empty object: it names every required parameter. */
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
