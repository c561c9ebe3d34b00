/** Bodies of which nothing more is wanted, since their answer is there. */
import type { IncomingMessage } from 'node:http';
import { FairQueue } from '../fair/queue.ts';

/** How long the rest of a body may take to arrive. */
const REST_MS = 10_000;
/** Of one body 32 MiB pass in a second, and of all together at most so many pieces for one of them. */
const BETWEEN_PIECES_MS = 2;
const PIECES = 4;

const passing = new WeakSet<IncomingMessage>();
/** Addresses take turns. */
const waiting = new FairQueue<IncomingMessage>();
let isLettingPass = false;

/**
 * Lets the rest of a body come and go for some seconds, so that its sender gets
 * to read the answer: a piece now and then, since a sender may go on for ever.
 */
export function passOver(body: IncomingMessage, restMs = REST_MS): void {
  if (body.destroyed || passing.has(body)) return;
  passing.add(body);
  const late = setTimeout(() => body.destroy(), restMs).unref();
  const stop = (): void => clearTimeout(late);
  body.once('end', stop).once('close', stop).removeAllListeners('readable');
  body.on('data', () => {
    body.pause();
    takeTurn(body);
  });
  body.resume();
}

function takeTurn(body: IncomingMessage): void {
  waiting.push(body.socket.remoteAddress ?? '', body);
  if (!isLettingPass) setTimeout(letPass, BETWEEN_PIECES_MS).unref();
  isLettingPass = true;
}

function letPass(): void {
  for (let count = 0; count < PIECES; count += 1) waiting.shift()?.resume();
  isLettingPass = !waiting.isEmpty;
  if (isLettingPass) setTimeout(letPass, BETWEEN_PIECES_MS).unref();
}
