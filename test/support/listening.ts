/** Servers of tests on free ports of this machine. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { whenOver } from './at-end.ts';

/** Lets it listen until the test, the suite or the file that calls this is over. Gives the port. */
export async function listening(
  server: Server & { closeAllConnections?: () => void },
): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  whenOver(() => {
    server.close();
    server.closeAllConnections?.();
  });
  return (server.address() as AddressInfo).port;
}
