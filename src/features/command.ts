// Generated from src/features/ by "npm run generate"; do not edit.

import type { Finds, FindsStates, SaysRestored } from '../cli/store.ts';

export const featureCommands = {
  expectations: async () => (await import('./expectations/command.ts')).add,
  followUp: async () => (await import('./follow-up/command.ts')).add,
  holds: async () => (await import('./holds/command.ts')).add,
  retention: async () => (await import('./retention/command.ts')).add,
  webhooks: async () => (await import('./webhooks/command.ts')).add,
};
export const featureFinds: readonly (() => Promise<Finds>)[] = [
  async () => (await import('./webhooks/command.ts')).finds,
];
export const featureRestored: readonly (() => Promise<SaysRestored>)[] = [
  async () => (await import('./webhooks/command.ts')).restored,
];
export const featureStates: readonly (() => Promise<FindsStates>)[] = [
  async () => (await import('./expectations/command.ts')).states,
];
