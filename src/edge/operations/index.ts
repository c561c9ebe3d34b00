/** All operations on our own objects, in the order of the OpenAPI document. */

import { apiKey } from '../../core/objects/api-key.ts';
import { present } from '../../core/objects/own-object.ts';
import type { Resource } from '../../core/schema/define.ts';
import { featureOperations } from '../../features/operations.ts';
import { changesOperation } from './changes.ts';
import { erasureOperations } from './erasures.ts';
import { sourceOperations } from './feeds/sources.ts';
import { syncOperations } from './feeds/syncs.ts';
import { locationSettingsOperations } from './location-settings.ts';
import { listActivity, listAudit, listRequests } from './log/requests.ts';
import { type Operation, operation } from './operation.ts';
import { proposalOperations } from './proposals.ts';
import { removalOperations } from './removals.ts';
import { searchOperations } from './search.ts';

const getMe = operation({
  name: 'get_me',
  route: 'GET /v1/me',
  tag: 'API key',
  keysOnly: true,
  uncommanded: 'It is about the key that calls.',
  summary: 'Read this API key',
  description: 'Returns what the API key of the request may do, and until when.',
  answers: { schema: 'ApiKey', says: 'The key.' },
  run: (_services, { caller }) => present(apiKey, caller.granted, 'api', 0),
});

export function operationsOf(resources: readonly Resource[]): readonly Operation[] {
  return [
    changesOperation(resources),
    ...removalOperations(resources),
    ...proposalOperations(resources),
    ...searchOperations(resources),
    ...locationSettingsOperations(resources),
    ...sourceOperations,
    ...syncOperations(resources),
    getMe,
    listRequests,
    listActivity,
    listAudit,
    ...erasureOperations(resources),
    ...featureOperations.flatMap((of) => of(resources)),
  ];
}
