// Generated from src/features/ by "npm run generate"; do not edit.

import type { OperationsOf } from '../edge/operations/operation.ts';
import type { HandlersOf } from '../edge/request/operations.ts';
import type { AddsRoutes } from '../edge/request/routes.ts';
import * as doNotContact from './do-not-contact/operations.ts';
import * as expectations from './expectations/operations.ts';
import * as exports from './exports/operations.ts';
import * as followUp from './follow-up/operations.ts';
import * as holds from './holds/operations.ts';
import * as imports from './imports/operations.ts';
import * as retention from './retention/operations.ts';
import * as selfTests from './self-tests/operations.ts';
import * as webhooks from './webhooks/operations.ts';

export const featureOperations: readonly OperationsOf[] = [
  doNotContact.operations,
  expectations.operations,
  followUp.operations,
  holds.operations,
  imports.operations,
  retention.operations,
  selfTests.operations,
  webhooks.operations,
];
/** They answer operations that have no `run`. */
export const featureHandlers: readonly HandlersOf[] = [imports.handlers];
/** They add what only the console has. */
export const featureRoutes: readonly AddsRoutes[] = [exports.routes];
/** The names in the reference that their operations are listed under. */
export const featureTags = [
  doNotContact.tag,
  expectations.tag,
  followUp.tag,
  holds.tag,
  imports.tag,
  retention.tag,
  selfTests.tag,
  webhooks.tag,
];
