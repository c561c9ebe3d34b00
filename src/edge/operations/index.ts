/** All operations on our own objects, in the order of the OpenAPI document. */
import type { Resource } from '../../core/schema/define.ts';
import { featureOperations } from '../../features/operations.ts';
import { changesOperation } from './changes.ts';
import { erasureOperations } from './erasures.ts';
import { expectationOperations } from './feeds/expectations.ts';
import { sourceOperations } from './feeds/sources.ts';
import { syncOperations } from './feeds/syncs.ts';
import { locationSettingsOperations } from './location-settings.ts';
import { listAudit } from './log/audit.ts';
import { listActivity, listRequests } from './log/requests.ts';
import { getMe } from './me.ts';
import type { Operation } from './operation.ts';
import { proposalOperations } from './proposals.ts';
import { removalOperations } from './removals.ts';
import { searchOperations } from './search.ts';
import { webhookOperations } from './webhook-endpoints.ts';

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
    ...webhookOperations,
    listRequests,
    listActivity,
    listAudit,
    ...expectationOperations,
    ...erasureOperations(resources),
    ...featureOperations.flatMap((of) => of(resources)),
  ];
}
