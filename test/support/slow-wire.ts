/** A wire to a server that can be slow, or carry nothing for a while: a proxy of its own. */

import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { whenOver } from './at-end.ts';
import { listening } from './local-server.ts';

/** A wire to that port of this machine; gone when the test is over. */
export async function slowWire(port: number) {
  const sockets = new Set<Socket>();
  let carries: PromiseWithResolvers<void> | undefined;
  const server = createServer(async (near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    await Promise.all([carry(near, far), carry(far, near)]);
  });
  const carry = async (from: Socket, to: Socket): Promise<void> => {
    try {
      for await (const bytes of from) {
        if (wire.delayMs > 0) await pause(wire.delayMs);
        await carries?.promise;
        to.write(bytes);
      }
    } catch {
      // The other end learns of it below.
    }
    await carries?.promise;
    to.destroySoon();
  };
  const wire = {
    port: await listening(server),
    /** Milliseconds that whatever is carried takes longer, each way. */
    delayMs: 0,
    /** Carries nothing, and keeps what is sent; connections stay, and can be made. */
    hush: () => {
      carries ??= Promise.withResolvers();
    },
    /** Carries on, with what it kept. */
    carryOn: () => {
      carries?.resolve();
      carries = undefined;
    },
  };
  whenOver(() => {
    wire.carryOn();
    for (const socket of sockets) socket.destroy();
  });
  return wire;
}
