/** What people read has no names of programs: no underscore, and no day as programs write it. In every language. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { it, describe as suite } from 'node:test';
import { describe } from '../../console/build/describe.ts';
import { described, type RecordWords } from '../../console/build/language.ts';
import { languagesIn, readMessages } from '../../console/build/messages.ts';
import {
  type People,
  type RefusalWords,
  refusalsIn,
} from '../../console/src/translated-refusals.ts';
import { type CatalogueEntry, catalogue } from '../../src/core/errors/catalogue.ts';
import { resources } from '../../src/core/resources/index.ts';
import { rights, rightsByName } from '../../src/records/auth/principal.ts';
import { messagesOf } from '../support/console-texts.ts';

const ROOT = join(import.meta.dirname, '../..');
const OF_PROGRAMS = /[a-z]_[A-Za-z]|\b\d{4}-\d\d-\d\d\b/;

/** What is quoted was written by somebody, and a time with its offset shows what to write. */
const unquoted = (text: string): string =>
  text.replaceAll(/"[^"]*"|\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d/g, '');

/** Texts that show what to write in a file or a program. */
const SHOWN_AS_WRITTEN = /^(?:webhooks|imports|keys|selfTests)\.|^expectations\.closedHint$/;

for (const language of languagesIn())
  suite(`what people read in ${language}`, () => {
    const labels = language === 'en' ? {} : readMessages<RecordWords>(language, 'records').labels;
    const words = readMessages<Omit<RefusalWords, 'labels'>>(language, 'refusals');
    const { resources: all } = described(describe(resources), language);
    const people: People = {
      labelOf: (param) =>
        all
          .flatMap(({ fields }) => fields)
          .find((field) => field.param === param || field.param.endsWith(`.${param}`))?.label,
      dayText: () => 'DAY',
      timeText: () => 'TIME',
    };
    const { refusalText } = refusalsIn({ ...words, labels }, people);

    it('no message has a name of a program', () => {
      const found = [...messagesOf(language)].filter(
        ([way, text]) =>
          !SHOWN_AS_WRITTEN.test(way) && OF_PROGRAMS.test(text.replaceAll(/\{\w+[^{}]*/g, '')),
      );
      assert.deepEqual(found, []);
    });

    it('no refusal has one, of whichever field and with whichever values', () => {
      const found: string[] = [];
      const met: readonly (readonly [string, CatalogueEntry])[] = Object.entries(catalogue);
      for (const [code, { message, values = {} }] of met) {
        const filled = (text: string): string =>
          text.replaceAll(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name));
        for (const { fields } of all)
          for (const { param, label } of fields) {
            const refusal = {
              code,
              param,
              message: filled(message.replaceAll('{param}', param)),
              values: { ...values, after: 'date_of_birth', date: '1947-03-01' },
            };
            for (const text of [refusalText(refusal, label), refusalText(refusal)])
              if (OF_PROGRAMS.test(unquoted(text))) found.push(`${code}: ${text}`);
          }
      }
      assert.deepEqual([...new Set(found)].slice(0, 20), []);
    });

    it('every right of keys and of people has a name', () => {
      const named = messagesOf(language);
      const rightsOf = [...Object.keys(rights), ...rightsByName].filter(
        (one) => !one.includes(':'),
      );
      assert.deepEqual(
        rightsOf.filter((one) => !named.has(`keys.allowed.${one}`)),
        [],
      );
    });

    it('two dates that cannot both be right are called by their names', () => {
      const text = refusalText(
        {
          code: 'date_too_early',
          param: 'person.date_of_death',
          message: '',
          values: { date: '1930-01-01', after: 'date_of_birth', earliest: '1936-09-28' },
        },
        'Q1x',
      );
      assert.ok(text.includes(people.labelOf('date_of_birth') ?? '-'), text);
      assert.equal(text.match(/DAY/g)?.length, 2, text);
      assert.doesNotMatch(text, /\bsend\b|env[ií]/i);
    });
  });

it('each language sets its own colon: none stands in the code between what is shown', async () => {
  const found: string[] = [];
  for await (const path of glob('console/src/**/*.ts*', {
    cwd: ROOT,
    exclude: ['**/generated/**'],
  }))
    for (const line of readFileSync(join(ROOT, path), 'utf8').split('\n'))
      if (/\}: (?:\$\{|<)|>: (?:<|\{[^ ])/.test(line)) found.push(`${path}: ${line.trim()}`);
  assert.deepEqual(found, []);
});
