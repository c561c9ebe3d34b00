// Generated from console/src/features/ by "npm run generate"; do not edit.

import type { FeatureEntry } from '../entry.ts';
import { entry as doNotContactEntry } from './do-not-contact/entry.ts';
import { entry as exportsEntry } from './exports/entry.ts';
import { entry as holdsEntry } from './holds/entry.ts';
import { entry as importsEntry } from './imports/entry.ts';
import { entry as retentionEntry } from './retention/entry.ts';
import { entry as webhooksEntry } from './webhooks/entry.ts';

export const featureEntries: readonly FeatureEntry[] = [
  doNotContactEntry,
  exportsEntry,
  holdsEntry,
  importsEntry,
  retentionEntry,
  webhooksEntry,
];
