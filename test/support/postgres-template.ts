/** Databases of PostgreSQL whose tables are made, of which those of tests are copies in a whole run of tests. */
import { readSettings } from '../../src/core/config.ts';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import { openStore, whichStore } from '../../src/store/open.ts';
import { joined, outside } from './at-end.ts';
import { type PostgresGround, postgresGround } from './store-postgres.ts';

/** The tables of the product. Gives its name. It goes with its server. */
export function makeTemplate(server: string): Promise<string> {
  const { shapes } = whichStore(readSettings({}, {}));
  return templateOf(server, shapes);
}

/** Finds places for stores of these shapes: as copies of the first, unless every store is to be made as people do. */
export function placesFor(
  server: string,
  shapes: readonly RecordShape[],
): () => Promise<PostgresGround> {
  if (process.env.TEST_TEMPLATE === undefined) return () => postgresGround(server);
  let template: Promise<string> | undefined;
  return async () => {
    template ??= outside(() => templateOf(server, shapes));
    return postgresGround(server, await joined(template));
  };
}

async function templateOf(server: string, shapes: readonly RecordShape[]): Promise<string> {
  const { url, name } = await postgresGround(server);
  const store = await openStore({ url, shapes, create: true, serve: false });
  await store.close();
  return name;
}
