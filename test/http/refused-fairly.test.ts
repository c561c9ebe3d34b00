/** Requests that are refused wait like any others: another key's request is among the next. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { joinService, type Service } from '../support/service.ts';

const CONNECTIONS = 16;
const ON_EACH = 200;
/**
 * As many requests begin in a tick of the event loop, at most. The other's request is sent in one tick, read in the
 * next, answered in the third, and its answer read in the fourth.
 */
const A_TICK = 256;

const REFUSED: Readonly<Record<string, (service: Service) => string>> = {
  'paths that are not there': ({ key }) =>
    `GET /v1/event_check_in_recorts/evt_0000000000000000000000/versions/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  'requests without Host': () => 'GET /v1/me HTTP/1.1\r\n\r\n',
  'requests of another site': () =>
    'GET /console/api/me HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n',
};

for (const [what, requestOf] of Object.entries(REFUSED)) {
  it(`${what} keep no other key waiting`, async () => {
    const service = await joinService();
    const { secret: other } = await service.newKey();
    const answersOther = async () =>
      assert.equal((await service.get('/v1/me', { key: other })).status, 200);
    // Its connection is there, and its key is known: what is measured is the wait for others.
    await answersOther();
    const { hostname, port } = new URL(service.url);
    let answers = 0;
    const sockets = Array.from({ length: CONNECTIONS }, () =>
      connect(Number(port), hostname)
        .on('data', (bytes) => {
          answers += bytes.toString().split('HTTP/1.1 4').length - 1;
        })
        .on('error', () => {}),
    );
    whenOver(() => {
      for (const socket of sockets) socket.destroy();
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(requestOf(service).repeat(ON_EACH));
    while (answers === 0) await new Promise((resolve) => setImmediate(resolve));
    await answersOther();
    assert.ok(answers < 4 * A_TICK, `${answers} were answered first`);
  });
}
