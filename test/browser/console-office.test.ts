/** What an office stumbles over: tabs for programs, heads on a phone, text that a reload would lose, marks in names. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newWindow, openTab } from '../support/browser.ts';
import { administrator, invitation, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { isSound, openConsole, openScreen, windowFor } from '../support/console-page.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround();
const ada = await administrator(service, 'ada@example.com');
const phone = { viewport: { width: 390, height: 844 } };

describe('an office', { skip }, () => {
  it('types a name into an invitation at once, and Enter creates the passkey where a password may be chosen, too', async () => {
    const token = await invitation(service, 'margaret@example.com');
    const window = await newWindow(browser, {});
    const { page } = await openTab(
      window,
      `${service.url.replace('127.0.0.1', 'localhost')}/console/#/invitation/${token}`,
    );
    const devtools = await window.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await page.getByRole('button', { name: 'Create a passkey' }).waitFor();
    await page.keyboard.type('Margaret Hale');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.getByText('Margaret Hale').waitFor();
  });

  it('sees a family without what is for programs, which administrators find in the menu', async () => {
    const { page } = await openConsole(browser, ada, `events/${made.event}`);
    const tabs = page.getByRole('navigation', { name: 'Service' }).getByRole('link');
    await tabs.first().waitFor();
    assert.deepEqual(await tabs.allTextContents(), ['Record', 'History']);
    await page.getByLabel('More', { exact: true }).click();
    await page.getByRole('link', { name: 'JSON' }).click();
    await page.getByText('"full_name": "Jane Doe"').waitFor();
    assert.deepEqual(await tabs.allTextContents(), ['Record', 'History', 'JSON']);
  });

  it('reads staff, keys and lists on a phone: each right by itself, and no button alone in a row', async () => {
    await service.newKey({ name: 'Lobby', permissions: ['read'], allow: ['hold', 'requests'] });
    const window = await windowFor(browser, ada, phone);
    for (const [path, text] of [
      ['staff', 'ada@example.com'],
      ['keys', 'Lobby'],
      ['removed', 'Nothing was removed'],
      ['events', 'Jane Doe'],
      ['', 'Services today'],
    ] as const) {
      const { page } = await openScreen(window, ada, path);
      await page.locator('main').getByText(text).first().waitFor();
      const title = await page.locator('h1').boundingBox();
      const reload = await page.getByRole('button', { name: 'Reload' }).boundingBox();
      assert.ok(title && reload, path);
      assert.ok(
        reload.y < title.y + title.height && reload.x > title.x,
        `${path}: beside its title`,
      );
      await isSound(page);
      await page.close();
    }
    const { page } = await openScreen(window, ada, 'keys');
    const key = page.getByRole('row').filter({ hasText: 'Lobby' });
    await key.getByText('Hold and release', { exact: true }).waitFor();
  });

  it('passes the navigation with the first Tab on a screen, by the keyboard alone', async () => {
    const { page } = await openConsole(browser, ada, 'direct_mail_replies');
    await page.getByRole('link', { name: 'Samuel Kowalski' }).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
  });

  it('reads what a card ticks in whole words, beside a long question, in a narrow column', async () => {
    const question = 'Please send me a planning guide';
    const reply = {
      location_unique_identifier: made.locations[0],
      external_identifier: 'ticked',
      image_urls: ['https://images.example.com/ticked.jpg'],
      additional_metadata: { [question]: 'yes' },
    };
    const { body } = await service.json('/v1/direct_mail_replies/upsert', reply);
    const viewport = { width: 1100, height: 800 };
    const path = `direct_mail_replies/${body.unique_identifier}`;
    const { page } = await openConsole(browser, ada, path, { viewport });
    await page.getByText(question).waitFor();
    const tick = await page.getByText('yes', { exact: true }).boundingBox();
    assert.ok(tick !== null && tick.width > tick.height, JSON.stringify(tick));
  });

  it('is asked before a reload drops what they typed', async () => {
    const { page } = await openConsole(browser, ada, `events/${made.event}`);
    await page.getByRole('button', { name: 'Add visitor' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Ivy Newcomer');
    const asked: string[] = [];
    page.on('dialog', (one) => {
      asked.push(one.type());
      void one.dismiss();
    });
    void page.evaluate('location.reload()').catch(() => undefined);
    await until(() => asked.length > 0);
    assert.deepEqual(asked, ['beforeunload']);
    assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Ivy Newcomer');
  });

  it('reads on after a name with a mark that turns what follows, on each screen that shows it', async () => {
    const put = async (path: string, body: object) => {
      const answer = await service.json(`/v1/${path}/upsert`, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.unique_identifier as string;
    };
    const event = await put('events', {
      ...{ location_unique_identifier: made.locations[0], external_identifier: 'turned' },
      ...{ event_name: 'Wake', event_datetime: new Date().toISOString() },
      person: { full_name: 'Tur\u202ened Service' },
    });
    const visitor = (name: string) =>
      put('event_check_in_records', {
        ...{ event_unique_identifier: event, external_identifier: name },
        ...{ visitor_full_name: name, visitor_phone_number: '+14155550177' },
      });
    await visitor('Tur\u202ened Visitor');
    await put('event_administrators', {
      ...{ event_unique_identifier: event, external_identifier: 'kin' },
      ...{ person_full_name: 'Tur\u202ened Kin', person_phone_number: '+14155550178' },
    });
    const gone = await visitor('Tur\u202ened Gone');
    const account = service.account.unique_identifier;
    const allow = ['erase', 'hold', 'audit'];
    const officer = await signedIn(service, 'officer@example.com', { allow });
    await officer.post('/account', { name: 'Tur\u202ened Officer' });
    const removed = await officer.send('DELETE', `/v1/event_check_in_records/${gone}`);
    assert.equal(removed.status, 200, removed.text);
    const held = await officer.post('/v1/holds', { account, record: event, matter: 'Case 7' });
    assert.equal(held.status, 200, held.text);
    const begun = await officer.post('/v1/erasures', { account, names: ['Turned Visitor'] });
    const window = await windowFor(browser, officer);
    for (const [path, text] of [
      ['', 'Turned Service'],
      ['events', 'Turned Service'],
      [`events/${event}`, 'Turned Visitor'],
      ['event_check_in_records', 'Turned Visitor'],
      ['event_administrators', 'Turned Kin'],
      ['removed', 'Turned Gone'],
      ['holds', 'Turned Service'],
      ['audit', 'Turned Officer'],
      [`privacy/${begun.body.unique_identifier}`, 'Privacy'],
    ] as const) {
      const { page } = await openScreen(window, officer, path);
      await page.getByText(text).locator('visible=true').first().waitFor();
      assert.doesNotMatch(await page.locator('main').innerText(), /\u202e/, path);
      await page.close();
    }
    const { page } = await openScreen(window, officer, 'find');
    await page.getByRole('searchbox').fill('5550177');
    await page.getByRole('link', { name: /Turned Visitor/ }).waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), /\u202e/);
  });

  it('calls by its identifier what has a name that nobody sees', async () => {
    const unseen = '\u200b \u2060';
    const put = async (path: string, external_identifier: string, body: object) => {
      const answer = await service.json(`/v1/${path}/upsert`, { external_identifier, ...body });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.unique_identifier as string;
    };
    const { account } = service;
    const location_unique_identifier = await put('locations', 'unseen', {
      account_unique_identifier: account.unique_identifier,
      location_name: unseen,
    });
    const event_unique_identifier = await put('events', 'unseen event', {
      ...{ location_unique_identifier, event_datetime: new Date().toISOString() },
      ...{ event_name: unseen, person: { full_name: unseen } },
    });
    const kin = await put('event_administrators', 'unseen kin', {
      ...{ event_unique_identifier, person_full_name: unseen },
      person_phone_number: '+14155550180',
    });
    const visitor = await put('event_check_in_records', 'unseen visitor', {
      ...{ event_unique_identifier, visitor_full_name: unseen },
      visitor_phone_number: '+14155550179',
    });
    const reader = await signedIn(service, 'reads@example.com');
    const window = await windowFor(browser, reader);
    for (const [path, id, name] of [
      ['locations', location_unique_identifier, 'unseen'],
      ['events', event_unique_identifier, 'unseen event'],
      ['event_check_in_records', visitor, 'unseen visitor'],
      ['event_administrators', kin, 'unseen kin'],
    ] as const) {
      const { page } = await openScreen(window, reader, path);
      const link = page.locator(`main a[href$="${path}/${id}"]`).first();
      // A list does not have what a system calls it.
      assert.ok([name, id].includes((await link.innerText()).trim()), path);
      await link.click();
      await page.getByRole('heading', { name, exact: true }).first().waitFor();
      await page.close();
    }
  });
});
