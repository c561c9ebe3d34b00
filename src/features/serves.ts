// Generated from src/features/ by "npm run generate"; do not edit.

import type { ServeParts } from '../services/served.ts';

export const featureChecks: readonly ((parts: ServeParts) => Promise<void>)[] = [
  async (parts) => (await import('./do-not-contact/serves.ts')).check(parts),
  async (parts) => (await import('./webhooks/serves.ts')).check(parts),
];
/** Each serves one feature, by its name. */
export const featureServes = {
  doNotContact: async (parts: ServeParts) =>
    (await import('./do-not-contact/serves.ts')).serve(parts),
  expectations: async (parts: ServeParts) =>
    (await import('./expectations/serves.ts')).serve(parts),
  followUp: async (parts: ServeParts) => (await import('./follow-up/serves.ts')).serve(parts),
  holds: async (parts: ServeParts) => (await import('./holds/serves.ts')).serve(parts),
  imports: async (parts: ServeParts) => (await import('./imports/serves.ts')).serve(parts),
  retention: async (parts: ServeParts) => (await import('./retention/serves.ts')).serve(parts),
  selfTests: async (parts: ServeParts) => (await import('./self-tests/serves.ts')).serve(parts),
  webhooks: async (parts: ServeParts) => (await import('./webhooks/serves.ts')).serve(parts),
};
export const serveFeatures = async (parts: ServeParts) => ({
  doNotContact: await featureServes.doNotContact(parts),
  expectations: await featureServes.expectations(parts),
  followUp: await featureServes.followUp(parts),
  holds: await featureServes.holds(parts),
  imports: await featureServes.imports(parts),
  retention: await featureServes.retention(parts),
  selfTests: await featureServes.selfTests(parts),
  webhooks: await featureServes.webhooks(parts),
});

type Features = Awaited<ReturnType<typeof serveFeatures>>;
export type FeatureServices = ReturnType<typeof servicesOf>;
export const servicesOf = (features: Features) => ({
  doNotContact: features.doNotContact.service,
  expectations: features.expectations.service,
  followUp: features.followUp.service,
  holds: features.holds.service,
  imports: features.imports.service,
  retention: features.retention.service,
  selfTests: features.selfTests.service,
  webhooks: features.webhooks.service,
});
