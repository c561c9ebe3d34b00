/** Discards the rest of bodies whose requests are answered already. */
import type { IncomingMessage } from 'node:http';
import { FairQueue } from '../../core/fair/queue.ts';

const REST_MS = 10_000;
/** 32 MiB a second for one body, and at most this many times as much for all together. */
const BETWEEN_PIECES_MS = 2;
const PIECES = 4;

const discarded = new WeakSet<IncomingMessage>();
/** Round-robin by address. */
const waiting = new FairQueue<IncomingMessage>();
let isDiscarding = false;

/** Discards the rest of a body for some seconds, in pieces, so that its sender gets to read the answer and may not go on. */
export function discardBody(body: IncomingMessage, restMs = REST_MS): void {
  if (body.destroyed || discarded.has(body)) return;
  discarded.add(body);
  const late = setTimeout(() => body.destroy(), restMs).unref();
  const stop = (): void => clearTimeout(late);
  body.once('end', stop).once('close', stop).removeAllListeners('readable');
  body.on('data', () => {
    body.pause();
    waitForSlice(body);
  });
  body.resume();
}

function waitForSlice(body: IncomingMessage): void {
  waiting.push(body.socket.remoteAddress ?? '', body);
  if (!isDiscarding) setTimeout(discardSome, BETWEEN_PIECES_MS).unref();
  isDiscarding = true;
}

function discardSome(): void {
  for (let count = 0; count < PIECES; count += 1) waiting.shift()?.resume();
  isDiscarding = !waiting.isEmpty;
  if (isDiscarding) setTimeout(discardSome, BETWEEN_PIECES_MS).unref();
}
