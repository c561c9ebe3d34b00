/** A process that sends the same people to a store again and again, until it is killed. */
import { openStore } from '../../src/store/open.ts';
import type { StoredRecord } from '../../src/store/promises/store.ts';
import { shapes } from './store-shapes.ts';
import { thingDraft, type World } from './store-world.ts';

export interface SenderTask extends Pick<World, 'url' | 'distribution'> {
  readonly home: StoredRecord;
  readonly names: readonly string[];
}

export const ERASURE_KEYS = [new Uint8Array(32).fill(7)];

async function send({ home, names, ...where }: SenderTask): Promise<void> {
  const how = { shapes, create: false, serve: false, erasureKeys: ERASURE_KEYS };
  const store = await openStore({ ...where, ...how });
  for (let round = 0; ; round += 1) {
    const drafts = names.map((name) => thingDraft(home, name, { label: `${name} ${round}` }));
    await store.commit(drafts);
    process.send?.(round);
  }
}

process.once('message', (task: SenderTask) => {
  send(task).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  });
});
