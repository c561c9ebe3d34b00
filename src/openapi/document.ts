/** The OpenAPI 3.1 document, made from the declarations, the catalogue of errors and the rules that hold for all. */

import type { Resource } from '../schema/define.ts';
import { type Deprecation, deprecations } from '../schema/deprecations.ts';
import { CHANGES_TAG, changesPath } from './change-operations.ts';
import { changeSchemas } from './change-schemas.ts';
import { marked } from './deprecated.ts';
import { errorSchemas } from './error-schemas.ts';
import { errorExamples } from './errors.ts';
import { headerParameters, headers } from './headers.ts';
import { healthPaths } from './health.ts';
import { manySchemas } from './many-schemas.ts';
import { KEY_TAG, mePath, meSchemas } from './me.ts';
import { refTo, tagName } from './names.ts';
import { notificationParameters, notificationPaths, notificationSchemas } from './notifications.ts';
import { resourcePaths } from './operations.ts';
import { overview } from './overview.ts';
import { removalPaths, removalSchemas } from './removals.ts';
import { REQUEST_LOG_TAG, requestLogPaths, requestLogSchemas } from './request-log.ts';
import { resourceSchemas } from './schemas.ts';
import { SEARCH_TAG, searchPath, searchSchemas } from './search.ts';
import { SELF_TEST_TAG, selfTestPaths, selfTestSchemas } from './self-tests.ts';
import { webhookSchemas } from './webhook-schemas.ts';
import { WEBHOOK_TAG, webhookPaths } from './webhooks.ts';

/** `serverUrl` is the address of the service, without a slash at its end. */
export function openapiDocument(
  resources: readonly Resource[],
  serverUrl: string,
  table: readonly Deprecation[] = deprecations,
): object {
  const writable = resources.filter(({ parent }) => parent !== undefined);
  const paths = {
    ...merged(
      resources.map((resource) => {
        const hasChildren = resources.some(({ parent }) => parent === resource);
        return resourcePaths(resource, hasChildren, serverUrl);
      }),
    ),
    ...merged(
      writable.slice(0, 1).map((example) => ({ '/v1/changes': changesPath(resources, example) })),
    ),
    ...merged(writable.slice(1, 2).map((example) => removalPaths(resources, example))),
    '/v1/search': searchPath(resources),
    '/v1/me': mePath,
    ...webhookPaths,
    ...requestLogPaths,
    ...selfTestPaths,
    ...healthPaths,
  };
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
      ...resources.map((resource) => ({ name: tagName(resource), description: resource.says })),
      SEARCH_TAG,
      CHANGES_TAG,
      WEBHOOK_TAG,
      KEY_TAG,
      REQUEST_LOG_TAG,
      SELF_TEST_TAG,
      { name: 'Health', description: 'How the service is.' },
    ],
    paths: marked(paths, table),
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
      schemas: {
        ...merged(resources.map(resourceSchemas)),
        ...merged(writable.slice(0, 1).map((example) => manySchemas(example, serverUrl))),
        ...merged(writable.slice(0, 1).map((example) => changeSchemas(resources, example))),
        ...merged(writable.slice(0, 1).map((example) => removalSchemas(resources, example))),
        ...searchSchemas(resources),
        ...webhookSchemas,
        ...notificationSchemas(resources),
        ...requestLogSchemas,
        ...selfTestSchemas,
        ...meSchemas,
        ...errorSchemas(serverUrl),
      },
      parameters: { ...headerParameters, ...notificationParameters },
      headers,
      examples: referredTo(errorExamples(serverUrl), paths),
    },
  };
}

function merged<T>(parts: readonly Record<string, T>[]): Record<string, T> {
  return Object.assign({}, ...parts);
}

/** Those of the examples that the paths refer to. */
function referredTo(examples: Record<string, object>, paths: object): Record<string, object> {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(examples).filter(([name]) => text.includes(`"${refTo('examples', name).$ref}"`)),
  );
}
