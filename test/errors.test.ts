/** An error is known by its code and its values: its sentence says them, and nothing reads it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ApiError, type CatalogueEntry, catalogue, messageOf } from '../src/core/errors.ts';
import { placesIn } from './support/placeholders.ts';

const PROJECT = join(import.meta.dirname, '..');
/** Finds out from a sentence what happened. To put another name of the field into it is no such thing. */
const READS =
  /\bmessage\b\)?\.(?:includes|match|search|split|endsWith)\(|\.(?:test|exec)\([\w.]*\bmessage\b/;
/** Sentences of others, and whether one names its field. */
const OF_OTHERS = [
  'src/cli/derived/operation.ts',
  'src/cli/run.ts',
  'src/features/imports/serves/words.ts',
  'src/store/postgres/wire/failure.ts',
];

describe('the catalogue of errors', () => {
  it('says in English each value of a code, and no other, to programs and to people', () => {
    for (const [code, entry] of Object.entries<CatalogueEntry>(catalogue)) {
      const names = Object.keys(entry.values ?? {}).sort();
      assert.deepEqual(placesIn(entry.message), names, code);
      assert.deepEqual(placesIn(entry.person ?? entry.message), names, code);
    }
  });

  it('makes a message of a code, its values and its reader', () => {
    const values = { most: 1, per: 'minute', seconds: 1 };
    const { message, faults } = new ApiError('rate_limited', { values });
    assert.match(message, /^This API key may send 1 requests a minute; .* after 1 second\.$/);
    assert.deepEqual(faults[0]?.values, values);
    const person = messageOf('rate_limited', { values: { ...values, seconds: 2 } }, 'person');
    assert.match(person, /^You may send .* after 2 seconds\.$/);
  });
});

it('no code reads a sentence to know what happened', () => {
  const found = ['src', 'console/src', 'client/src'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => `${folder}/${path}`)
      .filter((path) => READS.test(readFileSync(join(PROJECT, path), 'utf8'))),
  );
  assert.deepEqual(found.sort(), OF_OTHERS);
});
