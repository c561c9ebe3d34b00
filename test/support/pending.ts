/** The steps that a store's schema lacks. */
import { pendingMigrations } from '../../src/store/open.ts';

export async function pendingSteps(made: Parameters<typeof pendingMigrations>[0]) {
  return (await pendingMigrations(made)).steps;
}
