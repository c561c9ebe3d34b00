/** A database of PostgreSQL whose tables are made, of which those of services in tests are copies. */
import { readSettings } from '../../src/config.ts';
import { openStoreAlone } from '../../src/open-store.ts';
import { postgresGround } from './store-postgres.ts';

/** Gives its name. It goes with its server. */
export async function makeTemplate(server: string): Promise<string> {
  const { url, name } = await postgresGround(server);
  const store = await openStoreAlone(readSettings({ database_url: url }, {}), { create: true });
  await store.close();
  return name;
}
