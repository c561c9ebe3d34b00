/** Asks clients that send `Expect: 100-continue` for their bodies only when these are read: what is refused is not sent in vain (RFC 9110, section 10.1.1). */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const expecting = new WeakMap<IncomingMessage, ServerResponse>();

export function letContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    expecting.set(request, response);
    server.emit('request', request, response);
  });
}

/** To be called when a body begins to be read. */
export function askForBody(request: IncomingMessage): void {
  const response = expecting.get(request);
  expecting.delete(request);
  if (response?.headersSent === false) response.writeContinue();
}
