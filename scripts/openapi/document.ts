/** The OpenAPI 3.1 document, made from the declarations, the catalogue of errors and the rules that apply to all. */

import type { Resource } from '../../src/core/schema/define.ts';
import { headingOf } from '../../src/core/schema/present/words.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import type { Operation } from '../../src/edge/operations/operation.ts';
import { featureTags } from '../../src/features/operations.ts';
import { errorExamples } from './errors.ts';
import { headerParameters, headers } from './headers.ts';
import { notificationParameters, notificationPaths, notificationSchemas } from './notifications.ts';
import { healthPaths } from './operations/health.ts';
import { describedBy, pathsOf, type Schemas } from './operations/operation.ts';
import { describedRecords } from './operations/operations.ts';
import { searchSchemas } from './operations/search.ts';
import { restoreRequest } from './schemas/change-schemas.ts';
import { errorSchemas } from './schemas/error-schemas.ts';
import { manySchemas } from './schemas/many-schemas.ts';
import { refTo } from './schemas/names.ts';
import { ownSchemas } from './schemas/own-schemas.ts';
import { recordSource, resourceSchemas } from './schemas/schemas.ts';
import { sharedResponses } from './shared-responses.ts';

/** The sources of the document, by default the lists of the project. */
export interface DocumentOptions {
  readonly operations?: readonly Operation[] | undefined;
}

const TAGS = [
  { name: 'Search', description: 'Search records of all resources.' },
  { name: 'Changes', description: 'All changes, in order.' },
  {
    name: 'Corrections',
    description: 'Corrections of staff, and the values that sources propose instead.',
  },
  { name: 'Location settings', description: 'Time zone, region and state of locations.' },
  { name: 'Sources', description: 'Senders of records, with all of their API keys.' },
  { name: 'Syncs', description: 'Everything that a source has, sent again.' },
  { name: 'API key', description: 'What the API key of the request may do.' },
  { name: 'Request log', description: 'Refused requests, and counts of all requests.' },
  { name: 'Audit', description: 'Who has seen or done what.' },
  {
    name: 'Erasures',
    description: 'Forget a person who asks for it, for good.',
  },
  ...featureTags,
  { name: 'Health', description: 'Health checks.' },
];

/** `serverUrl` is the address of the service, without a slash at its end. */
export function openapiDocument(
  resources: readonly Resource[],
  serverUrl: string,
  options: DocumentOptions = {},
): object {
  const { operations = operationsOf(resources) } = options;
  const schemas = componentSchemas(resources, serverUrl);
  const paths = {
    ...pathsOf(
      resources.flatMap((resource) => {
        const hasChildren = resources.some(({ parent }) => parent === resource);
        return describedRecords(resource, { serverUrl, hasChildren });
      }),
    ),
    ...pathsOf(operations.map((operation) => describedBy(operation, schemas))),
    ...healthPaths,
  };
  const shared = sharedResponses(paths);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Ledgerstone',
      version: 'v1',
      summary: 'Stores the records of funeral homes that other systems send to it.',
      description: overview(serverUrl),
      contact: { name: 'The operator of this service', url: serverUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ basic: [] }, { bearer: [] }],
    tags: [
      ...resources.map((resource) => ({ name: headingOf(resource), description: resource.says })),
      ...TAGS,
    ],
    paths: shared.paths,
    webhooks: notificationPaths(resources),
    components: {
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'The API key as the username, with an empty password: `curl -u KEY:`.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API key as the token: `Authorization: Bearer KEY`.',
        },
      },
      schemas: withoutConstantFlags(schemas),
      responses: shared.responses,
      parameters: { ...headerParameters, ...notificationParameters },
      headers,
      examples: referredTo(errorExamples(serverUrl), paths),
    },
  };
}

/** The components that operations refer to, by name. */
export function componentSchemas(resources: readonly Resource[], serverUrl: string): Schemas {
  const writable = resources.filter(({ parent }) => parent !== undefined);
  return {
    ...merged(resources.map(resourceSchemas)),
    ...merged(writable.slice(0, 1).map((example) => manySchemas(example, serverUrl))),
    RestoreRequest: restoreRequest,
    RecordSource: recordSource,
    ...searchSchemas(resources),
    ...ownSchemas(resources),
    ...notificationSchemas(resources),
    ...errorSchemas(serverUrl),
  };
}

