/** TLS in the process: sits between the connections of a server and its HTTP parser. */
import { unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  type Certificate,
  type CertificateFiles,
  readCertificate,
} from '../../core/network/certificate.ts';
import type { Events } from '../../core/observe/events.ts';
import { SettingsError } from '../../core/settings-error.ts';

/** How often the files are checked. Links are followed, so that it does not matter how they are replaced. */
const LOOK_MS = 2_000;
/** How long to wait after a change: the two files are seldom replaced at the same moment. */
const SETTLE_MS = 1_000;
/** How long a client may take to agree on keys. */
const HANDSHAKE_MS = 10_000;

export type Tls = ReturnType<typeof createTls>;

/** Watches the files from now on. Throws `SettingsError` where they do not fit. */
export function createTls(files: CertificateFiles, notices: Events['tls']) {
  let current: Certificate = readCertificate(files);
  notices.certificateRead(current.until);

  /** Reads the files again. Connections that are open stay as they are. */
  const reload = (): void => {
    try {
      current = readCertificate(files);
      notices.certificateRead(current.until);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      notices.certificateRefused(error.message);
    }
  };

  let settling: NodeJS.Timeout | undefined;
  const changed = (): void => {
    settling ??= setTimeout(() => {
      settling = undefined;
      reload();
    }, SETTLE_MS).unref();
  };
  const paths = [...new Set([files.cert, files.key])];
  for (const path of paths) watchFile(path, { interval: LOOK_MS, persistent: false }, changed);

  return {
    /** When the certificate in use ends, in milliseconds since 1970. */
    get until() {
      return current.until;
    },
    /**
     * Encrypts the connections that the server takes. To be called when all that look after its connections listen: they
     * get the encrypted ones, from the moment that they are accepted.
     */
    protect(server: Server): void {
      const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
      server.removeAllListeners('connection');
      server.on('connection', (raw) => {
        const socket = new TLSSocket(raw, {
          isServer: true,
          secureContext: current.context,
          ALPNProtocols: ['http/1.1'],
        });
        endWhereBroken(socket);
        for (const listener of listeners) listener.call(server, socket);
      });
    },
    reload,
    close(): void {
      clearTimeout(settling);
      for (const path of paths) unwatchFile(path, changed);
    },
  };
}

/** Nothing can be said to a client that does not agree on keys, or breaks them: its connection is closed without a word. */
function endWhereBroken(socket: TLSSocket): void {
  const late = setTimeout(() => socket.destroy(), HANDSHAKE_MS).unref();
  socket.once('secure', () => clearTimeout(late));
  socket.once('close', () => clearTimeout(late));
  // Node reports bytes that cannot be decrypted in no other way.
  socket.on('_tlsError', () => socket.destroy());
}
