/** The program's own objects that are declared, in the order of the reference. */
import { featureObjects } from '../../features/declares.ts';
import { account } from './account.ts';
import { apiKey } from './api-key.ts';
import { staffInvitation } from './invitation.ts';
import { locationSettings } from './location-settings.ts';
import type { OwnObject } from './own-object.ts';
import { passkey } from './passkey.ts';
import { change, historyEntry } from './records/change.ts';
import { erasure } from './records/erasure.ts';
import { erasureCertificate } from './records/erasure-certificate.ts';
import { erasureAcknowledgement } from './records/erasure-told.ts';
import { pin, proposal } from './records/proposal.ts';
import { removal, restoredRemoval } from './records/removal.ts';
import { activity } from './requests/activity.ts';
import { auditEntry } from './requests/audit-entry.ts';
import { expectation } from './requests/expectation.ts';
import { refusedRequest } from './requests/refused-request.ts';
import { source } from './source.ts';
import { staffMember } from './staff-member.ts';
import { staffSession } from './staff-session.ts';
import { backup } from './transfer/backup.ts';
import { importRun } from './transfer/import-run.ts';
import { sync } from './transfer/sync.ts';
import { webhookDelivery } from './webhook-delivery.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';
import { webhookTest } from './webhook-test.ts';

export const ownObjects: readonly Pick<
  OwnObject,
  'name' | 'typeName' | 'says' | 'views' | 'path' | 'listed' | 'positioned' | 'removable'
>[] = [
  account,
  apiKey,
  webhookEndpoint,
  webhookDelivery,
  webhookTest,
  refusedRequest,
  activity,
  auditEntry,
  change,
  historyEntry,
  removal,
  restoredRemoval,
  pin,
  proposal,
  erasure,
  erasureCertificate,
  ...featureObjects,
  erasureAcknowledgement,
  importRun,
  backup,
  staffMember,
  passkey,
  staffSession,
  staffInvitation,
  locationSettings,
  source,
  sync,
  expectation,
];
