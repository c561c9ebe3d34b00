/** An office works in Spanish or in French: sign-in, every screen, faults, an import, dates; and nothing of it is English. */
// needs: --ci, browser, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describe as described } from '../../console/build/describe.ts';
import { resources } from '../../src/core/resources/index.ts';
import { ALL, withAll } from '../support/all.ts';
import { open } from '../support/browser.ts';
import { invitation, PASSWORD, signedIn } from '../support/console.ts';
import { consoleGround } from '../support/console-ground.ts';
import {
  inspect,
  isSound,
  openConsole,
  openScreen,
  overflows,
  windowFor,
} from '../support/console-page.ts';
import { ugly } from '../support/console-reach.ts';
import { messagesOf } from '../support/console-texts.ts';
import { wholeWalk } from '../support/console-walk.ts';
import { keyed } from '../support/secret-key.ts';

const { browser, skip, service, made } = await consoleGround({ settings: keyed() });
const person = await signedIn(service, 'one@example.com');
const walk = await wholeWalk({ service, made });

/** In the inner loop, every so often one is looked at more closely. */
const EACH = 5;

/** What people read or hear, but for code and what is said in a language of its own. */
const SEEN = `(() => {
  const seen = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    if (!texts.currentNode.parentElement.closest('script, noscript, code, pre, option[lang], .said'))
      seen.push(texts.currentNode.data.trim());
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
    for (const name of ['aria-label', 'placeholder', 'title'])
      seen.push(element.getAttribute(name) ?? '');
  return seen.filter((text) => text !== '');
})()`;

/** Whatever the records of the test say. */
const DATA = /Celebration of life|Graveside service|\bRefused\b/g;
const ENGLISH_WORDS = /\b(?:the|and|this|with|your|you|today|at|from|is|are|has|was|time)\b/i;

async function englishOn(page: Page, language: 'es' | 'fr'): Promise<readonly string[]> {
  const own = new Set(messagesOf(language).values());
  const english = new Set([
    ...messagesOf('en').values(),
    ...described(resources).resources.flatMap(({ singular, plural, fields, groups }) => [
      singular,
      plural,
      ...fields.map(({ label }) => label),
      ...groups.flatMap(({ heading }) => heading ?? []),
    ]),
  ]);
  const seen = await page.evaluate<string[]>(SEEN);
  assert.ok(seen.length > 10);
  return seen
    .map((text) => text.replaceAll(DATA, ''))
    .filter((text) => (english.has(text) && !own.has(text)) || ENGLISH_WORDS.test(text));
}

for (const [language, locale, ring] of [
  ['es', 'es-MX', {}],
  ['fr', 'fr-CA', withAll],
] as const)
  describe(`an office whose browsers ask for ${locale}`, { skip }, () => {
    it('reads no English on any screen', ring, async () => {
      for (const [whose, steps] of Map.groupBy(walk, (one) => one.person)) {
        const window = await windowFor(browser, whose, { locale });
        await inspect(window);
        for (const [index, { path, ready }] of steps.entries()) {
          const { page } = await openScreen(window, whose, path);
          await ready(page, language);
          assert.equal(await page.locator('html').getAttribute('lang'), language);
          assert.deepEqual(await englishOn(page, language), [], path);
          assert.equal(await overflows(page), false, path);
          assert.deepEqual(await ugly(page), [], path);
          if (ALL || index % EACH === 0) await isSound(page);
          await page.close();
        }
      }
    });
  });

