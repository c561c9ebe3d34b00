/** Bodies of which nothing more is wanted, since their answer is there. */
import type { IncomingMessage } from 'node:http';

/** How long the rest of a body may take to arrive. */
const REST_MS = 10_000;
/** 32 MiB pass in a second. */
const BETWEEN_PIECES_MS = 2;

const passing = new WeakSet<IncomingMessage>();

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
    setTimeout(() => body.resume(), BETWEEN_PIECES_MS).unref();
  });
  body.resume();
}
