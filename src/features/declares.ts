// Generated from src/features/ by "npm run generate"; do not edit.

import * as holds from './holds/declares.ts';

export const featureObjects = [...holds.objects];
export const featureTables = [...holds.tables];
export const featureActions = [...holds.actions] as const;
export const featureRightsByName = { ...holds.rightsByName };
