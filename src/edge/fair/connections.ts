/** Shares the event loop among connections, and their requests among keys. */
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { connectionCame, LoopQueue } from '../../core/fair/loop.ts';
import { StoreUnavailable } from '../../store/promises/store.ts';
import { toApiError } from '../response/error-response.ts';
import { RETRY_SOON } from '../response/retry-after.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests that may wait on a connection: some hundred fit into what is read of it at once, and ending each costs time. */
const MAX_WAITING = 128;

/**
 * Begins pipelined requests (RFC 9112, section 9.3.2) each when the answer before it was sent, so that a connection has
 * at most one pending answer. Without the queue, answers that are ready at once would start all requests of a pipeline
 * in one tick of the event loop. `waits` is called for each request that does not begin at once.
 */
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
    if (response.socket !== null) return begin(request, response);
    const { socket } = request;
    const waiting = waitingOn.get(socket) ?? 0;
    if (waiting === MAX_WAITING) socket.destroy();
    if (socket.destroyed) return;
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

/**
 * Begins to read a few new connections in each tick of the event loop, round-robin by address: the requests of many
 * must not prevent the next connections from being accepted. Per address the oldest and the newest alternate: one that
 * arrives in the middle of a thousand hardly waits for them, and none waits twice as long as in a queue.
 */
export function readConnectionsFairly(server: Server): void {
  // The cost of a new TLS connection is its handshake, which is not read here.
  if (!(server instanceof Server)) return;
  let oldest = false;
  const queue = new LoopQueue({ least: 4, most: 256 }, (own) => {
    oldest = !oldest;
    return oldest ? own.shift() : own.pop();
  });
  server.on('connection', (socket) => {
    socket.pause();
    queue.push(socket.remoteAddress ?? '', () => socket.resume());
  });
}

/**
 * Shares this thread among keys: when a tick of the event loop has taken long, its remaining requests wait, and begin
 * key by key, however many connections one key has. Added after authentication, when the caller is known.
 */
export function beginRequestsFairly(server: FastifyInstance): void {
  const queue = new LoopQueue({ least: 1, most: 256 });
  server.server.on('connection', connectionCame);
  server.addHook('onRequest', (request, _reply, done) => {
    queue.enter(request.principal?.key ?? '', () => done());
  });
}

interface LeastReading {
  readonly windowMs: number;
  /** Bytes that a client must take in each window in which some wait for it. */
  readonly bytes: number;
}

const LEAST: LeastReading = { windowMs: 60_000, bytes: 65_536 };
/** How often connections are checked in a window. */
const LOOKS = 6;

/** Closes connections whose clients do not read their answers, of all that the server accepts from now on. */
export function endUnread(
  server: Server,
  { windowMs, bytes }: LeastReading = LEAST,
  elapsed = () => performance.now(),
): void {
  /** The time since when bytes wait for a client, and how many it had taken by then; 0 where none wait. */
  const connections = new Map<Socket, { since: number; taken: number }>();
  server.on('connection', (socket) => {
    connections.set(socket, { since: 0, taken: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const look = setInterval(() => {
    const now = elapsed();
    for (const [socket, waiting] of connections) {
      const { writableLength } = socket;
      const taken = socket.bytesWritten - writableLength;
      if (writableLength === 0) {
        waiting.since = 0;
      } else if (waiting.since === 0) {
        waiting.since = now;
        waiting.taken = taken;
      } else if (now - waiting.since >= windowMs) {
        if (taken - waiting.taken < bytes) socket.destroy();
        waiting.since = now;
        waiting.taken = taken;
      }
    }
  }, windowMs / LOOKS).unref();
  server.once('close', () => clearInterval(look));
}

/** The most refusals in a millisecond, for callers who do not wait before they retry. */
const REFUSALS_PER_MS = 8;
const RETRY_AFTER_MS = Number(RETRY_SOON['Retry-After']) * 1_000;

/**
 * Answers 503 to writes of a key while `isFull` says so. A connection that retries before `Retry-After` has passed is
 * answered later, at most when it has: so the rate of refusals is limited, and leaves the service its time.
 */
export function refuseOverload(server: FastifyInstance, isFull: (key: string) => boolean): void {
  // One for all: creating an error costs more than sending it.
  const refusal = toApiError(new StoreUnavailable('More is being sent than can be saved.'));
  const refusedAt = new WeakMap<Socket, number>();
  let delayed = 0;

  server.addHook('onRequest', (request, _reply, done) => {
    const action = request.route.config?.needs?.action;
    if (action === undefined || action === 'read') return done();
    if (!isFull(request.principal?.key ?? '')) return done();
    const { socket } = request.raw;
    const now = performance.now();
    const last = refusedAt.get(socket);
    refusedAt.set(socket, now);
    if (last === undefined || now - last >= RETRY_AFTER_MS) return done(refusal);
    delayed += 1;
    const wait = Math.min(delayed / REFUSALS_PER_MS, RETRY_AFTER_MS);
    setTimeout(() => {
      delayed -= 1;
      refusedAt.set(socket, performance.now());
      done(refusal);
    }, wait);
  });
}
