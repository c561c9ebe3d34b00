// Generated from src/features/ by "npm run generate"; do not edit.

import { type LoadCommand, ofFeature } from '../cli/derived/later.ts';
import type { SaysBeside } from '../cli/sources/beside.ts';
import type { Finds, SaysRestored } from '../cli/store.ts';

/** By the names of their commands. */
export const featureCommands: Readonly<Record<string, LoadCommand>> = {
  'do-not-contact': async () => (await import('./do-not-contact/command.ts')).add,
  expectations: ofFeature(
    'expectations',
    'expectations',
    async () => await import('./expectations/operations.ts'),
  ),
  export: async () => (await import('./exports/command.ts')).add,
  'follow-ups': ofFeature(
    'follow-ups',
    'followUp',
    async () => await import('./follow-up/operations.ts'),
  ),
  holds: ofFeature('holds', 'holds', async () => await import('./holds/operations.ts')),
  import: async () => (await import('./imports/command.ts')).add,
  imports: async () => (await import('./imports/command.ts')).add,
  retention: async () => (await import('./retention/command.ts')).add,
  'self-tests': ofFeature(
    'self-tests',
    'selfTests',
    async () => await import('./self-tests/operations.ts'),
  ),
  webhooks: async () => (await import('./webhooks/command.ts')).add,
};
export const featureBeside: readonly (() => Promise<SaysBeside<never>>)[] = [
  async () => (await import('./expectations/command.ts')).beside,
];
export const featureFinds: readonly (() => Promise<Finds>)[] = [
  async () => (await import('./webhooks/command.ts')).finds,
];
export const featureRestored: readonly (() => Promise<SaysRestored>)[] = [
  async () => (await import('./webhooks/command.ts')).restored,
];
