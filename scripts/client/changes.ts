/** The types of the client that tell of changes. */

import { outcomesOf, type Resource } from '../../src/core/schema/define.ts';
import { objectSchema } from '../../src/core/schema/fields/object.ts';
import { changesOperation } from '../../src/edge/operations/changes.ts';
import { ownSchemas } from '../openapi/schemas/own-schemas.ts';
import { ownObjects } from '../own-tables.ts';
import { typeNames } from './records.ts';
import { comment, typeText, union } from './type-text.ts';

export function changesText(resources: readonly Resource[]): string {
  const { Change = {}, HistoryEntry = {} } = ownSchemas(resources);
  const { expand: _, ...query } = changesOperation(resources).query ?? {};
  const params = Object.fromEntries(
    Object.entries(query).filter(([, { spelling }]) => spelling !== true),
  );
  const records = resources.map(
    (resource) => `  ${resource.name}: our.${typeNames(resource).record};\n`,
  );
  return [
    `import type * as our from './records.d.ts';\n`,
    `${comment(String(Change.description))}export type Change = ${typeText(Change, 'shown')};\n`,
    `${comment(String(HistoryEntry.description))}export type HistoryEntry = ${typeText(HistoryEntry, 'shown')};\n`,
    `${comment('Parameters of `api.changes.list`.')}export type ChangeListParams = ${typeText({ ...objectSchema(params), required: [] }, 'query')};\n`,
    `${comment('The record that a change is of, by its `resource`.')}export interface ChangedRecords {\n${records.join('')}}\n`,
  ].join('\n');
}

export function notificationsText(resources: readonly Resource[]): string {
  const changes = resources.map((resource) => {
    const outcomes = outcomesOf(resource).map((outcome) => `'${outcome}'`);
    return `ChangeNotification<'${resource.name}', ${union(outcomes)}, our.${typeNames(resource).record}>`;
  });
  // Without webhooks there is nobody to test.
  const isTested = ownObjects.some(({ name }) => name === 'webhook_endpoint');
  const all = [...changes, 'ProposalNotification', ...(isTested ? ['TestNotification'] : [])];
  return [
    [
      `import type { ChangeNotification, Notification, ProposalNotification } from '../notifications.ts';\n`,
      ...(isTested ? [`import type { WebhookEndpoint } from './objects.d.ts';\n`] : []),
      `import type * as our from './records.d.ts';\n`,
    ].join(''),
    ...(isTested
      ? [
          `${comment('`api.webhook_endpoints.test` sends it.')}export type TestNotification = Notification<'webhook_endpoint.test', WebhookEndpoint>;\n`,
        ]
      : []),
    `${comment('A notification that a webhook endpoint receives, of the kind in `type`. Ignore unknown kinds.')}export type WebhookNotification = ${all.map((one) => `\n  | ${one}`).join('')};\n`,
  ].join('\n');
}
