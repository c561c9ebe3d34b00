/**
 * Where the records of a service in a test are: in a file of SQLite, or, with
 * `TEST_STORE=postgres`, in a database of PostgreSQL.
 */
import { joined } from './at-end.ts';
import { findServer, postgresGround } from './store-postgres.ts';
import { sqliteGround } from './store-sqlite.ts';
import type { Ground } from './store-world.ts';

let server: Promise<string> | undefined;

export async function serviceGround(): Promise<Ground> {
  const { TEST_STORE = 'sqlite', TEST_STORE_URL } = process.env;
  // A store that stays: those of a release are made so.
  if (TEST_STORE_URL !== undefined) return { url: TEST_STORE_URL, remove: async () => {} };
  if (TEST_STORE === 'sqlite' || TEST_STORE === 'release') return sqliteGround();
  if (TEST_STORE !== 'postgres') throw new Error('TEST_STORE must be sqlite, postgres or release.');
  server ??= findServer();
  return postgresGround(await joined(server), process.env.TEST_TEMPLATE);
}

/** The same, with a folder of the test's own; in SQLite the store is in it. */
export async function folderGround(): Promise<Ground & { readonly folder: string }> {
  const files = await sqliteGround();
  if (process.env.TEST_STORE !== 'postgres') return files;
  const ground = await serviceGround();
  const remove = async () => {
    await ground.remove();
    await files.remove();
  };
  return { ...ground, folder: files.folder, remove };
}

/** The settings that name it for a process. */
export function storeEnv({ url, distribution }: Ground): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: url,
    ...(distribution === undefined ? {} : { DATABASE_DISTRIBUTION: distribution }),
  };
}
