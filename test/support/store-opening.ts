/** A process of its own that opens a store to serve it, and tells what became of that. */
import { openStore } from '../../src/store/open.ts';
import { shapes } from './store-shapes.ts';

const [, , url = ''] = process.argv;
const told = await openStore({ url, shapes, create: false, serve: true }).then(
  () => ({ error: 'none' }),
  ({ name, message }: Error) => ({ error: name, message }),
);
process.stdout.write(`${JSON.stringify(told)}\n`);
process.kill(process.pid, 'SIGKILL');
