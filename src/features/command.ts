// Generated from src/features/ by "npm run generate"; do not edit.

export const featureCommands = {
  expectations: async () => (await import('./expectations/command.ts')).add,
  holds: async () => (await import('./holds/command.ts')).add,
  retention: async () => (await import('./retention/command.ts')).add,
};
export const featureStates = [async () => (await import('./expectations/command.ts')).states];
