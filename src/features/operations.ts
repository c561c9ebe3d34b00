// Generated from src/features/ by "npm run generate"; do not edit.

import type { Operation } from '../edge/operations/operation.ts';
import * as holds from './holds/operations.ts';
import * as selfTests from './self-tests/operations.ts';

export const featureOperations: readonly Operation[] = [
  ...holds.operations,
  ...selfTests.operations,
];
