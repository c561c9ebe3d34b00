/** A wire to a server that is cut at a word: a proxy of its own. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface CutWire {
  readonly port: number;
  /** Cuts a connection once, as soon as such bytes are to be carried that way, and does not carry them. */
  cutAt(way: 'there' | 'back', word: string): void;
  /** The next cut is one of all connections, and none can be made after it. */
  staysCut: boolean;
}

/** A wire to that port of this machine; gone when the test is over. */
export async function cutWire(test: TestContext, port: number): Promise<CutWire> {
  const sockets = new Set<Socket>();
  let cut: { way: 'there' | 'back'; word: string } | undefined;
  let refusing = false;
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
        if (cut?.way === way && bytes.includes(cut.word)) {
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  test.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const wire: CutWire = {
    port: address.port,
    staysCut: false,
    cutAt: (way, word) => {
      cut = { way, word };
    },
  };
  return wire;
}
