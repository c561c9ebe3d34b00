// Generated from src/features/ by "npm run generate"; do not edit.

import type { OperationsOf } from '../edge/operations/operation.ts';
import * as expectations from './expectations/operations.ts';
import * as followUp from './follow-up/operations.ts';
import * as holds from './holds/operations.ts';
import * as retention from './retention/operations.ts';
import * as selfTests from './self-tests/operations.ts';
import * as webhooks from './webhooks/operations.ts';

export const featureOperations: readonly OperationsOf[] = [
  expectations.operations,
  followUp.operations,
  holds.operations,
  retention.operations,
  selfTests.operations,
  webhooks.operations,
];
/** The names in the reference that their operations are listed under. */
export const featureTags = [
  expectations.tag,
  followUp.tag,
  holds.tag,
  retention.tag,
  selfTests.tag,
  webhooks.tag,
];
