// Generated from src/features/ by "npm run generate"; do not edit.

import type { Operation } from '../edge/operations/operation.ts';
import * as holds from './holds/operations.ts';

export const featureOperations: readonly Operation[] = [...holds.operations];
