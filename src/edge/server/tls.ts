/** TLS in the process: sits between the connections of a server and its HTTP parser. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { markOf, textOf } from '../../core/aside/named-files.ts';
import {
  type Certificate,
  type CertificateFiles,
  certificateOf,
  readCertificate,
} from '../../core/network/certificate.ts';
import type { Events } from '../../core/observe/events.ts';
import { SettingsError } from '../../core/settings-error.ts';

/** How often the files are looked at. Links are followed, so that it does not matter how they are replaced. */
const LOOK_MS = 2_000;
/** How long to wait after a change: the two files are seldom replaced at the same moment. */
const SETTLE_MS = 1_000;
/** Before a disk is looked at again that did not answer: each look is a process. */
const HUNG_MS = 60_000;
/** How long a client may take to agree on keys. */
const HANDSHAKE_MS = 10_000;

export type Tls = Awaited<ReturnType<typeof createTls>>;

/** Watches the files from now on, and waits for their disk now alone. Throws `SettingsError` where they do not fit. */
export async function createTls(files: CertificateFiles, notices: Events['tls']) {
  const [cert, key] = [
    { setting: 'TLS_CERT', path: files.cert },
    { setting: 'TLS_KEY', path: files.key },
  ];
  const marksNow = async () => `${await markOf(cert)} ${await markOf(key)}`;
  let marks = await marksNow().catch((error) => {
    if (error instanceof SettingsError) throw error;
    // No process can be begun: the files are read here, and again once one can look at them.
    return '';
  });
  let current: Certificate = readCertificate(files);
  notices.certificateRead(current.until);
  const closing = new AbortController();
  const wait = (ms: number) => pause(ms, undefined, { signal: closing.signal, ref: false });

  /** Reads the files again. Connections that are open stay as they are. */
  async function reload(): Promise<void> {
    try {
      const texts = { cert: await textOf(cert), key: await textOf(key) };
      current = certificateOf(files, texts);
      notices.certificateRead(current.until);
    } catch (error) {
      notices.certificateRefused((error as Error).message);
    }
  }

  async function watch(): Promise<void> {
    let isSilent = false;
    while (!closing.signal.aborted) {
      try {
        await wait(isSilent ? HUNG_MS : LOOK_MS);
        const found = await marksNow();
        isSilent = false;
        if (found === marks) continue;
        await wait(SETTLE_MS);
        marks = await marksNow();
        await reload();
      } catch (error) {
        if (closing.signal.aborted) return;
        if (!isSilent) notices.certificateRefused((error as Error).message);
        isSilent = true;
      }
    }
  }
  void watch();

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
      closing.abort();
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
