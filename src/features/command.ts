// Generated from src/features/ by "npm run generate"; do not edit.

export const featureCommands = {
  holds: async () => (await import('./holds/command.ts')).add,
  retention: async () => (await import('./retention/command.ts')).add,
};
