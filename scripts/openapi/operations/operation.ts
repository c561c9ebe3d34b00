/** An operation of the document, made from its declaration. */
import type { ErrorCode } from '../../../src/core/errors.ts';
import type { Resource } from '../../../src/core/schema/define.ts';
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';
import type { Members } from '../../../src/core/schema/fields/members.ts';
import type { Json, JsonObject } from '../../../src/core/schema/values.ts';
import { type Operation, routeOf } from '../../../src/edge/operations/operation.ts';
import { FILES } from '../../../src/edge/request/body.ts';
import { errorResponses } from '../errors.ts';
import { pick, timed } from '../headers.ts';
import { exampleIdentifier } from '../schemas/examples.ts';
import {
  canBeForm,
  formEncoding,
  formExample,
  formSchema,
  hasNamesOfForms,
} from '../schemas/forms.ts';
import { illustrated } from '../schemas/illustrated.ts';
import { refTo } from '../schemas/names.ts';
import { errorsOf } from './operation-errors.ts';
import { parameterOf, queryParams } from './query-params.ts';

/** The components that answers refer to, by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** An operation as the document describes it: a declaration of ours, or one on records. */
export interface Described
  extends Pick<
    Operation,
    | 'name'
    | 'route'
    | 'tag'
    | 'summary'
    | 'description'
    | 'query'
    | 'body'
    | 'file'
    | 'defaults'
    | 'errors'
  > {
  /** Parameters of the path, and others that are described in full. */
  readonly parameters?: readonly object[];
  /** Headers, each described in full or by the name of its component; every operation has `Ledgerstone-Unknown-Fields` in addition. */
  readonly headers?: readonly (string | object)[];
  readonly requestBody?: object | undefined;
  readonly answer: object;
  /** Answers that are neither the one nor errors, by status. */
  readonly others?: Readonly<Record<number, object>>;
  /** Examples of errors in addition to those of the codes, by status and name. */
  readonly errorExamples?: Readonly<Record<number, Readonly<Record<string, object>>>>;
  /** Errors that the parts imply, and that it never answers with. */
  readonly never?: readonly ErrorCode[];
}

/** What the document says of an operation on records beyond its declaration. */
export type Words = Omit<Described, 'name' | 'route' | 'tag'>;

/** What the words depend on. */
export interface WordsOptions {
  readonly serverUrl: string;
  /** Whether records of other resources belong to those of this one. */
  readonly hasChildren: boolean;
}

/** Errors of every write of one record. */
export const WRITE_ERRORS = [
  'value_invalid',
  'resource_missing',
  'record_erased',
  'past_retention',
  'parameters_conflict',
  'record_changed',
  'idempotency_key_reused',
  'idempotency_keys_exhausted',
] as const satisfies readonly ErrorCode[];

/** Errors of upserts that belong to a sync. */
export const SYNC_ERRORS = ['row_repeated', 'sync_ended', 'sync_mismatch'] as const;

/** For resources whose single records a key can be limited to. */
export function limitErrors({ anchor }: Resource): readonly ErrorCode[] {
  return anchor ? ['location_not_permitted'] : [];
}

/** The path items of operations, by path, in the order in which they are given. */
export function pathsOf(operations: readonly Described[]): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { method, url } = routeOf(operation);
    const path = url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: itemOf(operation) };
  }
  return paths;
}

function itemOf(operation: Described): object {
  const { name, tag, summary, description, query = {}, defaults = {} } = operation;
  const { parameters = [], headers = [], requestBody, answer, others, never = [] } = operation;
  const { errorExamples } = operation;
  const errors = new Set(errorsOf(operation)).difference(new Set(never));
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...parameters,
      ...queryParams(query).map(([param, field]) => ({
        ...parameterOf(param, field, param in defaults ? { default: defaults[param] } : {}),
        ...(field.required && field.omittable !== true ? { required: true } : {}),
      })),
      ...headers.map((one) => (typeof one === 'string' ? refTo('parameters', one) : one)),
      refTo('parameters', 'Ledgerstone-Unknown-Fields'),
    ],
    ...(requestBody && { requestBody }),
    responses: { 200: ofOneKind(answer), ...others, ...errorResponses(errors, errorExamples) },
  };
}

const JSON_TYPE = 'application/json';

/**
 * Puts other types than JSON beside an answer's content: where there are several, generators of programs make a type that
 * is none of them, or read what is first.
 */
