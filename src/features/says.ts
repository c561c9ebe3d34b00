// Generated from src/features/ by "npm run generate"; do not edit.

import * as doNotContact from './do-not-contact/says.ts';

/** Each says something of records of these resources, by true or false. */
export const featureSays: readonly Readonly<{
  name: string;
  label: string;
  of: readonly string[];
  says: string;
}>[] = [doNotContact.says];
