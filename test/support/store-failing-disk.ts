/**
 * A process of its own over a disk whose syncs fail: tells what became of its
 * commits and what it sees, and is killed. `for a while`: the disk recovers and
 * a third commit follows; `once`: one sync fails; `to the end`: all do.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { openStore } from '../../src/store/open.ts';
import { place, shapes } from './store-shapes.ts';
import { placeDraft, within } from './store-world.ts';

const [, , url = '', flag = '', how = ''] = process.argv;
const store = await openStore({ url, shapes, create: true, serve: true });
const { unique_identifier: account } = await store.accounts.create({ name: 'A', livemode: false });
const commit = (name: string): Promise<string | undefined> =>
  store.commit([placeDraft(account, name, { title: name })]).then(
    ([outcome]) => outcome?.outcome,
    (error: Error) => error.name,
  );

const before = await commit('before');
writeFileSync(how === 'once' ? `${flag}.once` : flag, '');
const during = await commit('during');
const query = { shape: place, scope: within(account), order: { key: 'title' }, limit: 9 } as const;
const seen = (await store.list(query)).records.length;
let after: string | undefined;
if (how === 'for a while') {
  rmSync(flag);
  after = await commit('after');
}
process.stdout.write(`${JSON.stringify({ account, before, during, seen, after })}\n`);
// Without closing: what was answered must be there for whoever opens the store next.
process.kill(process.pid, 'SIGKILL');
