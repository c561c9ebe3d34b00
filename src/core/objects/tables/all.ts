// Generated from src/core/objects/ by "npm run generate"; do not edit.

import { featureTables } from '../../../features/declares.ts';
import { apiKey } from '../api-key.ts';
import { locationSettings } from '../location-settings.ts';
import type { OwnTable } from '../own-object.ts';
import { passkey, staffIdentity } from '../passkey.ts';
import { erased, erasureJournal, erasureNote, follower } from '../records/erased.ts';
import { erasure } from '../records/erasure.ts';
import { activity } from '../requests/activity.ts';
import { auditEntry } from '../requests/audit-entry.ts';
import { refusedRequest } from '../requests/refused-request.ts';
import { source, sourceWriter } from '../source.ts';
import { staffMember } from '../staff-member.ts';
import { staffCeremony, staffSession } from '../staff-session.ts';
import { checkedBackup, followedBackup, seenTime, storeIdentity } from '../transfer/backup.ts';
import { job } from '../transfer/job.ts';
import { firstSync, sync, syncDoubt, syncSeen } from '../transfer/sync.ts';

/** All tables that are declared, by the paths of their files. */
export const ownTables: readonly OwnTable[] = [
  apiKey,
  locationSettings,
  passkey,
  staffIdentity,
  erased,
  erasureJournal,
  erasureNote,
  follower,
  erasure,
  activity,
  auditEntry,
  refusedRequest,
  source,
  sourceWriter,
  staffMember,
  staffCeremony,
  staffSession,
  checkedBackup,
  followedBackup,
  seenTime,
  storeIdentity,
  job,
  firstSync,
  sync,
  syncDoubt,
  syncSeen,
  ...featureTables,
];
