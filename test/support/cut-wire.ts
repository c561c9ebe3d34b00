/** A wire to a server that is cut at a word: a proxy of its own. */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { whenOver } from './at-end.ts';
import { listening } from './local-server.ts';

export interface CutWire {
  readonly port: number;
  /** Cuts a connection once, as soon as such bytes are to be carried that way, and does not carry them. */
  cutAt(way: 'there' | 'back', word: string): void;
  /**
   * Holds bytes back once that are to be carried there with such a word among
   * them, and cuts the connection of who sent them: as a pooler that has not
   * come round to them. They are carried when the function that this resolves
   * to is called, which resolves when the other side has answered them.
   */
  holdAt(word: string): Promise<() => Promise<void>>;
  /** Carries nothing more of a connection there, once, after such a word: as of a process that was stopped while it sent. */
  stallAt(word: string): void;
  /** Whether it has come to such a word. */
  readonly isStalled: boolean;
  /** Carries nothing any more that comes back once such a word was in it, until `cutNow`. */
  delayCutAt(word: string): void;
  cutNow(): void;
  /** The next cut is one of all connections, and none can be made after it. */
  staysCut: boolean;
  /** How often something was sent there after something had come back: the round trips, on connections that are there. */
  readonly roundTrips: number;
}

/** A wire to that port of this machine; gone when the test is over. */
export async function cutWire(port: number): Promise<CutWire> {
  const sockets = new Set<Socket>();
  let cut: { way: 'there' | 'back'; word: string } | undefined;
  let hold: { word: string; held: (release: () => Promise<void>) => void } | undefined;
  let delayed: { word: string; sockets?: readonly Socket[] } | undefined;
  let stall: string | undefined;
  let isStalled = false;
  let refusing = false;
  let roundTrips = 0;
  let last: 'there' | 'back' = 'back';
  const server = createServer((near) => {
    if (refusing) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
    }
    const carry = (way: 'there' | 'back', from: Socket, to: Socket): void => {
      from.on('data', (bytes) => {
        if (way === 'there' && last === 'back') roundTrips += 1;
        last = way;
        if (way === 'there' && hold !== undefined && bytes.includes(hold.word)) {
          const { held } = hold;
          hold = undefined;
          to.removeAllListeners('data');
          from.removeAllListeners('close');
          from.destroy();
          held(async () => {
            to.write(bytes);
            await once(to, 'data');
            to.destroy();
          });
        } else if (way === 'there' && stall !== undefined && bytes.includes(stall)) {
          to.write((bytes as Buffer).subarray(0, bytes.indexOf(stall) + stall.length));
          stall = undefined;
          isStalled = true;
          from.pause();
        } else if (way === 'back' && delayed !== undefined && bytes.includes(delayed.word)) {
          delayed.sockets ??= [near, far];
        } else if (delayed?.sockets?.includes(from)) {
          // Held up behind what was held up.
        } else if (cut?.way === way && bytes.includes(cut.word)) {
          cut = undefined;
          refusing = wire.staysCut;
          for (const socket of refusing ? sockets : [near, far]) socket.destroy();
        } else to.write(bytes);
      });
      from.on('close', () => to.destroy());
    };
    carry('there', near, far);
    carry('back', far, near);
  });
  const own = await listening(server);
  whenOver(() => {
    for (const socket of sockets) socket.destroy();
  });
  const wire: CutWire = {
    delayCutAt: (word) => {
      delayed = { word };
    },
    cutNow: () => {
      for (const socket of delayed?.sockets ?? []) socket.destroy();
      delayed = undefined;
    },
    holdAt: (word) =>
      new Promise((held) => {
        hold = { word, held };
      }),
    port: own,
    get roundTrips() {
      return roundTrips;
    },
    get isStalled() {
      return isStalled;
    },
    staysCut: false,
    stallAt: (word) => {
      stall = word;
    },
    cutAt: (way, word) => {
      cut = { way, word };
    },
  };
  return wire;
}
