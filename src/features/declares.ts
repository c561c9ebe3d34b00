// Generated from src/features/ by "npm run generate"; do not edit.

import type { StateNotifications } from '../core/objects/own-object.ts';
import type { OfRoles } from '../core/objects/staff-member.ts';
import * as doNotContact from './do-not-contact/declares.ts';
import * as expectations from './expectations/declares.ts';
import * as followUp from './follow-up/declares.ts';
import * as holds from './holds/declares.ts';
import * as imports from './imports/declares.ts';
import * as retention from './retention/declares.ts';
import * as selfTests from './self-tests/declares.ts';
import * as webhooks from './webhooks/declares.ts';

export const featureObjects = [
  ...doNotContact.objects,
  ...expectations.objects,
  ...followUp.objects,
  ...holds.objects,
  ...imports.objects,
  ...retention.objects,
  ...selfTests.objects,
  ...webhooks.objects,
];
export const featureTables = [
  ...doNotContact.tables,
  ...expectations.tables,
  ...followUp.tables,
  ...holds.tables,
  ...imports.tables,
  ...retention.tables,
  ...selfTests.tables,
  ...webhooks.tables,
];
export const featureNotifications: readonly StateNotifications[] = [
  expectations.notifications,
  followUp.notifications,
];
export const featureRights = { ...doNotContact.rights, ...followUp.rights, ...webhooks.rights };
export const featureActions = [
  ...doNotContact.actions,
  ...followUp.actions,
  ...holds.actions,
] as const;
export const featureRightsByName = { ...holds.rightsByName };
/** Rights that roles have. */
export const featureRoles: Readonly<Record<string, OfRoles>> = {
  ...doNotContact.roles,
  ...followUp.roles,
  ...webhooks.roles,
};
