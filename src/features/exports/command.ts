/** `ledgerstone export`. */
export { addExport as add } from './command/export.ts';

/** The names of its commands. */
export const names = ['export'];
