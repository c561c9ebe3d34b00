/** Of what is dropped on a page that takes files, one is taken, and of each of the others it is said why not. */
// needs: --ci, browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { administrator } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import { isSound, openConsole } from '../support/console-page.ts';
import { keyed } from '../support/secret-key.ts';

const { browser, skip, service } = await consoleGround({ settings: keyed() });
const person = await administrator(service);

interface Thing {
  readonly name: string;
  readonly text?: string;
  readonly isFolder?: true;
}

const sheet = { name: 'visitors.csv', text: 'Name\nAnn Example\n' };
const other = { name: 'services.CSV', text: 'Name\nBob Example\n' };
const picture = { name: 'letter.pdf', text: '%PDF-1.7' };
const folder: Thing = { name: 'May', isFolder: true };

/** Drops things there. A script can make no folder, so one says of itself that it is one. */
function drop(page: Page, selector: string, things: readonly Thing[]): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const of = new DataTransfer();
    for (const { name, text } of ${JSON.stringify(things)}) of.items.add(new File([text ?? ''], name));
    const folders = ${JSON.stringify(things.map(({ isFolder }) => isFolder === true))};
    const items = [...of.items];
    items.forEach((item, at) => {
      item.webkitGetAsEntry = () => ({ isDirectory: folders[at], name: ${JSON.stringify(things.map(({ name }) => name))}[at] });
    });
    const given = { items, files: of.files, types: ['Files'] };
    const there = document.querySelector(${JSON.stringify(selector)});
    return ['dragover', 'drop'].every((kind) => {
      const event = new DragEvent(kind, { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'dataTransfer', { value: given });
      // What is not taken up opens in the place of the page.
      return !there.dispatchEvent(event);
    });
  })()`);
}

describe('what is dropped on Import', { skip }, () => {
  /** Each way to drop some of them, in whatever order, and beside the place for it as well. */
  const cases: Readonly<Record<string, readonly Thing[]>> = {
    'one file': [sheet],
    'a file, a folder and a picture': [folder, sheet, picture],
    'two files': [other, sheet],
    'two files and a folder': [sheet, folder, other],
    'a folder': [folder],
    'two pictures': [picture, { ...picture, name: 'other.pdf' }],
  };
  for (const [name, things] of Object.entries(cases))
    for (const where of ['.drop', 'main h1', 'nav'])
      it(`${name}, on ${where}`, async () => {
        const { page, complaints } = await openConsole(browser, person, 'import');
        await page.getByText('Choose a file').waitFor();
        assert.equal(await drop(page, where, things), true, 'the page goes');
        const fit = things.length === 1 && !things[0]?.isFolder ? things : things.filter(isSheet);
        const left = things.filter((one) => !fit.includes(one));
        for (const one of left) await page.locator('.notice').getByText(one.name).waitFor();
        const [only] = fit;
        if (fit.length > 1) {
          await page
            .getByText('One file at a time. Which one?')
            .and(page.locator('legend'))
            .waitFor();
          await isSound(page);
          await page.getByRole('button', { name: only?.name ?? '' }).click();
        }
        if (only !== undefined) await page.getByText('Example').first().waitFor();
        else await page.getByText('Choose a file').waitFor();
        assert.deepEqual(complaints, []);
        await page.context().close();
      });

  it('a single file that is none of these is read, and refused with what it is', async () => {
    const { page } = await openConsole(browser, person, 'import');
    await page.getByText('Choose a file').waitFor();
    await drop(page, '.drop', [picture]);
    await page.getByText(/letter\.pdf is no table/).waitFor();
  });
});

const isSheet = ({ name, isFolder }: Thing): boolean => !isFolder && /\.csv$/i.test(name);

describe('a list for the register', { skip }, () => {
  it('has what was typed, and what each file adds to it', async () => {
    const { page } = await openConsole(browser, person, 'do-not-contact');
    await page.getByRole('button', { name: 'Enter a list' }).click();
    const lines = page.getByRole('dialog').getByLabel('Numbers and addresses');
    await lines.fill('ann@example.com');
    await drop(page, 'dialog textarea', [
      { name: 'a.csv', text: 'bob@example.com\n' },
      { name: 'b.txt', text: 'cara@example.com\n' },
    ]);
    await page.getByRole('button', { name: 'a.csv' }).click();
    const isThere = async (text: string): Promise<void> => {
      await page.waitForFunction(
        `document.querySelector('dialog textarea').value === ${JSON.stringify(text)}`,
      );
    };
    await isThere('ann@example.com\nbob@example.com\n');
    await drop(page, 'dialog textarea', [{ name: 'list.xlsx', text: 'PK\u0003\u0004\0\0' }]);
    await page.getByText('list.xlsx is no text.', { exact: false }).waitFor();
    await isThere('ann@example.com\nbob@example.com\n');
    await isSound(page);
  });
});
