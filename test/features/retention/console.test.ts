/** An officer makes a rule in plain words, looks at what would go, enables it, and sees what its run removed. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signedIn } from '../../support/console.ts';
import { consoleGround } from '../../support/console-ground.ts';
import { isSound, openConsole, saysWhatLacks } from '../../support/console-page.ts';
import { keyed } from '../../support/secret-key.ts';
import { until } from '../../support/until.ts';

const settings = keyed();
const { browser, skip, service, made } = await consoleGround({ settings });
const officer = await signedIn(service, 'officer@example.com', {
  ...{ role: 'viewer', allow: ['erase'] },
});

const VISITORS = '/v1/event_check_in_records';

async function serviceIn(year: number): Promise<string> {
  const { body } = await service.json('/v1/events/upsert', {
    ...{ location_unique_identifier: made.locations[0], external_identifier: `of ${year}` },
    ...{ event_name: 'Visitation', event_datetime: `${year}-03-20T14:30:00Z` },
  });
  return body.unique_identifier;
}

async function visit(event: string, name: string, more: object = {}): Promise<string> {
  const { body } = await service.json(`${VISITORS}/upsert`, {
    ...{ event_unique_identifier: event, external_identifier: `id of ${name}`, ...more },
    ...{ visitor_full_name: name, visitor_phone_number: '+14155550177' },
  });
  return body.unique_identifier;
}

describe('an officer', { skip, concurrency: false }, () => {
  it('makes a rule, previews it, enables it after a word, and reads what it removed', async () => {
    const old = await serviceIn(2019);
    const gone = await visit(old, 'Ada Old');
    const spared = await visit(old, 'Ben Spared', { visitor_interested_in_pre_planning: true });
    const held = await visit(await serviceIn(2020), 'Cleo Held');
    const keeper = await service.newKey({ permissions: ['read'], allow: ['hold'] });
    const account = service.account.unique_identifier;
    await service.json(
      '/v1/holds',
      { account, record: held, matter: 'Case 7' },
      { key: keeper.secret },
    );

    const { page } = await openConsole(browser, officer, '');
    await page.getByRole('link', { name: 'Retention', exact: true }).click();
    await page.getByText('Nothing goes by itself').waitFor();
    await isSound(page);
    await page.getByRole('button', { name: 'Make a rule' }).click();
    const form = page.getByRole('dialog', { name: 'Make a rule' });
    const make = form.getByRole('button', { name: 'Make the rule' });
    // Nobody has said why.
    await saysWhatLacks(make);
    await form.getByText('Remove visitors 3 years after the service.').waitFor();
    await form.getByLabel('Unless').selectOption({ label: 'they asked about pre-planning' });
    await form.getByLabel('Keep them at least').fill('2000');
    await form.getByLabel('Why').fill('Privacy policy, section 4');
    await isSound(page);
    await make.click();
    await form
      .getByText(/at_least_days|Keep them at least, in days/)
      .last()
      .waitFor();
    await form.getByLabel('Keep them at least').fill('30');
    await make.click();
    const sentence =
      'Remove visitors 3 years after the service, unless they asked about pre-planning';
    await page.getByRole('heading', { level: 1, name: sentence }).waitFor();
    const enable = page.getByRole('button', { name: 'Enable' });
    assert.equal(await enable.isDisabled(), true, 'nobody has looked at what would go');
    await isSound(page);
    await page.getByRole('button', { name: 'Look at what would go' }).click();
    await page.getByRole('img', { name: '2019: 1 go, 0 are held, 1 are spared' }).waitFor();
    await page.getByRole('img', { name: '2020: 0 go, 1 are held, 0 are spared' }).waitFor();
    await isSound(page);
    await enable.click();
    const asks = page.getByRole('dialog', { name: 'Enable this rule?' });
    const sure = asks.getByRole('button', { name: 'Enable' });
    await saysWhatLacks(sure);
    await asks.getByLabel('Type REMOVE to confirm').fill('REMOVE');
    await isSound(page);
    await sure.click();
    await page.getByText('Enabled. It runs within a minute.').waitFor();
    const runs = page.getByRole('table', { name: 'Runs' });
    await runs.getByText('Done').waitFor();
    await isSound(page);
    assert.notEqual((await service.get(`${VISITORS}/${gone}`)).status, 200);
    for (const stays of [spared, held])
      assert.equal((await service.get(`${VISITORS}/${stays}`)).status, 200);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByLabel('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Change' }).click();
    const changing = page.getByRole('dialog', { name: 'Change the rule' });
    await changing.getByLabel('When they are this old').fill('10');
    await changing.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('heading', { level: 1, name: /10 years/ }).waitFor();
    await page.getByLabel('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const removing = page.getByRole('dialog', { name: 'Delete this rule?' });
    await removing.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing goes by itself').waitFor();
  });

  it('sees why a rule was stopped, and lets what it removed be sent again', async () => {
    const account = service.account.unique_identifier;
    const { body } = await officer.post('/v1/retention_rules', {
      ...{
        account,
        resource: 'direct_mail_reply',
        after_days: 30,
        since: 'inserted_at',
        basis: 'policy',
      },
    });
    const id: string = body.unique_identifier;
    await until(async () => {
      const found = await service.app.store.retention.find(id);
      return (
        found !== undefined &&
        service.app.store.retention.replace({
          ...{ ...found, status: 'stopped', stopped_because: 'twice_the_preview' },
        })
      );
    });
    const { page } = await openConsole(browser, officer, 'retention');
    await page.getByRole('table', { name: 'Retention' }).getByText('Stopped').waitFor();
    await isSound(page);
    await page
      .getByRole('link', { name: 'Remove mail replies 30 days after they arrived' })
      .click();
    await page.getByText('more than twice as many records would have gone').waitFor();
    await isSound(page);
    const { erasing } = service.app.store;
    const record = await visit(await serviceIn(2021), 'Dora Mistake');
    const resource = 'event_check_in_record';
    const aged = { resource, account, record, erasure: id, by: id, aged: 'marked' } as const;
    assert.deepEqual(await erasing.erase([aged]), ['erased']);
    while (await erasing.forget());
    await page.getByLabel('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Let what it removed be sent again' }).click();
    const lifting = page.getByRole('dialog', { name: 'Let what this rule removed be sent again?' });
    await isSound(page);
    await lifting.getByRole('button', { name: 'Let what it removed be sent again' }).click();
    await page.getByText('1 record can be sent again.').waitFor();
    assert.deepEqual(await erasing.find([record], [account]), []);
  });
});
