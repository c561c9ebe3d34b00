/**
 * Shares this thread among keys: when a turn of the event loop has taken long,
 * what else it has brought waits, and goes on key by key. However many
 * connections one key has, another one's request is among the next. And its
 * connection is: the system gives one in a turn, so turns are short while
 * more come, or whoever comes behind hundreds would wait for hundreds of long turns.
 */
import type { FastifyInstance } from 'fastify';
import { FairQueue } from '../fair/queue.ts';

/** For how long requests of one turn start at once. */
const TURN_MS = 10;
/** For how long none starts while connections come. */
const ACCEPTING_MS = 20;
/** How many waiting requests start in a turn: as many as a turn has time for. */
const AT_ONCE = { first: 8, most: 256 };

/** Added after authentication, when the caller is known. */
export function takeTurns(server: FastifyInstance): void {
  const waiting = new FairQueue<() => void>();
  let began = 0;
  let begun = false;
  let atOnce = AT_ONCE.first;
  let came = false;
  let lastStart = 0;

  const endTurn = (): void => {
    if (waiting.isEmpty) {
      begun = false;
      return;
    }
    const now = performance.now();
    const isAccepting = came && now < lastStart + ACCEPTING_MS;
    came = false;
    if (isAccepting) {
      began = now;
      setImmediate(endTurn);
      return;
    }
    lastStart = now;
    atOnce = now - began < TURN_MS ? Math.min(2 * atOnce, AT_ONCE.most) : Math.max(1, atOnce >> 1);
    began = now;
    setImmediate(endTurn);
    for (let count = 0; count < atOnce; count++) waiting.shift()?.();
  };

  server.server.on('connection', () => {
    came = true;
  });
  server.addHook('onRequest', (request, _reply, done) => {
    if (!begun) {
      begun = true;
      began = performance.now();
      setImmediate(endTurn);
    } else if (came || !waiting.isEmpty || performance.now() - began >= TURN_MS) {
      waiting.push(request.principal?.key ?? '', done);
      return;
    }
    done();
  });
}
