// Generated from src/features/ by "npm run generate"; do not edit.

import * as followUp from './follow-up/says.ts';

/** What features say of records of these resources: true or false each. */
export const featureSays: readonly Readonly<{
  name: string;
  label: string;
  of: readonly string[];
  says: string;
}>[] = [followUp.says];
