/** No language lacks a message of the console, or loses a value; a new one is a folder; each browser gets its language, and one alone. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { inLanguage, makeBundle } from '../../console/build/bundle.ts';
import { describe as described } from '../../console/build/describe.ts';
import type { RecordWords } from '../../console/build/language.ts';
import { argumentsOf, languagesIn, MESSAGES, readMessages } from '../../console/build/messages.ts';
import { type RefusalWords, refusalsIn } from '../../console/src/translated-refusals.ts';
import { type CatalogueEntry, catalogue, Faults } from '../../src/core/errors.ts';
import { OUT_OF_REACH } from '../../src/core/objects/records/out-of-reach.ts';
import { resources } from '../../src/core/resources/index.ts';
import { readGrant } from '../../src/records/auth/key-grant.ts';
import { messagesOf } from '../support/console-texts.ts';
import { alikeIn } from '../support/expected.ts';
import { placesIn } from '../support/placeholders.ts';
import { served } from '../support/world.ts';

/** What is written alike in both languages, but for what features have so. A message that equals the English one and is missing here was forgotten. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  all: ['page.product', 'page.record.tabs.curl', 'page.record.tabs.json'],
  es: ['page.no', 'staff.roles.editor'],
  fr: ['page.menu', 'images.images', 'keys.statuses.active'],
};

/** Only programs get these. */
const FOR_PROGRAMS = /^(?:api_key_|authentication_failed$|idempotency_)/;

const english = messagesOf('en');

for (const language of languagesIn().filter((code) => code !== 'en'))
  describe(`the messages in ${language}`, () => {
    const words = readMessages<RecordWords>(language, 'records');
    const { codes, ...other } = readMessages<Omit<RefusalWords, 'labels'>>(language, 'refusals');
    const refusals = refusalsIn({ ...other, codes, labels: words.labels });
    const theirs = messagesOf(language);

    it('are all there, and each says what the English one says of its values', () => {
      assert.deepEqual([...theirs.keys()].sort(), [...english.keys()].sort());
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const [way, message] of english) {
        const own = theirs.get(way) ?? '';
        assert.equal(own === '', message === '', way);
        const lost = new Set(Object.keys(argumentsOf(message)));
        for (const name of Object.keys(argumentsOf(own))) lost.delete(name);
        assert.deepEqual([...lost], [], `${way}: ${own}`);
        for (const [, form = ''] of own.matchAll(/(zero|one|two|few|many|other) \{/g))
          assert.ok(
            forms.some((known) => known === form),
            `${way}: ${form}`,
          );
      }
    });

    it('are translated, but for those that are alike', () => {
      const same = [...english]
        .filter(([way, message]) => message === theirs.get(way))
        .filter(([, message]) => /[a-z]{2}/i.test(message.replaceAll(/\{\w+(?:, number)?\}/g, '')))
        .map(([way]) => way)
        .sort();
      assert.deepEqual(
        same,
        [...(ALIKE.all ?? []), ...(ALIKE[language] ?? []), ...alikeIn(language)].sort(),
      );
    });

    it('call every record, field, group and filter by a name', () => {
      assert.deepEqual(
        missingWords(words),
        [],
        `translate them in console/messages/${language}/records.json`,
      );
    });

    it('say what was refused, for every code that people can meet, with each of its values', () => {
      const known: readonly (readonly [string, CatalogueEntry])[] = Object.entries(catalogue);
      const met = known.filter(([code]) => !FOR_PROGRAMS.test(code) && code !== 'import_refused');
      assert.deepEqual(Object.keys(codes).sort(), met.map(([code]) => code).sort());
      for (const [code, { message, values = {} }] of met) {
        const own = codes[code] ?? '';
        assert.notEqual(own, message, code);
        assert.deepEqual(placesIn(own), Object.keys(values).sort(), code);
      }
    });

    it('say the values of a fault, and its field as people call it', () => {
      const fault = { code: 'text_too_long', param: 'event_name', message: '' };
      const said = refusals.refusalText(
        { ...fault, values: { has: 612, unit: 'characters', most: 500 } },
        'Q1x',
      );
      for (const value of ['Q1x', '612', '500']) assert.ok(said.includes(value), said);
      assert.doesNotMatch(said, /characters|event_name/);
      // As a service of an older version has stored it.
      assert.match(refusals.refusalText(fault, 'Q1x'), /^Q1x ?: [^{]+$/);
      assert.equal(refusals.refusalText({ code: 'of_tomorrow', message: 'New.' }), 'New.');
    });

    it('say what an erasure does not reach', () => {
      const said = [...theirs.keys()].flatMap(
        (way) => /^privacy\.certificate\.outOfReach\.(.*)/.exec(way)?.[1] ?? [],
      );
      assert.deepEqual(said.sort(), OUT_OF_REACH.map(({ what }) => what).sort());
    });

    it('say of each limit of a key what it must be', () => {
      const sent = { from: ['here'], requests_a_second: 'x', requests_at_once: 0, expires_at: '' };
      const faults = new Faults();
      readGrant(sent, { paths: [], now: Date.now() }, faults);
      for (const fault of faults.named) {
        const { message } = fault;
        const own = refusals.refusalText(fault, 'Q1x');
        assert.notEqual(own, refusals.refusalText({ code: 'value_invalid', message }, 'Q1x'));
      }
      assert.deepEqual(
        faults.named.map(({ param }) => param),
        Object.keys(sent),
      );
    });
  });

/** English names that a language has no word for. */
function missingWords({ singular, plural, labels }: RecordWords): readonly string[] {
  return described(resources).resources.flatMap(({ name, groups, fields, filters, says }) => [
    ...(singular[name] === undefined || plural[name] === undefined ? [name] : []),
    ...[
      ...groups.flatMap(({ heading }) => heading ?? []),
      ...[...fields, ...says].map(({ label }) => label),
      ...filters.filter(({ resource }) => resource === undefined).map(({ label }) => label),
    ].filter((label) => labels[label] === undefined),
  ]);
}

describe('a language that is added as a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'messages-'));
  after(() => rmSync(folder, { recursive: true }));
  before(() => {
    cpSync(MESSAGES, folder, { recursive: true });
    cpSync(join(folder, 'es'), join(folder, 'ar'), { recursive: true });
    const page = readMessages<Record<string, string>>('ar', 'page', folder);
    const locations =
      '{count, plural, zero {لا مواقع} one {موقع واحد} two {موقعان} few {# مواقع} many {# موقعًا} other {# موقع}}';
    writeFileSync(join(folder, 'ar', 'page.json'), JSON.stringify({ ...page, locations }));
  });

  it('has a script of its own', async () => {
    const { pages, files } = await makeBundle(folder);
    assert.deepEqual([...pages.keys()].sort(), readdirSync(folder).sort());
    assert.ok(pages.has('ar'));
    const { script = '', beside = [] } = pages.get('ar') ?? {};
    assert.ok([script, ...beside].some((name) => files.get(name)?.includes('موقعان')));
  });

  it('says numbers in all its plural forms', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `globalThis.document = { documentElement: { lang: 'ar' } };
const { default: page } = await import('messages:page');
export const said = [0, 1, 2, 3, 11, 100].map((count) => page.locations(count));`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      write: false,
      format: 'esm',
      plugins: [inLanguage('ar', folder)],
    });
    const [{ text = '' } = {}] = outputFiles;
    const { said } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const forms = said.map((one: string) => one.replace(/^\P{L}+/u, ''));
    assert.deepEqual(forms, ['لا مواقع', 'موقع واحد', 'موقعان', 'مواقع', 'موقعًا', 'موقع']);
  });
});

