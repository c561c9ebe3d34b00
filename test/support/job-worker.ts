/** A process that goes on with jobs of a store from a second message on until it is ended, and reports each piece. A job's pieces are accounts that it makes. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Jobs } from '../../src/services/jobs.ts';
import { openStore } from '../../src/store/open.ts';
import { shapes } from './store-shapes.ts';

export interface JobTask {
  readonly url: string;
  readonly objects: readonly string[];
  readonly pieces: number;
}

process.once('message', async ({ url, objects, pieces }: JobTask) => {
  const store = await openStore({ url, shapes, create: false, serve: false });
  const doneOf = async (object: string) =>
    (await store.accounts.list()).filter(({ name }) => name.startsWith(`${object} `)).length;
  const jobs = new Jobs({
    kind: 'test',
    book: store.jobs,
    slots: 4,
    async due() {
      const named = objects.map((one) => ({ unique_identifier: one, account: one }));
      const done = await Promise.all(objects.map(doneOf));
      return named.filter((_, at) => (done[at] ?? 0) < pieces);
    },
    async *work({ unique_identifier: object }) {
      for (let done = await doneOf(object); done < pieces; done += 1) {
        await store.accounts.create({ name: `${object} ${done}`, livemode: false });
        process.send?.(`${object} ${done}`);
        await pause(20);
        yield 1;
      }
    },
  });
  process.send?.('ready');
  await once(process, 'message');
  for (;;) {
    await jobs.resume();
    await pause(20);
  }
});
