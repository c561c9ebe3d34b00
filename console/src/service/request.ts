/** Sends the requests of the console: with the session, and a header that no other site can send. */

export const BASE = `${location.origin}/console/api`;

export function send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('Authorization');
  headers.set('Ledgerstone-Console', '1');
  return fetch(input, { ...init, headers, credentials: 'same-origin' });
}
