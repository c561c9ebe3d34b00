// Generated from src/features/ by "npm run generate"; do not edit.

import * as holds from './holds/errors.ts';

export const featureErrors = { ...holds.errors };