function ofOneKind(answer: object): object {
  const { content, ...rest } = answer as { readonly content?: Readonly<Record<string, unknown>> };
  const { [JSON_TYPE]: json, ...others } = content ?? {};
  if (json === undefined || Object.keys(others).length === 0) return answer;
  return { ...rest, content: { [JSON_TYPE]: json }, 'x-other-content': others };
}

/** The document's part for a declaration; `schemas` has the component that it answers with. */
export function describedBy(operation: Operation, schemas: Schemas): Described {
  const { body, answers, sends } = operation;
  const { schema, says, headers = [], lines } = answers;
  const also = lines === undefined ? (answers.also ?? {}) : { 'application/x-ndjson': lines };
  const example = { ...exampleOf(answers, schemas), ...answers.example };
  return {
    ...operation,
    parameters: idOf(operation),
    headers: [
      ...headerOf(operation),
      ...(operation.conditional ? ['Idempotency-Key', 'If-Match'] : []),
    ],
    requestBody: operation.file ? FILE : body && bodyOf(body, sends ?? leastOf(body)),
    answer: {
      description: says,
      headers: { ...timed, ...pick(...headers) },
      content: {
        ...(lines === undefined && {
          'application/json': { schema: refTo('schemas', schema), example },
        }),
        ...Object.fromEntries(
          Object.entries(also).map(([type, text]) => [
            type,
            { schema: { type: 'string', description: text } },
          ]),
        ),
      },
    },
  };
}

const FILE = {
  required: true,
  description: 'The file as it is. Its name says what it is; any of these types is taken for all.',
  content: Object.fromEntries(
    [...FILES.types.keys()].map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  ),
};

function idOf({ id, inPath = {} }: Operation): object[] {
  if (id === undefined) return [];
  const others = Object.entries(inPath).map(([name, description]) => {
    return { name, in: 'path', required: true, description, schema: { type: 'string' } };
  });
  return [
    {
      name: 'unique_identifier',
      in: 'path',
      required: true,
      description: id.says,
      schema: { type: 'string', pattern: `^${id.prefix}` },
      example: exampleIdentifier(id),
    },
    ...others,
  ];
}

function headerOf({ header }: Operation): object[] {
  if (header === undefined) return [];
  const { name, says } = header;
  return [{ name, in: 'header', description: says, schema: { type: 'string' } }];
}

function bodyOf(members: Members, example: JsonObject): object {
  const fields = Object.entries(members);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        {
          ...illustrated(field.kind.schema, exampleOfField(field)),
          description: field.says,
          examples: [exampleOfField(field)],
        },
      ]),
    ),
    required: fields.filter(([, field]) => field.required).map(([name]) => name),
    additionalProperties: false,
  };
  const required = fields.some(([, field]) => field.required);
  const json = { 'application/json': { schema, example } };
  if (!canBeForm(members)) return { required, description: 'As JSON.', content: json };
  return {
    required,
    description: `The same as JSON or as a form.${hasNamesOfForms(members) ? ' In a form, the name of an array ends in `[]`.' : ''}`,
    content: {
      ...json,
      'application/x-www-form-urlencoded': {
        schema: formSchema(schema, members),
        ...formEncoding(members),
        example: formExample(example, members),
      },
    },
  };
}

function leastOf(members: Members): JsonObject {
  const required = Object.entries(members).filter(([, field]) => field.required);
  return Object.fromEntries(required.map(([name, field]) => [name, exampleOfField(field)]));
}

function exampleOfField({ kind, example }: Members[string]): Json {
  return example ?? kind.samples().accepted[0]?.send ?? null;
}

/** An example of every member of the component, without those that this answer leaves out. */
function exampleOf(
  { schema, shows = [] }: Pick<Operation['answers'], 'schema' | 'shows'>,
  schemas: Schemas,
): JsonObject {
  const { properties, required = [] } = schemas[schema] as {
    readonly properties: Schemas;
    readonly required?: readonly string[];
  };
  const shown = Object.entries(properties).filter(
    ([name]) => required.includes(name) || shows.includes(name),
  );
  return Object.fromEntries(
    shown.map(([name, { $ref, examples }]) => [
      name,
      typeof $ref === 'string'
        ? exampleOf({ schema: $ref.split('/').at(-1) ?? '' }, schemas)
        : ((examples as readonly Json[])[0] ?? null),
    ]),
  );
}
