/** Servers beside the service, on free ports of this machine. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { whenOver } from './at-end.ts';

/** Lets it listen until the test, the suite or the file that calls this is over. Gives the port. */
export async function listening(
  server: Server & { closeAllConnections?: () => void },
): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  whenOver(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts one of HTTP, and gives its address. */
export async function localServer(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(answer))}`;
}
