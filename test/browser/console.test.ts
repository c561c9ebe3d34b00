/** People work with the console in a real browser: they sign in, look, correct, remove and bring back. */
// needs: browser, long

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { open } from '../support/browser.ts';
import { refusedWithinASecond } from '../support/cli-service.ts';
import { administrator, invitation, PASSWORD, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { openConsole, violations } from '../support/console-page.ts';
import { answered, resize } from '../support/console-settled.ts';
import { visitorBody } from '../support/sent.ts';
import { until } from '../support/until.ts';

const { browser, skip, service, made } = await consoleGround();
const person = await signedIn(service);

const signIn = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  if (await dialog.getByLabel('Email').isVisible()) await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/** What can be done with a row is in its menu. */
const choose = async (page: Page, row: string, doing: string): Promise<void> => {
  await page.getByLabel(`More: ${row}`).click();
  await page
    .locator('main')
    .getByRole('button', { name: `${doing} …` })
    .click();
};

const visitor = async (): Promise<Record<string, unknown>> =>
  (await service.get(`/v1/event_check_in_records/${made.visitor}`)).body;

describe('whoever signs in', { skip }, () => {
  it('takes an invitation up once', async () => {
    const token = await invitation(service, 'new@example.com');
    const link = `${service.url}/console/#/invitation/${token}`;
    const { page } = await open(browser, link);
    await page.getByText('You are invited as new@example.com.').waitFor();
    await page.getByLabel('Your name').fill('Robin Example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.getByText('Robin Example').waitFor();
    const { page: again } = await open(browser, link);
    await again.getByRole('alert').waitFor();
    assert.equal(await again.getByLabel('Password', { exact: true }).count(), 0);
    await Promise.all([page.context().close(), again.context().close()]);
  });

  it('makes a passkey, and signs in with it', async () => {
    const token = await invitation(service, 'key@example.com', { role: 'administrator' });
    // Browsers know no passkeys for an address that is a number.
    const url = service.url.replace('127.0.0.1', 'localhost');
    const { page } = await open(browser, `${url}/console/#/invitation/${token}`);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.getByText('Administrators sign in with a passkey.').waitFor();
    // Enter does what the only button does, once that is there.
    await page.getByRole('button', { name: 'Create a passkey' }).waitFor();
    await page.getByRole('textbox').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.getByText('key@example.com').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('key@example.com').waitFor();
  });

  it('comes back to the link that they followed', async () => {
    const { page } = await open(browser, `${service.url}/console/events/${made.event}?tab=history`);
    await signIn(page, 'editor@example.com', 'not the password at all');
    await page.getByRole('alert').waitFor();
    const said = await page.getByRole('alert').innerText();
    const refused = page.waitForResponse((answer) => answer.url().endsWith('/sign_in'));
    await signIn(page, 'nobody@example.com', 'not the password at all');
    await refused;
    await answered(page);
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByRole('alert').innerText(), said);
    await signIn(page, 'editor@example.com');
    await page.getByText('Version 1').waitFor();
    assert.match(page.url(), /tab=history$/);
  });

  it('loses nothing that they typed when the session ends', async () => {
    const own = await signedIn(service, 'typing@example.com');
    const { page } = await openConsole(browser, own, `event_check_in_records/${made.visitor}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Relationship').fill('cousin');
    await own.post('/sign_out');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    assert.equal(
      ((await visitor()).public_data as Record<string, unknown>).visitor_relationship_to_deceased,
      'cousin',
    );
  });

  it('sees their own location alone, and what they may do', async () => {
    const [, river = ''] = made.locations;
    const viewer = await signedIn(service, 'viewer@example.com', {
      role: 'viewer',
      anchors: [river],
    });
    const { page } = await openConsole(browser, viewer, 'events');
    await page.getByRole('link', { name: 'Walter Moreno' }).waitFor();
    assert.equal(await page.getByText('Jane Doe').count(), 0);
    await page.goto(`${service.url}/console/events/${made.event}`);
    await page.getByText('It no longer exists').waitFor();
    await page.goto(`${service.url}/console/events`);
    await page.getByRole('link', { name: 'Walter Moreno' }).click();
    await page.getByRole('heading', { name: 'Walter Moreno' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0);
  });
});

describe('whoever corrects a record', { skip }, () => {
  it('types a phone number as people do, sees what will be stored, and saves by keys', async () => {
    const { page } = await openConsole(browser, person, `event_check_in_records/${made.visitor}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Phone').fill('(415) 555-0199');
    await page.getByLabel('Phone').fill('415.555.0199');
    await page.getByText('Will be stored as (415) 555-0199').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Saved.').waitFor();
    assert.equal((await visitor()).visitor_phone_number, '+14155550199');
    await page.getByRole('definition').filter({ hasText: '(415) 555-0199' }).waitFor();
  });

  it('pastes a phone number with the hyphens and marks of other programs, and learns why one is refused', async () => {
    const { page } = await openConsole(browser, person, `event_check_in_records/${made.visitor}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const field = page.getByRole('textbox', { name: 'Phone' });
    const pasted = [
      '(415) 555\u20110188',
      '\u200b415\u2013555\u22120188',
      '\u202a+1 415 555\u00ad-0188\u202c',
      '\u2066(415)\u00a0555\u20100188\u2069',
    ];
    for (const text of pasted) {
      await field.fill('');
      await field.fill(text);
      await page.getByText('Will be stored as (415) 555-0188').waitFor();
    }
    await field.fill('415 555 0188 ext. 4');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Phone cannot have an extension: remove “ext. 4”').waitFor();
    await field.fill(pasted[1] ?? '');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Saved.').waitFor();
    assert.equal((await visitor()).visitor_phone_number, '+14155550188');
  });

  it('is told beside the field what is wrong, and keeps what they typed', async () => {
    const { page } = await openConsole(browser, person, `event_check_in_records/${made.visitor}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Phone' }).fill('nobody');
    await page.getByRole('button', { name: 'Save' }).click();
    const field = page.getByRole('textbox', { name: 'Phone' });
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByText('Phone is not a phone number').waitFor();
    assert.equal(await field.inputValue(), 'nobody');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await field.fill('(415) 555-0199');
    await page.getByText('Phone is not a phone number').waitFor({ state: 'detached' });
    assert.equal(await page.getByText('Some values were refused.').count(), 0);
    assert.equal(await field.getAttribute('aria-invalid'), 'false');
  });

  it('overwrites no change: of two people who change one field, the second chooses', async () => {
    const { page } = await openConsole(browser, person, `event_check_in_records/${made.visitor}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Ella Frost-Ruiz');
    await page.getByRole('textbox', { name: 'Relationship' }).fill('niece');
    const { status } = await service.patch(`/v1/event_check_in_records/${made.visitor}`, {
      visitor_full_name: 'Ella M. Frost',
    });
    assert.equal(status, 200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('changed this record in the meantime.').waitFor();
    const row = page.getByRole('row', { name: /^Name/ });
    for (const text of ['Ella Frost', 'Ella M. Frost', 'Ella Frost-Ruiz'])
      assert.ok((await row.innerText()).includes(text), text);
    await row.getByRole('radio', { name: /keep Theirs/ }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const after = await visitor();
    assert.equal(after.visitor_full_name, 'Ella M. Frost');
    assert.equal(
      (after.public_data as Record<string, unknown>).visitor_relationship_to_deceased,
      'niece',
    );
  });

  it('sees what goes with a record before it is removed, and brings it back', async () => {
    const event = await service.event(made.locations[1] ?? '', 'to remove');
    for (const index of [1, 2]) {
      await service.json(
        '/v1/event_check_in_records/upsert',
        visitorBody(event, `to remove ${index}`, {
          visitor_full_name: 'Guest',
          visitor_phone_number: '+14155550188',
        }),
      );
    }
    const { page } = await openConsole(browser, person, `events/${event}`);
    await page.getByLabel('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Celebration of life?' });
    await dialog.getByText('2 visitors').waitFor();
    await dialog.getByText('3 records in all.').waitFor();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'Services' }).waitFor();
    assert.equal((await service.get(`/v1/events/${event}`)).status, 404);
    await page.goto(`${service.url}/console/events/${event}`);
    await page.getByRole('button', { name: 'Restore this version' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore this version' }).click();
    // The page of what was removed has the same heading.
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    assert.equal((await service.get(`/v1/events/${event}`)).status, 200);
  });
});

describe('whoever looks through a list', { skip }, () => {
  const rows = (page: Page): Promise<string[]> => page.locator('tbody th').allInnerTexts();
  const put = (index: number, name: string): Promise<unknown> =>
    service.json('/v1/online_arrangements/upsert', {
      location_unique_identifier: made.locations[1],
      external_identifier: `walk-${index}`,
      person_full_name: name,
      cart_summary: 'Memorial service',
      person_phone_number: '+14155550177',
    });

  it('meets every record once while others arrive, and goes back to where they were', async () => {
    for (let index = 0; index < 110; index += 1) await put(index, `Person ${index}`);
    const [, river = ''] = made.locations;
    const { page } = await openConsole(
      browser,
      person,
      `online_arrangements?location_unique_identifier=${river}`,
    );
    await page.getByRole('link', { name: 'Person 109' }).waitFor();
    const seen = await rows(page);
    for (let more = 0; more < 2; more += 1) {
      await put(200 + more, `Late ${more}`);
      await page.getByRole('link', { name: 'Older' }).click();
      const last = seen.at(-1) ?? '';
      await page.getByRole('link', { name: last, exact: true }).waitFor({ state: 'detached' });
      seen.push(...(await rows(page)));
    }
    const expected = Array.from({ length: 110 }, (_, index) => `Person ${109 - index}`);
    assert.deepEqual(seen, expected);
    await page.goBack();
    await page.getByRole('link', { name: 'Person 59', exact: true }).waitFor();
    const row = page.getByRole('link', { name: 'Person 12', exact: true });
    await row.click();
    await page.getByRole('heading', { name: 'Person 12' }).waitFor();
    await page.goBack();
    await row.waitFor();
    await page.locator(':focus', { hasText: 'Person 12' }).waitFor();
    assert.equal(await row.evaluate((one) => one.getBoundingClientRect().top < innerHeight), true);
  });

  it('is told of what is new, and no row moves until they ask', async () => {
    const { page } = await openConsole(browser, person, 'online_arrangements');
    // What is new is told from when the page has begun to follow.
    const followed = page.waitForResponse((answer) => answer.url().includes('/changes'));
    await page.reload();
    await followed;
    await page.getByText('shown').first().waitFor();
    const before = await rows(page);
    await put(300, 'Just Arrived');
    await page.getByRole('button', { name: '1 new arrangement: show' }).waitFor();
    assert.deepEqual(await rows(page), before);
    await page.getByRole('button', { name: '1 new arrangement: show' }).click();
    await page.getByRole('link', { name: 'Just Arrived' }).waitFor();
  });

  it('finds a family with its name in no address, and comes back to what was found', async () => {
    const { page } = await openConsole(browser, person, 'find');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const box = page.locator('input[data-find]');
    await box.fill('moreno');
    await page.getByRole('link', { name: /Walter Moreno/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Walter Moreno' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /Walter Moreno/ }).waitFor();
    assert.equal(await box.inputValue(), 'moreno');
    assert.ok(addresses.some((url) => url.endsWith('/v1/search')));
    assert.deepEqual(
      [...addresses, page.url()].filter((url) => /moreno/i.test(url)),
      [],
    );
    await page.getByRole('link', { name: 'Services', exact: true }).click();
    await page.getByRole('link', { name: 'Find', exact: true }).first().click();
    await box.waitFor();
    assert.equal(await box.inputValue(), '');
  });

  it('works by keys alone, and not while they type', async () => {
    const { page } = await openConsole(browser, person, 'event_check_in_records');
    await page.getByRole('link', { name: 'Ana Ruiz' }).waitFor();
    // Each time the next row, whatever else a row links to.
    const rows = await page.locator('tbody tr').count();
    for (const width of [390, 800, 1280]) {
      await resize(page, { width, height: 900 });
      for (let row = 0; row < rows; row += 1) {
        await page.keyboard.press('j');
        const at =
          "[...document.querySelectorAll('tbody tr th > a')].indexOf(document.activeElement)";
        assert.equal(await page.evaluate(at), row, `${width} wide`);
      }
      await page.evaluate('document.activeElement.blur()');
    }
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /Ella/ }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { level: 1, name: 'Dev Patel' }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('heading', { level: 1, name: /Ella/ }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { level: 1, name: 'Services' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('gs?');
    assert.equal(await page.locator('input[data-find]').inputValue(), 'gs?');
  });

  it('sees why a list cannot be loaded, and it comes as soon as it can', async () => {
    const { page } = await openConsole(browser, person, 'find');
    const error = {
      type: 'api_error',
      code: 'service_unavailable',
      message: 'The service cannot read now.',
      request_id: 'req_counted',
    };
    await page.route('**/v1/events?*', (route) =>
      route.fulfill({ status: 503, headers: { 'Retry-After': '2' }, json: { error } }),
    );
    await page.getByRole('link', { name: 'Services', exact: true }).click();
    await page.getByText('The service cannot read now.').waitFor();
    await page.getByText('req_counted').waitFor();
    await page.getByRole('button', { name: /Trying again in [12] s/ }).waitFor();
    await page.unroute('**/v1/events?*');
    await page.getByRole('link', { name: 'Walter Moreno' }).waitFor();
  });

  it('filters by days and values, and shares the address', async () => {
    const { page } = await openConsole(browser, person, 'events');
    await page.getByRole('link', { name: 'Walter Moreno' }).waitFor();
    await page.getByLabel('Filter by Date and time').click();
    await page.getByRole('button', { name: 'Tomorrow' }).click();
    await page.getByRole('link', { name: 'Jane Doe' }).waitFor({ state: 'detached' });
    assert.deepEqual(await rows(page), ['Walter Moreno']);
    const { page: other } = await openConsole(
      browser,
      person,
      page.url().split('/console/')[1] ?? '',
    );
    await other.getByRole('link', { name: 'Walter Moreno' }).waitFor();
    assert.deepEqual(await rows(other), ['Walter Moreno']);
    await Promise.all([page.context().close(), other.context().close()]);
  });

  it('is shown what partners send as text, whatever it looks like', async () => {
    const name = '<img src=x onerror=alert(1)> =cmd()|"x"';
    await put(400, name);
    const { page, complaints } = await openConsole(browser, person, 'online_arrangements');
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    // The page gives up what it still requests for a screen that is left.
    await page.waitForLoadState('networkidle');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('created this record').first().waitFor();
    assert.deepEqual(complaints, []);
  });
});

describe('a direction mark in a name', { skip }, () => {
  it('turns nothing that follows it', async () => {
    const location_unique_identifier = made.locations[0];
    await service.json('/v1/online_arrangements/upsert', {
      location_unique_identifier,
      external_identifier: 'turned',
      person_full_name: 'Ada\u202e Lovelace',
      cart_summary: 'Memorial service',
      person_phone_number: '+14155550133',
    });
    const { page } = await openConsole(browser, person, 'online_arrangements');
    const row = page.getByRole('row', { name: /Ada Lovelace/ });
    await row.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('created this record').first().waitFor();
    assert.doesNotMatch(await page.locator('body').innerText(), /\u202e/);
  });
});

describe('whoever looks for a family', { skip }, () => {
  /** The index follows the records by a moment. */
  const indexed = async (word: string): Promise<void> => {
    await until(async () => (await service.get(`/v1/search?q=${word}`)).body.data.length > 0);
  };

  it('finds by the start of a name and by the last digits of a phone number, with keys alone', async () => {
    await indexed('jane');
    const { page, complaints } = await openConsole(browser, person, '');
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ja do');
    const found = page.getByRole('link', { name: /Jane Doe/ });
    await found.waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Jane Doe' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('0122');
    await page.getByRole('link', { name: /Cora Lind/ }).waitFor();
    assert.equal(await page.locator('mark').innerText(), '0122');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('nobody of this name');
    await page.getByText('Nothing found').waitFor();
    assert.deepEqual(
      complaints.filter((one) => !/424|^failed/.test(one)),
      [],
    );
  });

  it('and works for one location finds nothing of the others', async () => {
    const [, river = ''] = made.locations;
    const viewer = await signedIn(service, 'finder@example.com', {
      role: 'viewer',
      anchors: [river],
    });
    const { page } = await openConsole(browser, viewer, 'find');
    await page.locator('input[data-find]').fill('doe');
    await page.getByText('Nothing found').waitFor();
    await page.locator('input[data-find]').fill('moreno');
    await page.getByRole('link', { name: /Walter Moreno/ }).waitFor();
  });
});

describe('whoever takes a list away', { skip }, () => {
  it('gets all that the filters mean, with nothing in it that a spreadsheet would run', async () => {
    const [, river = ''] = made.locations;
    for (let index = 0; index < 60; index += 1) {
      await service.json('/v1/direct_mail_replies/upsert', {
        location_unique_identifier: river,
        external_identifier: `csv-${index}`,
        image_urls: ['https://images.example.com/front.jpg'],
        respondent_person: {
          full_name: index === 0 ? '=HYPERLINK("https://example.com")' : `Reader ${index}`,
          phone_number1: '(415) 555-0131',
        },
      });
    }
    const path = `direct_mail_replies?location_unique_identifier=${river}`;
    const { page } = await openConsole(browser, person, path);
    await page.getByRole('link', { name: 'Reader 59' }).waitFor();
    await page.getByLabel('Print or download').click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    assert.equal(lines.length, 61);
    assert.match(lines[0] ?? '', /Name,Phone,Second phone,Email/);
    assert.match(lines[1] ?? '', /Reader 59,\(415\) 555-0131/);
    assert.match(lines.at(-1) ?? '', /"'=HYPERLINK\(""https/);
  });
});

describe('whoever administers', { skip }, () => {
  it('makes a key, whose secret is shown once and works', async () => {
    const { page } = await openConsole(browser, await administrator(service), 'keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a key' });
    await dialog.getByLabel('Name').fill('Lobby tablets');
    await dialog.getByRole('radio', { name: 'Only these kinds' }).check();
    await dialog.getByRole('checkbox', { name: 'Visitors' }).check();
    await dialog.getByRole('radio', { name: 'All locations' }).check();
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    const once = page.getByRole('dialog', { name: 'The secret of the key' });
    const secret = await once.locator('code').innerText();
    await once.getByRole('button', { name: 'Done' }).click();
    assert.equal((await service.get('/v1/event_check_in_records', { key: secret })).status, 200);
    assert.equal((await service.get('/v1/events', { key: secret })).status, 403);
    const row = page.getByRole('row', { name: /Lobby tablets/ });
    assert.match(await row.innerText(), /read, write: Visitors/);
    assert.equal((await page.content()).includes(secret), false);
    await choose(page, 'Lobby tablets', 'Revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    const visitors = '/v1/event_check_in_records';
    await refusedWithinASecond(async () => (await service.get(visitors, { key: secret })).status);
  });

  it('limits a key to addresses and a rate, and is told beside the field what is wrong with one', async () => {
    const own = await administrator(service, 'limiting@example.com');
    const { page } = await openConsole(browser, own, 'keys', {
      colorScheme: 'dark',
      viewport: { width: 820, height: 900 },
    });
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a key' });
    await dialog.getByLabel('Name').fill('Nightly job');
    await dialog.getByRole('radio', { name: 'All kinds of records' }).check();
    await dialog.getByRole('radio', { name: 'All locations' }).check();
    await dialog.getByLabel('Only from these addresses').fill('the office');
    await dialog.getByLabel('Maximum requests').fill('many');
    await dialog.getByLabel('Maximum at once').fill('5');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByText('"the" is neither an address').waitFor();
    await dialog.getByText('Maximum requests must be a number of requests').waitFor();
    assert.equal(await dialog.locator('[aria-invalid=true]').count(), 2);
    assert.deepEqual(await violations(page), []);
    await dialog.getByLabel('Only from these addresses').fill('127.0.0.1, 203.0.113.0/24');
    await dialog.getByLabel('Maximum requests').fill('30');
    await dialog.getByLabel('Per second or minute').selectOption('per minute');
    await dialog.getByLabel('Valid until the end of').fill('2099-12-31');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    const once = page.getByRole('dialog', { name: 'The secret of the key' });
    const { body } = await service.get('/v1/me', { key: await once.locator('code').innerText() });
    assert.deepEqual(body.from, ['127.0.0.1', '203.0.113.0/24']);
    assert.deepEqual([body.requests_a_second, body.requests_at_once], [0.5, 5]);
    // The end of the day in Chicago.
    assert.equal(Date.parse(body.expires_at), Date.parse('2100-01-01T06:00:00Z'));
    await once.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: /Nightly job/ });
    assert.match(
      await row.innerText(),
      /from 127\.0\.0\.1, 203\.0\.113\.0\/24 · 30\/m · 5 at once/,
    );
    await choose(page, 'Nightly job', 'Rotate');
    await page.getByLabel('The old secret stops working').selectOption('now');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog', { name: 'The secret of the key' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Nightly job.*Expired/ }).waitFor();
  });

  it('invites a person to one location, and ends their sessions', async () => {
    const { page } = await openConsole(
      browser,
      await administrator(service, 'second@example.com'),
      'staff',
    );
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a person' });
    await dialog.getByLabel('Email').fill('invited@example.com');
    await dialog.getByRole('radio', { name: /Viewer/ }).check();
    await dialog.getByRole('radio', { name: 'Only these locations' }).check();
    await dialog.getByRole('checkbox', { name: 'Riverside Chapel' }).check();
    await dialog.getByRole('button', { name: 'Invite a person' }).click();
    const link = await page
      .getByRole('dialog', { name: 'The invitation' })
      .locator('code')
      .innerText();
    const { page: theirs } = await open(browser, link);
    await theirs.getByText('You are invited as invited@example.com.').waitFor();
    await theirs.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await theirs.getByRole('button', { name: 'Create the account' }).click();
    await theirs.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    assert.equal(await theirs.getByRole('link', { name: 'Staff' }).count(), 0);
    await page.reload();
    await choose(page, 'invited@example.com', 'Sign out');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out everywhere.').waitFor();
    const ended = theirs.getByText('Your session has ended.');
    // What their page asks by itself once a minute may have told it already.
    const services = theirs.getByRole('link', { name: 'Services', exact: true });
    await Promise.any([services.click(), ended.waitFor()]);
    await ended.waitFor();
    await Promise.all([page.context().close(), theirs.context().close()]);
  });
});
