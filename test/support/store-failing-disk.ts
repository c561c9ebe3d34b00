/** A process of its own over a disk whose syncs fail for a while: tells what became of three commits, and what is there. */
import { rmSync, writeFileSync } from 'node:fs';
import { openStore } from '../../src/store/open.ts';
import { place, shapes } from './store-shapes.ts';
import { placeDraft, within } from './store-world.ts';

const [, , url = '', flag = ''] = process.argv;
const store = await openStore({ url, shapes, create: true, serve: true });
const { unique_identifier: account } = await store.accounts.create({ name: 'A', livemode: false });
const commit = (name: string): Promise<string | undefined> =>
  store.commit([placeDraft(account, name, { title: name })]).then(
    ([outcome]) => outcome?.outcome,
    (error: Error) => error.name,
  );

const before = await commit('before');
writeFileSync(flag, '');
const during = await commit('during');
const query = { shape: place, scope: within(account), order: { key: 'title' }, limit: 9 } as const;
const seen = (await store.list(query))?.records.length;
rmSync(flag);
const after = await commit('after');
process.stdout.write(`${JSON.stringify({ account, before, during, seen, after })}\n`);
// Without closing: what was answered must be there for whoever opens the store next.
process.kill(process.pid, 'SIGKILL');
