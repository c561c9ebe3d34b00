/** The OpenAPI 3.1 document, made from the declarations, the catalogue of errors and the rules that apply to all. */

import type { Resource } from '../../src/core/schema/define.ts';
import { type Deprecation, deprecations } from '../../src/core/schema/present/deprecations.ts';
import { headingOf } from '../../src/core/schema/present/words.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import type { Operation } from '../../src/edge/operations/operation.ts';
import { marked } from './deprecated.ts';
import { errorExamples } from './errors.ts';
import { headerParameters, headers } from './headers.ts';
import { notificationParameters, notificationPaths, notificationSchemas } from './notifications.ts';
import { healthPaths } from './operations/health.ts';
import { describedBy, pathsOf, type Schemas } from './operations/operation.ts';
import { describedRecords } from './operations/operations.ts';
import { searchSchemas } from './operations/search.ts';
import { overview } from './overview.ts';
import { restoreRequest } from './schemas/change-schemas.ts';
import { errorSchemas } from './schemas/error-schemas.ts';
import { manySchemas } from './schemas/many-schemas.ts';
import { refTo } from './schemas/names.ts';
import { ownSchemas } from './schemas/own-schemas.ts';
import { recordSource, resourceSchemas } from './schemas/schemas.ts';
import { sharedResponses } from './shared-responses.ts';

/** The sources of the document, by default the lists of the project. */
export interface DocumentOptions {
  readonly deprecations?: readonly Deprecation[] | undefined;
  readonly operations?: readonly Operation[] | undefined;
}

const TAGS = [
  { name: 'Search', description: 'Search records of all resources.' },
  { name: 'Changes', description: 'All changes, in order.' },
  {
    name: 'Corrections',
    description: 'Corrections of staff, and the values that sources propose instead.',
  },
  { name: 'Webhooks', description: 'Notifications of changes, sent to your system.' },
  { name: 'Location settings', description: 'Time zone, region and state of locations.' },
  { name: 'Sources', description: 'Senders of records, with all of their API keys.' },
  { name: 'Syncs', description: 'Everything that a source has, sent again.' },
  { name: 'API key', description: 'What the API key of the request may do.' },
  { name: 'Request log', description: 'Refused requests, and counts of all requests.' },
  { name: 'Expectations', description: 'What is to come from sources, and whether it does.' },
  { name: 'Audit', description: 'Who has seen or done what.' },
  {
    name: 'Erasures',
    description: 'Forget a person who asks for it, for good.',
  },
  { name: 'Holds', description: 'Keep records from being forgotten.' },
  { name: 'Retention rules', description: 'Records go by themselves when they are old enough.' },
  {
    name: 'Self-test',
    description: 'Checks what a program does with errors, retries, changes and webhooks.',
  },
  { name: 'Health', description: 'Health checks.' },
];

/** `serverUrl` is the address of the service, without a slash at its end. */
export function openapiDocument(
  resources: readonly Resource[],
  serverUrl: string,
  options: DocumentOptions = {},
): object {
  const { deprecations: table = deprecations, operations = operationsOf(resources) } = options;
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
  const shared = sharedResponses(marked(paths, table));
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
      schemas,
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