describe('the page', () => {
  const service = served();

  const page = async (headers: Record<string, string>) => {
    const answer = await service.get('/console/events', { key: null, headers });
    const [, lang] = /<html lang="(\w+)">/.exec(answer.text) ?? [];
    return { ...answer, lang };
  };

  it('comes in the language that was chosen, or that the browser asks for', async () => {
    const asked: readonly (readonly [accepted: string, cookie: string, lang: string])[] = [
      ['es-MX,es;q=0.9,en;q=0.8', '', 'es'],
      ['fr-CA', '', 'fr'],
      ['de-DE,de;q=0.9,fr;q=0.5,en;q=0.3', '', 'fr'],
      ['en;q=0.5,es;q=0.7', '', 'es'],
      ['es;q=0,en', '', 'en'],
      ['de', '', 'en'],
      ['*', '', 'en'],
      [';;,q=,=', '', 'en'],
      ['es', 'a=b; ledgerstone_language=fr', 'fr'],
      ['es', 'ledgerstone_language=en', 'en'],
      ['es', 'ledgerstone_language=constructor', 'es'],
    ];
    for (const [accepted, cookie, lang] of asked) {
      const headers = { 'Accept-Language': accepted, ...(cookie === '' ? {} : { Cookie: cookie }) };
      assert.equal((await page(headers)).lang, lang, `${accepted} ${cookie}`);
    }
  });

  it('is not mistaken for the page of another language by a cache', async () => {
    const [es, fr] = [
      await page({ 'Accept-Language': 'es' }),
      await page({ 'Accept-Language': 'fr' }),
    ];
    const vary = (es.headers.get('vary') ?? '').toLowerCase();
    for (const header of ['accept-language', 'cookie', 'accept-encoding'])
      assert.ok(vary.split(', ').includes(header), vary);
    const tag = es.headers.get('etag') ?? '';
    assert.notEqual(tag, fr.headers.get('etag'));
    const kept = { 'If-None-Match': tag };
    assert.equal((await page({ 'Accept-Language': 'es', ...kept })).status, 304);
    assert.equal((await page({ 'Accept-Language': 'fr', ...kept })).status, 200);
  });

  it('brings its own language and no other, and little more than English', async () => {
    const scripts = async (accepted: string): Promise<string> => {
      const { text } = await page({ 'Accept-Language': accepted });
      const queue = [...text.matchAll(/"\/console\/assets\/([^"]+\.js)"/g)].map(([, one]) => one);
      const loaded = new Map<string, string>();
      for (const name of queue) {
        if (name === undefined || loaded.has(name)) continue;
        const file = await service.get(`/console/assets/${name}`, { key: null });
        assert.equal(file.status, 200);
        loaded.set(name, file.text);
        for (const [, other] of file.text.matchAll(/(?:from|import)\s*\(?"\.\/([^"]+)"/g))
          queue.push(other);
      }
      return [...loaded.values()].join('');
    };
    const [en, es, fr] = [await scripts('en'), await scripts('es'), await scripts('fr')];
    const sentences = ['Discard what you typed?', '¿Descartar lo que escribió?', 'Tout rétablir'];
    const has = (text: string): boolean[] => sentences.map((one) => text.includes(one));
    assert.deepEqual(
      [has(en), has(es), has(fr)],
      [
        [true, false, false],
        [false, true, false],
        [false, false, true],
      ],
    );
    const size = (text: string): number =>
      brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
    for (const other of [es, fr]) assert.ok(size(other) < size(en) + 12_000, `${size(other)}`);
  });
});
