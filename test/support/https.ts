/** Requests by HTTPS that trust one certificate alone. */
import { Agent, request } from 'node:https';
import type { TLSSocket } from 'node:tls';

export interface SecureAnswer {
  readonly status: number;
  readonly text: string;
  /** The name that the service's certificate has, as the connection was made. */
  readonly name: string;
}

export interface SecureClient {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<SecureAnswer>;
  /** Closes the connection, which is kept until then. */
  close(): void;
}

/** A client with one connection, which it makes when it is first used and keeps. */
export function secureClient(url: string, ca: string): SecureClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  return {
    get: (path, headers = {}) =>
      new Promise((resolve, reject) => {
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
    close: () => agent.destroy(),
  };
}
