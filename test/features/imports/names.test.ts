/** Names with the family name first are turned round where a person has said so, and told with examples where not. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { turnedRound } from '../../../src/features/imports/serves/table/names.ts';
import { filesFolder, take } from '../../support/importing.ts';
import { world } from '../../support/world.ts';

const stage = world();
const files = filesFolder();

describe('a name', () => {
  it('is turned round where the family name stands first', () => {
    const cases: Readonly<Record<string, string | undefined>> = {
      'Example, Dana': 'Dana Example',
      ' Example ,Dana  M. ': 'Dana M. Example',
      'van der Berg, Jan': 'Jan van der Berg',
      'Example, Dana, Jr.': 'Dana Example Jr.',
      'Example Jr., Dana': 'Dana Example Jr.',
      'Peña Ruiz, José Luis': 'José Luis Peña Ruiz',
      'Dana Example, Jr.': undefined,
      'Dana Example, M.D.': undefined,
      'Example & Sons, Inc.': undefined,
      'Dana Example': undefined,
      'Example,': undefined,
      ', Dana': undefined,
      'Example, Dana, of Springfield': undefined,
      'a, b, c, d': undefined,
    };
    for (const [written, turned] of Object.entries(cases))
      assert.equal(turnedRound(written), turned);
  });

  it('keeps all of its words, and is turned once', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{3,9}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 3 }), word, (given, family) => {
        const turned = turnedRound(`${family}, ${given.join(' ')}`) ?? '';
        assert.deepEqual(turned.split(' '), [...given, family]);
        assert.equal(turnedRound(turned), undefined);
      }),
    );
  });
});

it('is stored turned round in its field and in texts that are made of it, if that is asked for', async () => {
  const { location, account } = stage.parents;
  const rows = ['n1,"Example, Dana"', 'n2,Robin Example', 'n3,"Example, Kim, Sr."'];
  const path = files.write('names.csv', ['Case #,Deceased (Last First)', ...rows].join('\n'));
  const set = {
    ...{ location_unique_identifier: location, event_datetime: '2027-03-20T10:00:00Z' },
    event_name: 'Service for {Deceased (Last First)}',
  };
  const bring = async (names?: 'last_first') => {
    const how = { resource: 'events', set, names };
    const { noticed } = await take(stage.service.app.store, account, [path], how);
    const { data } = await stage.read('/v1/events?limit=100');
    const stored = data.flatMap((one: Record<string, Record<string, Record<string, string>>>) =>
      /^n\d$/.test(String(one.external_identifier))
        ? [[one.external_identifier, one.public_data?.person?.full_name, one.event_name]]
        : [],
    );
    return { noticed, stored: stored.sort() };
  };
  const asked = await bring();
  const column = 'Deceased (Last First)';
  assert.deepEqual(asked.noticed, [
    {
      what: 'names_reversed',
      count: 2,
      examples: ['Example, Dana → Dana Example', 'Example, Kim, Sr. → Kim Example Sr.'],
      places: [
        { row: 2, column, text: 'Example, Dana', of: 'Example, Dana' },
        { row: 4, column, text: 'Example, Kim, Sr.', of: 'Example, Kim, Sr.' },
      ],
    },
  ]);
  assert.equal(asked.stored[0][1], 'Example, Dana');
  assert.deepEqual((await bring('last_first')).stored, [
    ['n1', 'Dana Example', 'Service for Dana Example'],
    ['n2', 'Robin Example', 'Service for Robin Example'],
    ['n3', 'Kim Example Sr.', 'Service for Kim Example Sr.'],
  ]);
});
