// Generated from src/features/ by "npm run generate"; do not edit.

import type { RequestWatch } from '../edge/operations/operation.ts';
import * as selfTests from './self-tests/requests.ts';

export const featureWatches: readonly RequestWatch[] = [selfTests.watch];