describe('an office in Spanish', { skip }, () => {
  it('signs in, and keeps the language that it chooses', async () => {
    const email = 'oficina@example.com';
    const token = await invitation(service, email);
    const { page: welcome } = await open(browser, `${service.url}/console/#/invitation/${token}`, {
      locale: 'es-MX',
    });
    await welcome.getByText('La invitación es para').waitFor();
    assert.deepEqual(await englishOn(welcome, 'es'), []);
    await welcome.getByLabel('Contraseña', { exact: true }).fill('corta corta corta'.slice(0, 15));
    await welcome.getByRole('button', { name: 'Crear la cuenta' }).click();
    await welcome.getByRole('alert').waitFor();
    assert.deepEqual(await englishOn(welcome, 'es'), []);
    await welcome.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
    await welcome.getByRole('button', { name: 'Crear la cuenta' }).click();
    await welcome.getByText('Servicios de hoy').waitFor();
    await welcome.context().close();

    const { page } = await open(browser, `${service.url}/console/`, { locale: 'en-US' });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Español' }).click();
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    await isSound(page);
    assert.equal(await page.getByLabel('Correo electrónico').inputValue(), email);
    await page.getByLabel('Contraseña').fill('not this one at all');
    await page.getByRole('button', { name: 'Iniciar sesión', exact: true }).click();
    await page.getByText('No coincide.').waitFor();
    assert.deepEqual(await englishOn(page, 'es'), []);
    await page.getByLabel('Contraseña').fill(PASSWORD);
    await page.getByRole('button', { name: 'Iniciar sesión', exact: true }).click();
    await page.getByText('Servicios de hoy').waitFor();
    await page.reload();
    await page.getByText('Servicios de hoy').waitFor();
    await page.goto(`${service.url}/console/account`);
    await page.getByRole('button', { name: 'Français' }).click();
    await page.getByRole('heading', { name: 'Mon compte' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Mon compte' }).waitFor();
  });

  it('reads times, dates and counts as they are written in Spanish', async () => {
    const { page } = await openConsole(browser, person, `events/${made.event}`, {
      locale: 'es-MX',
    });
    await page.getByText(/^Hoy, 12:00/).waitFor();
    await page.getByText('29 de febrero de 1948').waitFor();
    await page.getByText(/Creado hoy a las? /).waitFor();
    await page.getByText('Visitantes').first().waitFor();
  });

  it('reads what is wrong with what it typed, and in history what became of a record', async () => {
    const { page } = await openConsole(browser, person, `events/${made.event}`, {
      locale: 'es-MX',
    });
    await page.getByRole('button', { name: 'Editar' }).click();
    await page.locator('[name=event_name]').fill('x'.repeat(612));
    await page.locator('[name="person.date_of_death"]').fill('2190-01-01');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByText('Servicio: tiene 612 caracteres; el máximo es 500.').waitFor();
    await page.getByText('Fallecimiento: está en el futuro').waitFor();
    assert.deepEqual(await englishOn(page, 'es'), []);
    await isSound(page);
    await page.locator('[name=event_name]').fill('Misa de cuerpo presente');
    await page.locator('[name="person.date_of_death"]').fill('');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByText('Guardado.').waitFor();
    await page.getByRole('link', { name: 'Historial' }).click();
    await page.getByText(/modificó\s+Servicio: .*Misa de cuerpo presente.*, hoy a las? /).waitFor();
    assert.deepEqual(await englishOn(page, 'es'), []);
  });

  it('imports a file, and reads why rows of it are refused', async () => {
    const { page } = await openConsole(browser, person, 'import', { locale: 'es-MX' });
    await page.getByLabel('Qué son las filas').selectOption({ label: 'Visitantes' });
    await page.locator('input[type=file]').setInputFiles({
      name: 'visitas.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Identifier,Name,Phone\nv-1,Luz Peña,+14155550133\nv-2,,llámame\n'),
    });
    await page.getByText(/Se leyó como: .*comas/).waitFor();
    assert.deepEqual(
      (await englishOn(page, 'es')).filter(
        (text) => !/^(?:Identifier|Name|Phone|.*: (?:Identifier|Name|Phone))$/.test(text),
      ),
      [],
    );
    const parent = page.getByRole('group', { name: 'Todas las filas pertenecen a' });
    await parent.getByRole('button').first().click();
    await parent.getByRole('button', { name: 'Cambiar' }).waitFor();
    await page.getByRole('button', { name: 'Comprobar' }).click();
    await page.getByText('1 se rechaza').waitFor();
    await page.getByText('Phone: no es un número de teléfono').waitFor();
    assert.deepEqual(
      (await englishOn(page, 'es')).filter((text) => !/Identifier|Name|Phone/.test(text)),
      [],
    );
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('1 rechazado').waitFor();
    await page.getByText('Phone "llámame": no es un número de teléfono').waitFor();
    await page.getByText('Name: está vacío, y cada fila lo necesita.').waitFor();
    await page.getByRole('button', { name: 'Importar 1 fila' }).click();
    await page.getByRole('heading', { name: 'Listo' }).waitFor();
  });
});
