/** Every field of every form can be corrected, and emptied, by itself; money is typed in dollars and cents. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { resources } from '../../src/core/resources/index.ts';
import { type DisplayField, fieldsIn } from '../../src/core/schema/present/display.ts';
import { examples } from '../support/bodies.ts';
import { signedIn } from '../support/console.ts';
import { browserGround } from '../support/console-ground.ts';
import { isSound, openConsole } from '../support/console-page.ts';
import type { Body } from '../support/service.ts';

const { browser, skip, service } = await browserGround();
const person = await signedIn(service);
const location = await service.location('home');
const event = await service.event(location, 'case');
const parents: Body = {
  account: { account_unique_identifier: service.account.unique_identifier },
  location: { location_unique_identifier: location },
  event: { event_unique_identifier: event },
};

const made = async (path: string, as: string, more: Body = {}): Promise<string> => {
  const { full, parent } = examples.find((one) => one.path === path) ?? { full: {}, parent: '' };
  const body = { ...full, ...parents[parent], external_identifier: as, ...more };
  const answer = await service.json(`/v1/${path}/upsert`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.unique_identifier;
};

/** What people type, by the kind of the field. */
const TYPED: Readonly<Record<string, string>> = {
  date: '1951-02-03',
  'date and time': '2027-03-20T14:30',
  'E.164 phone number': '(217) 555-0199',
  'US phone number': '(217) 555-0198',
  'email address': 'other@example.com',
  'money in cents': '2,100.50',
  text: 'Another text',
};

async function change(page: Page, field: Locator, { field: { kind } }: DisplayField) {
  if ((await field.count()) === 0) return false;
  const isChoice = (await field.evaluate((it) => it.localName)) === 'select';
  if (!isChoice) {
    await field.fill(TYPED[kind.name] ?? 'Another text');
    return true;
  }
  const now = await field.inputValue();
  const values = await field
    .locator('option')
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  const other = values.find((one) => one !== now && one !== '');
  if (other === undefined) return false;
  await field.selectOption(other);
  void page;
  return true;
}

const open = async (page: Page): Promise<void> => {
  await page.locator('main h1').waitFor();
  await page
    .getByRole('button', { name: /^(Edit|Editar|Modifier)/ })
    .first()
    .click();
  await page.locator('dialog[open] form.edit').waitFor();
};

/** Saves, and says what was sent, or what was said instead. */
async function save(page: Page): Promise<{ sent?: Body; fault?: string }> {
  const asked = page
    .waitForRequest((one) => one.method() === 'PATCH', { timeout: 3_000 })
    .catch(() => undefined);
  await page.locator('dialog[open] form.edit footer .main').click();
  const fault = page.locator('dialog[open] .fault');
  await Promise.race([
    page.locator('dialog[open]').waitFor({ state: 'detached' }),
    fault.first().waitFor(),
  ]);
  if ((await fault.count()) > 0) return { fault: (await fault.allInnerTexts()).join(' ') };
  return { sent: (await asked)?.postDataJSON() };
}

describe('whoever corrects one field alone', { skip }, () => {
  for (const { path } of examples) {
    const resource = resources.find((one) => one.path === path);
    const fields = fieldsIn({ ...resource?.fields, ...resource?.public_data });
    it(`of ${path} saves it, and nothing else is sent; so does who empties it`, async () => {
      const id = await made(path, 'alone');
      const { page } = await openConsole(browser, person, `${path}/${id}`);
      let changed = 0;
      for (const one of fields) {
        for (const how of ['change', 'empty'] as const) {
          await made(path, 'alone');
          await page.reload();
          await open(page);
          const field = page.locator(`dialog [name="${one.path}"]`);
          if (how === 'change') {
            if (!(await change(page, field, one))) break;
          } else if ((await field.evaluate((it) => it.localName)) === 'select')
            await field.selectOption('');
          else await field.fill('');
          const { sent, fault } = await save(page);
          const isNeeded = fields.some(
            ({ within, field: { kind } }) =>
              kind.currency !== undefined && `${within}.${kind.currency}` === one.path,
          );
          if (how === 'empty' && (one.field.required || isNeeded)) {
            assert.match(fault ?? '', /is needed/, one.path);
            continue;
          }
          assert.equal(fault, undefined, `${how} ${one.path}`);
          const inside = one.path.split('.').reduce<Body>((at, name) => at?.[name], sent);
          assert.notEqual(inside, undefined, one.path);
          assert.equal(JSON.stringify(sent).split('":').length - 1, one.path.split('.').length);
          changed += 1;
        }
      }
      assert.ok(changed > 0);
    });
  }
});

