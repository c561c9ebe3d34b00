// Generated from src/features/ by "npm run generate"; do not edit.

import * as followUp from './follow-up/errors.ts';
import * as holds from './holds/errors.ts';
import * as imports from './imports/errors.ts';
import * as retention from './retention/errors.ts';
import * as webhooks from './webhooks/errors.ts';

export const featureErrors = {
  ...followUp.errors,
  ...holds.errors,
  ...imports.errors,
  ...retention.errors,
  ...webhooks.errors,
};
