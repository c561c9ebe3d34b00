/**
 * Pipelined requests (RFC 9112, section 9.3.2): each begins once the answer before it was sent, so that a connection
 * has at most one pending answer. Without the queue, answers that are ready immediately would start
 * all requests of a pipeline in one tick of the event loop.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LoopQueue } from '../../core/fair/loop.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests that may wait on a connection: some hundred fit into what is read of it at once, and ending each costs time. */
const MAX_WAITING = 128;

/** Wraps the request handler of a server; `waits` is called for each request that does not begin at once. */
export function handleInOrder(server: Server, waits: (request: IncomingMessage) => void): void {
  const handlers = server.listeners('request') as Handle[];
  const begin: Handle = (request, response) => {
    for (const handle of handlers) handle.call(server, request, response);
  };
  const waitingOn = new WeakMap<Socket, number>();
  const queue = new LoopQueue({ least: 1, most: 256 });
  server.on('connection', endCheaply);
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    // Node gives a response its socket when the one before it is done.
    if (response.socket !== null) {
      begin(request, response);
      return;
    }
    const { socket } = request;
    const waiting = waitingOn.get(socket) ?? 0;
    if (socket.destroyed) return;
    if (waiting === MAX_WAITING) {
      socket.destroy();
      return;
    }
    waitingOn.set(socket, waiting + 1);
    waits(request);
    response.once('socket', () => {
      waitingOn.set(socket, (waitingOn.get(socket) ?? 1) - 1);
      queue.enter(String(socket.remotePort), () => begin(request, response));
    });
  });
}

/**
 * When a connection closes, Node makes an error for each request that waits on it, and the stack of an error takes
 * most of the time of ending hundreds, although it is never read. Node's own listener is between these two.
 */
function endCheaply(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependListener('close', () => {
    Error.stackTraceLimit = 0;
  });
  socket.on('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
}
