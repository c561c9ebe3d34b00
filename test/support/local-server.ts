/** A server of HTTP beside the service. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenOver } from './at-end.ts';

/** Starts it on this machine, until the test, the suite or the file is over, and gives its address. */
export async function localServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
