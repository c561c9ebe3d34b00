/** A process that opens a store, makes an account in it, says so, and stays until it is told to go or killed. */
import { once } from 'node:events';
import { openStore } from '../../src/store/open.ts';
import { shapes } from './store-shapes.ts';

const [url = '', serve] = process.argv.slice(2);

const store = await openStore({ url, shapes, create: true, serve: serve === 'serve' });
await store.accounts.create({ name: `Process ${process.pid}`, livemode: false });
process.send?.('open');
await once(process, 'message');
await store.close();
process.disconnect?.();
