// Generated from src/features/ by "npm run generate"; do not edit.

import type { ServeParts } from '../services/served.ts';
import * as expectations from './expectations/serves.ts';
import * as followUp from './follow-up/serves.ts';
import * as holds from './holds/serves.ts';
import * as retention from './retention/serves.ts';
import * as selfTests from './self-tests/serves.ts';
import * as webhooks from './webhooks/serves.ts';

export const featureChecks: readonly ((parts: ServeParts) => Promise<void>)[] = [webhooks.check];
export const serveFeatures = (parts: ServeParts) => ({
  expectations: expectations.serve(parts),
  followUp: followUp.serve(parts),
  holds: holds.serve(parts),
  retention: retention.serve(parts),
  selfTests: selfTests.serve(parts),
  webhooks: webhooks.serve(parts),
});

type Features = ReturnType<typeof serveFeatures>;
export type FeatureServices = ReturnType<typeof servicesOf>;
export const servicesOf = (features: Features) => ({
  expectations: features.expectations.service,
  followUp: features.followUp.service,
  holds: features.holds.service,
  retention: features.retention.service,
  selfTests: features.selfTests.service,
  webhooks: features.webhooks.service,
});
