/** A process of its own over a disk whose syncs are slow: tells when a commit was answered and when it was first seen. */
import { openStore } from '../../src/store/open.ts';
import { place, shapes } from './store-shapes.ts';
import { placeDraft, within } from './store-world.ts';
import { until } from './until.ts';

const url = process.argv[2] ?? '';
const store = await openStore({ url, shapes, create: true, serve: true });
const { unique_identifier: account } = await store.accounts.create({ name: 'A', livemode: false });

const began = performance.now();
const since = (): number => performance.now() - began;
const answered = store.commit([placeDraft(account, 'a', { title: 'a' })]).then(since);
let looks = 0;
const query = { shape: place, scope: within(account), order: 'newest', limit: 1 } as const;
await until(async () => {
  if ((await store.list(query)).records.length > 0) return true;
  looks += 1;
  return false;
});
const seen = since();
process.stdout.write(`${JSON.stringify({ answered: await answered, seen, looks })}\n`);
await store.close();
