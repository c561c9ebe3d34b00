/** A wire to the server that has an account, and a store over it. */
import { type OpenOptions, openStore } from '../../src/store/open.ts';
import { ask } from './ask.ts';
import { whenOver } from './at-end.ts';
import { cutWire } from './cut-wire.ts';
import type { PostgresCase } from './store-postgres.ts';
import { shapes } from './store-shapes.ts';

/** `direct` and the options go past the wire. */
export async function storeOverWire(
  ground: PostgresCase['ground'],
  more: Pick<OpenOptions, 'erasureKeys'> = {},
) {
  const { url, distribution } = await ground();
  const options = { url, distribution, shapes, create: true, serve: true, ...more };
  const direct = await openStore(options);
  const made = await direct.accounts.create({ name: 'A', livemode: false });
  const account = made.unique_identifier;
  const server = distribution === undefined ? new URL(url).host : await serverOf(url, account);
  const wire = await cutWire(Number(server.split(':').at(-1)));
  const throughWire = new URL(url);
  if (distribution === undefined) throughWire.port = String(wire.port);
  const nodes = distribution === undefined ? [] : [`${server}=127.0.0.1:${wire.port}`];
  const store = await openStore({ ...options, url: throughWire.href, nodes });
  whenOver(async () => {
    await Promise.all([store.close(), direct.close()]);
  });
  return { url, options, store, direct, account, wire };
}

/** The server of a cluster that has an account, as `name:port`. */
export async function serverOf(url: string, account: string): Promise<string> {
  const [row] = await ask(
    url,
    `SELECT nodename || ':' || nodeport AS server FROM pg_dist_shard_placement
     WHERE shardid = get_shard_id_for_distribution_column('account', '${account}')`,
  );
  return String(row?.server);
}
