/** Requests by HTTPS that trust one certificate alone. */
import { Agent, request } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** A client with one connection, which it makes when it is first used and keeps. */
export function secureClient(url: string, ca: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  return {
    /** The answer, and the name that the service's certificate has, as the connection was made. */
    get: (path: string, headers: Readonly<Record<string, string>> = {}) =>
      new Promise<{ status: number; text: string; name: string }>((resolve, reject) => {
        const sent = request(url + path, { agent, headers, timeout: 10_000 }, (answer) => {
          const { CN: name = '' } = (answer.socket as TLSSocket).getPeerCertificate().subject;
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, text, name: String(name) }),
          );
        });
        sent
          .on('error', reject)
          .on('timeout', () => sent.destroy(new Error('No answer.')))
          .end();
      }),
    /** Closes the connection, which is kept until then. */
    close: () => agent.destroy(),
  };
}
