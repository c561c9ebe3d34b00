/** Requests by HTTPS that trust one certificate alone. */
import { Agent, request } from 'node:https';
import type { TLSSocket } from 'node:tls';

type Headers = Readonly<Record<string, string>>;

/** A client with one connection, which it makes when it is first used and keeps. */
export function secureClient(url: string, ca: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  const send = (method: string, path: string, headers: Headers, body?: string) =>
    new Promise<{ status: number; text: string; name: string }>((resolve, reject) => {
      const sent = request(url + path, { method, agent, headers, timeout: 10_000 }, (answer) => {
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
        .end(body);
    });
  return {
    /** The answer, and the name that the service's certificate has, as the connection was made. */
    get: (path: string, headers: Headers = {}) => send('GET', path, headers),
    post: (path: string, body: object, headers: Headers = {}) =>
      send('POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body)),
    /** Closes the connection, which is kept until then. */
    close: () => agent.destroy(),
  };
}
