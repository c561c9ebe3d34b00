/** A wire to a PostgreSQL server that tells which statements went over it. */
import { connect, createServer, type Socket } from 'node:net';
import { whenOver } from './at-end.ts';
import { listening } from './local-server.ts';

/** The same database over that wire, and what was sent since it was last taken. */
export async function tappedPostgres(url: string) {
  let sent: string[] = [];
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(url);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    const read = statementsOf((text) => sent.push(text));
    near.on('data', read);
    near.pipe(far);
    far.pipe(near);
  });
  const tapped = new URL(url);
  tapped.host = `127.0.0.1:${await listening(server)}`;
  whenOver(() => {
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: tapped.href,
    take(): readonly string[] {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
}

/** Reads the messages of a client: each but the first has a letter, then its length. */
function statementsOf(found: (text: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isFirst = true;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      const [kind, body] = [String.fromCharCode(rest[0] ?? 0), rest.subarray(head + 4, end)];
      // A request for encryption comes before the first message, and has a length alone and a number.
      const isRequest = isFirst && body.length === 4;
      rest = rest.subarray(end);
      if (isFirst) isFirst = isRequest;
      else if (kind === 'Q') found(body.subarray(0, -1).toString());
      else if (kind === 'P') found(body.toString().split('\0')[1] ?? '');
    }
  };
}