/** Generators of programs in Python write the constant `true` as a name, which that language lacks: reading it ended the program. */
function withoutConstantFlags(schemas: Schemas): Schemas {
  const text = JSON.stringify(schemas, (_name, value) =>
    value?.type === 'boolean' && value.const !== undefined
      ? { ...value, const: undefined, examples: [value.const] }
      : value,
  );
  return JSON.parse(text) as Schemas;
}

function merged<T>(parts: readonly Record<string, T>[]): Record<string, T> {
  return Object.assign({}, ...parts);
}

/** Picks the examples that the paths refer to. */
function referredTo(examples: Record<string, object>, paths: object): Record<string, object> {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(examples).filter(([name]) => text.includes(`"${refTo('examples', name).$ref}"`)),
  );
}

/** `serverUrl` is where the reference of errors is. */
function overview(serverUrl: string): string {
  return `Ledgerstone stores the records of funeral homes that other systems send to it.

**Upserts.** Every record is created or changed by a POST to a path that ends in \`/upsert\`. A record is identified by its parent's unique identifier and your own \`external_identifier\`. If a record with this pair exists, what you send is merged into it; otherwise it is created. The answer is the whole record, with status 200 either way; the header \`Ledgerstone-Outcome\` says \`created\`, \`updated\` or \`unchanged\`. An upsert is safe to repeat: sending the same body again changes nothing.

**Merging.** What you leave out stays as it is. Objects are merged member by member, free-form content at every depth (RFC 7396). Arrays, texts, numbers and booleans replace what is stored. \`null\` removes an optional member, as does an empty text for an optional text, phone number, date, number or boolean. Required parameters are required in every upsert. Answers omit members without a value; they never hold \`null\`, except within free-form content.

**Changing and removing.** A PATCH to \`/v1/<resource>/{unique_identifier}\` merges like an upsert and has no required parameters. A DELETE removes the record, and what belongs to it only if the query says \`cascade=true\`. \`If-Match\` restricts a write to the version that you know, \`Ledgerstone-Mode\` restricts an upsert to creating or to updating, and \`dry_run=true\` in the query shows what any write would do without changing anything. A write with an \`Idempotency-Key\` can be repeated for 24 hours: it takes effect once, and gets the same answer each time. You can name parents by your own identifiers.

**Reading.** Every resource is listed at \`GET /v1/<resource>\`, page by page, with optional filters, and a single record is read at \`GET /v1/<resource>/{unique_identifier}\`, with its version as \`ETag\`. The parameter \`expand[]\` includes what a record belongs to in the same answer.

**Bodies.** Every upsert takes \`application/json\` and \`application/x-www-form-urlencoded\`, in UTF-8, up to 1 MiB, nested up to 32 levels, of up to 32,768 members or fields and 65,536 members, elements, objects and arrays together. A form writes a member of an object as \`object[member]=…\` and an element of an array as \`array[]=…\` or \`array[0]=…\`; booleans are \`true\`, \`false\`, \`1\` or \`0\`, numbers are decimal digits, and an empty value removes the member. The plus sign of a phone number is percent-encoded as \`%2B\`. In a form, every value of free-form content is text.

**Unknown parameters** are refused, with the nearest known name in the message: nothing you send is dropped silently. The header \`Ledgerstone-Unknown-Fields: ignore\` turns this off for one request.

**Errors** name every fault of a request at once. A path that does not exist is a 404 with the code \`path_unknown\`, a method that a path does not take is a 405 with \`method_not_allowed\` and the header \`Allow\`. Every code is explained at ${serverUrl}/docs/errors.

**Keys.** A key sees the records of its accounts, or of single locations of them; what it may not see does not exist for it. A key that may write gets the merged record back from an upsert or a PATCH, even if it may not read.

**Versions.** \`/v1\` only ever gains things: new endpoints, new optional parameters, new members of answers, new error codes, new values. Ignore fields and values that you do not recognise. What is to go is announced at least twelve months before, by \`Deprecation\` and \`Sunset\` in answers: ${serverUrl}/docs/versioning says what holds, ${serverUrl}/docs/changelog what is new.`;
}
