/** One address in front of service processes that come and go, as a load balancer gives it. */

import { connect, createServer, type Socket } from 'node:net';
import { whenOver } from './at-end.ts';
import { listening } from './local-server.ts';

/** Each connection goes to the next of the ports that there are then; gone when the test is over. */
export async function front(ports: () => readonly number[]): Promise<string> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((near) => {
    const open = ports();
    const port = open[turn++ % open.length];
    if (port === undefined) return near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  const port = await listening(server);
  whenOver(() => {
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${port}`;
}
