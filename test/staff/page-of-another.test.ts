/** A page of the console does nothing for another person than its own, whatever it asks for. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ConsoleBrowser, OWN, signedIn } from '../support/console.ts';
import type { Answer } from '../support/service.ts';
import { startWithRoutes } from '../support/service-routes.ts';
import { refused } from '../support/world.ts';

const { service, routes } = await startWithRoutes();
const cara = await signedIn(service, 'cara@example.com');
const bert = await signedIn(service, 'bert@example.com');

const BELOW = '/console/api';
const ofCara = { ...OWN, 'Ledgerstone-Person': cara.session.staff.unique_identifier };
const ofBert = { ...OWN, 'Ledgerstone-Person': bert.session.staff.unique_identifier };

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const own = routes.filter(
  ({ url, method, isOpen }) => url.startsWith(`${BELOW}/`) && !isOpen && METHODS.includes(method),
);

/** Sends what the route needs least; refused pages are, before anything of it is read. */
const call = (
  { method, url }: (typeof own)[number],
  browser: ConsoleBrowser,
  headers: Record<string, string>,
): Promise<Answer> => {
  const path = url.slice(BELOW.length).replace(/:\w+/g, 'x').replace('*', 'nothing');
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  return browser.send(method, path, hasBody ? {} : undefined, headers);
};

describe('A page of one person, in a browser in which another has signed in since', () => {
  it('is refused by every operation of the console, and told why', async () => {
    assert.ok(own.length > 100, String(own.length));
    for (const route of own) {
      const answer = await call(route, bert, ofCara);
      const where = `${route.method} ${route.url}`;
      assert.equal(answer.status, 409, `${where}: ${answer.text}`);
      if (route.method !== 'HEAD') refused(answer, 409, 'signed_in_as_another');
    }
    assert.equal((await bert.get('/session')).status, 200, 'nobody was signed out');
  });

  it('is answered as before by those who go on as themselves, or do not say who they are', async () => {
    for (const headers of [ofBert, OWN])
      for (const path of ['/session', '/account', '/v1/accounts', '/v1/events', '/v1/changes'])
        assert.equal((await bert.send('GET', path, undefined, headers)).status, 200, path);
  });

  it('is told whose session answers', async () => {
    for (const path of ['/session', '/v1/events', '/nothing/here'])
      assert.equal(
        (await bert.get(path)).headers.get('ledgerstone-person'),
        bert.session.staff.unique_identifier,
        path,
      );
  });

  it('shows no image for them, which sends no header', async () => {
    const image = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'image' };
    for (const route of own.filter(({ url }) => url.endsWith('/images/:index'))) {
      const path = route.url.slice(BELOW.length).replace(/:\w+/g, '0');
      const asked = (person: ConsoleBrowser['cookie']) =>
        bert.send('GET', `${path}?person=${person}`, undefined, image);
      refused(await asked(cara.session.staff.unique_identifier), 409, 'signed_in_as_another');
      refused(await asked(bert.session.staff.unique_identifier), 404, 'resource_missing');
    }
  });
});
