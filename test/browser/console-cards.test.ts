/** What people see where there is no image, where they are signed in, and where links lead. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserName } from '../../console/src/values/browser-name.ts';
import { emailLink } from '../../console/src/values/contact.ts';
import { browserAt, PASSWORD, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { flaws, openConsole } from '../support/console-page.ts';
import { localServer } from '../support/local-server.ts';

const at = await localServer(({ url }, response) => {
  if (url === '/page.jpg') response.end('<html><script>alert(1)</script>');
  else response.writeHead(404).end();
});
const settings = { webhook_allow: '127.0.0.1' };
const { browser, skip, service, made } = await consoleGround({ settings });
const person = await signedIn(service);

describe('a card of which there is no image', { skip }, () => {
  const reply = async (...image_urls: string[]): Promise<string> => {
    const { body } = await service.json('/v1/direct_mail_replies/upsert', {
      location_unique_identifier: made.locations[0],
      external_identifier: 'faulty',
      image_urls,
      respondent_person: { full_name: 'Olive Grant' },
    });
    return body.unique_identifier;
  };
  const WHYS = [
    ['is no JPEG', `${at}/page.jpg`, 'What its URL answers is not a JPEG.'],
    ['has a dead link', `${at}/gone.jpg`, 'Its URL answers with status 404.'],
    ['leads into a private network', 'http://10.0.0.1/', 'leads to an address that is not public'],
  ] as const;

  for (const [what, url, why] of WHYS) {
    it(`${what}: it says so, and the record can be read all the same`, async () => {
      const card = await reply(url);
      for (const path of [
        `direct_mail_replies?view=cards&card=${card}`,
        `direct_mail_replies/${card}`,
      ]) {
        const { page } = await openConsole(browser, person, path);
        await page.getByText(why).waitFor();
        await page.getByText('Olive Grant').first().waitFor();
        assert.deepEqual(await flaws(page), []);
        await page.close();
      }
    });
  }

  it('and the next image of the same card is asked for by itself', async () => {
    const card = await reply(`${at}/gone.jpg`, `${at}/page.jpg`);
    const path = `direct_mail_replies?view=cards&card=${card}`;
    const { page } = await openConsole(browser, person, path);
    await page.getByText('status 404').waitFor();
    await page.locator('form.beside input:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowRight');
    await page.getByText('is not a JPEG').waitFor();
    await page.getByText('Image 2 of 2').waitFor();
  });
});

describe('whoever ends all their other sessions', { skip }, () => {
  it('signs the other browser out without any action there', async () => {
    const own = await signedIn(service, 'twice@example.com');
    const elsewhere = browserAt(service);
    await elsewhere.post('/sign_in', { email: 'twice@example.com', password: PASSWORD });
    const other = await openConsole(browser, elsewhere, 'events');
    await other.page.getByRole('link', { name: 'Jane Doe' }).waitFor();
    // Who looks at it may be known only long after the page is there.
    const loaded = Promise.withResolvers<void>();
    await other.page.route('**/console/api/session', async (route) => {
      await loaded.promise;
      await route.continue();
    });
    const follows = other.page.waitForRequest((request) => request.url().includes('wait=25'));
    await other.page.reload();
    loaded.resolve();
    await other.page.getByRole('link', { name: 'Jane Doe' }).waitFor();
    await follows;
    const { page } = await openConsole(browser, own, 'account');
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' });
    // A look that failed, as on a busy machine, is taken again after a quarter of a minute.
    await other.page.getByText('Your session has ended.').waitFor({ timeout: 40_000 });
    assert.equal((await elsewhere.get('/session')).status, 401);
    // Here they go on.
    await page.getByRole('link', { name: 'Services', exact: true }).click();
    await page.getByRole('link', { name: 'Jane Doe' }).waitFor();
  });
});

it('An email address as a link adds no recipients and no text', () => {
  for (const address of [
    'jane@example.com',
    'x?bcc=evil@example.com',
    'a@example.com,b@example.com',
    'x@example.com?body=a&cc=b#c',
    '50% off@example.com',
  ]) {
    const { pathname, search, hash } = new URL(emailLink(address));
    assert.deepEqual([decodeURIComponent(pathname), search, hash], [address, '', '']);
    // A comma would part two recipients.
    assert.doesNotMatch(pathname, /[,;]/);
  }
  assert.equal(emailLink('jane@example.com'), 'mailto:jane@example.com');
});

const like = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const NAMES = {
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/150.0.0.0 Safari/537.36`]:
    'Chrome, Windows',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`]:
    'Edge, Windows',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15':
    'Safari, Mac',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0 Mobile/15E148 Safari/604.1':
    'Chrome, iPhone',
  'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0': 'Firefox, Linux',
  'curl/8.5.0': 'curl/8.5.0',
};

it('A browser is named as people name it, and what is unknown as it names itself', () => {
  for (const [said, name] of Object.entries(NAMES)) assert.equal(browserName(said), name);
});
