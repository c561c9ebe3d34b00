// Generated from src/features/ by "npm run generate"; do not edit.

import * as holds from './holds/declares.ts';
import * as retention from './retention/declares.ts';
import * as selfTests from './self-tests/declares.ts';

export const featureObjects = [...holds.objects, ...retention.objects, ...selfTests.objects];
export const featureTables = [...holds.tables, ...retention.tables, ...selfTests.tables];
export const featureActions = [...holds.actions] as const;
export const featureRightsByName = { ...holds.rightsByName };