describe('an amount', { skip }, () => {
  const PARAM = 'additional_cart_metadata.cart_value_in_cents';
  const stored = async (id: string): Promise<unknown> =>
    (await service.get(`/v1/online_arrangements/${id}`)).body.additional_cart_metadata
      ?.cart_value_in_cents;

  for (const [locale, shown, typed] of [
    ['en-US', '1,895.00', ['2100', '2,100', '$2,100.00', '2100.00']],
    ['es-US', '1,895.00', ['2100', '2,100.00', '$2,100']],
    ['es-ES', '1895,00', ['2100', '2.100', '2.100,00', '2100,00 $']],
    ['fr-CA', '1\u00a0895,00', ['2100', '2 100,00', '2100,00 $', '2 100']],
  ] as const) {
    it(`is typed and shown in dollars and cents, by ${locale}`, async () => {
      const cart = { cart_value_in_cents: 189_500, cart_currency: 'USD' };
      for (const text of typed) {
        // What a person corrects no other system sets back.
        const id = await made('online_arrangements', `${locale} ${text}`, {
          additional_cart_metadata: cart,
        });
        const { page } = await openConsole(browser, person, `online_arrangements/${id}`, {
          locale,
        });
        await open(page);
        const field = page.locator(`dialog [name="${PARAM}"]`);
        const label = await page.locator('dialog label', { hasText: '$' }).innerText();
        assert.match(label, /\$/);
        assert.equal(await field.inputValue(), shown);
        await field.fill(text);
        await page.locator('dialog .hint', { hasText: /2[\s.,]?100[.,]00/ }).waitFor();
        const { sent, fault } = await save(page);
        assert.equal(fault, undefined, text);
        assert.deepEqual(sent, { additional_cart_metadata: { cart_value_in_cents: 210_000 } });
        assert.equal(await stored(id), 210_000);
        await page.context().close();
      }
    });
  }

  it('that is none, or could be two, is said beside its field, and a new one brings its currency', async () => {
    const id = await made('online_arrangements', 'none', { additional_cart_metadata: null });
    const { page } = await openConsole(browser, person, `online_arrangements/${id}`);
    await open(page);
    for (const text of ['2.100', 'about 5', '-5', '€5']) {
      await page.locator(`dialog [name="${PARAM}"]`).fill(text);
      assert.match(
        (await save(page)).fault ?? '',
        /is not an amount. Write it like 2,100.00/,
        text,
      );
    }
    await isSound(page);
    await page.locator(`dialog [name="${PARAM}"]`).fill('7.5');
    const { sent } = await save(page);
    const metadata = { cart_value_in_cents: 750, cart_currency: 'USD' };
    assert.deepEqual(sent, { additional_cart_metadata: metadata });
  });
});

describe('a field', { skip }, () => {
  interface Described {
    readonly path: string;
    readonly fields: readonly {
      readonly param: string;
      readonly label: string;
      readonly required: boolean;
    }[];
  }
  /** Without what a label adds: that it is required, and a currency. */
  const bare = (text: string) => text.replace(/\s*(?:required|\(\p{Sc}\))\s*$/u, '').trim();

  for (const { path, full, parent } of examples)
    it(`of ${path} has one name: in the list, on the record, in its form, and where it is refused`, async () => {
      if (parents[parent] === undefined) return;
      const id = await made(path, 'one name');
      const { page } = await openConsole(browser, person, path);
      await page.locator('main tbody th').first().waitFor();
      const description = JSON.parse(
        (await page.locator('#description').textContent()) ?? '{}',
      ) as { resources: readonly Described[] };
      const fields = description.resources.find((one) => one.path === path)?.fields ?? [];
      const labels = new Set(fields.map(({ label }) => label));
      assert.ok(labels.size > 0 && full);
      const [called = ''] = await page.locator('main thead th').allInnerTexts();
      assert.ok(labels.has(called.replace(/ [↑↓]$/, '')), `${called} in the list`);

      await page.goto(`${service.url}/console/${path}/${id}`);
      await page.locator('main h1').waitFor();
      await page.locator('main dl').first().waitFor();
      // Not the details, whose names are whatever a system calls them.
      const facts = await page
        .locator('.groups')
        .first()
        .locator('.group > dl > div > dt')
        .evaluateAll((all) => all.map((one) => one.textContent.trim()));
      assert.ok(facts.length > 0);
      assert.deepEqual(
        facts.filter((one) => !labels.has(one)),
        [],
        'on the record',
      );

      await open(page);
      const named = await page.locator('dialog form.edit [name]').evaluateAll((all) =>
        all.map((one) => ({
          param: one.getAttribute('name') ?? '',
          label: (one as HTMLInputElement).labels?.[0]?.innerText ?? '',
        })),
      );
      const shown = named.filter(({ param }) => fields.some((one) => one.param === param));
      assert.ok(shown.length > 0);
      for (const { param, label } of shown)
        assert.equal(bare(label), fields.find((one) => one.param === param)?.label);

      // Whatever is refused when all is emptied says so by the name under which it stands.
      for (const { param } of shown) {
        const field = page.locator(`dialog form.edit [name="${param}"]`);
        if ((await field.evaluate((it) => it.localName)) !== 'select') await field.fill('');
      }
      if (!shown.some(({ param }) => fields.find((one) => one.param === param)?.required)) return;
      await page.locator('dialog[open] form.edit footer .main').click();
      const refused = page.locator('dialog form.edit [name][aria-invalid="true"]');
      await refused.first().waitFor();
      for (const field of await refused.all()) {
        const { label, says } = await field.evaluate((it) => ({
          label: (it as HTMLInputElement).labels?.[0]?.innerText ?? '',
          says: (it.getAttribute('aria-describedby') ?? '')
            .split(' ')
            .map((one) => document.getElementById(one)?.innerText ?? '')
            .join(' '),
        }));
        assert.ok(says.includes(bare(label)), `${bare(label)}: ${says}`);
      }
    });
});
