/** Columns are known by the words of the trade in three languages, however these are written; a word that may mean two things is asked about. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../../../src/core/registry.ts';
import type { Resource } from '../../../src/core/schema/define.ts';
import { targetNamed } from '../../../src/features/imports/serves/amounts.ts';
import { type Mapping, mapColumns } from '../../../src/features/imports/serves/mapping.ts';
import {
  fieldCalled,
  fieldNames,
  labelOf,
} from '../../../src/features/imports/serves/table/headings.ts';
import { USUAL } from '../../../src/features/imports/serves/table/usual.ts';
import { OPTIONS } from '../../../src/features/imports/serves/words.ts';

const named = (path: string): Resource => {
  const found = resources.find((one) => one.path === path);
  assert.ok(found, path);
  return found;
};

describe('a heading is known', () => {
  const seen: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    events: {
      external_identifier: [
        ...['Case #', 'CASE NO.', 'Case-Number', 'case nbr', 'File No', 'Service #'],
        ...['Nº de caso', 'Numero de Caso', 'Expediente', 'N° dossier', 'Numéro du dossier'],
      ],
      event_datetime: [
        ...['Svc Date', 'SVC. DATE', 'Date of Service', 'Service Dt.', 'Start', 'Start Time'],
        ...['Fecha del servicio', 'Hora', 'Date de la cérémonie', 'Heure', 'Date (mm/dd/yyyy)'],
      ],
      'person.full_name': [
        ...['Deceased (Last, First)', "Dec'd", 'Name of Decedent', 'Difunta', 'Nom du défunt'],
        ...['In Memory Of', 'Decedent Name:', 'NOMBRE'],
      ],
      'person.date_of_birth': [
        'Date of Birth',
        'D.O.B.',
        'DOB',
        'Born',
        'Fecha nacimiento',
        'Né le',
      ],
      'person.date_of_death': ['Date of Death', 'D.O.D.', 'Passed', 'Defunción', 'Date de décès'],
      location_external_identifier: [
        'Chapel',
        'Loc.',
        'Capilla',
        'Établissement',
        'Branch Location',
      ],
    },
    event_administrators: {
      person_full_name: ['NOK', 'Next of Kin Name', 'Nok Name', 'Familiar', 'Proche', 'Contact'],
      person_phone_number: ['NOK Phone', 'NOK Tel.', 'NOK Cell', 'Ph. #', 'Teléfono', 'Tél'],
      person_relationship_to_deceased: ['NOK Relationship', 'Rel.', 'Parentesco', 'Lien'],
      event_external_identifier: ['Case No.', 'Caso', 'Dossier'],
    },
    event_check_in_records: {
      visitor_full_name: ['Guest', 'Visitor Name', 'Invitado', 'Visiteur'],
      visitor_phone_number: ['Guest Phone', 'Visitor Cell Phone', 'Celular'],
      visitor_email_address: ['E-Mail', 'Guest Email', 'Correo electrónico', 'Courriel'],
    },
    direct_mail_replies: {
      'respondent_address.postal_code': ['Zip', 'ZIP Code', 'Código Postal', 'Code postal'],
      'respondent_address.city': ['City', 'Ciudad', 'Ville'],
    },
  };
  for (const [path, fields] of Object.entries(seen))
    for (const [field, headings] of Object.entries(fields))
      it(`for ${field} of ${path}`, () => {
        for (const heading of headings.filter((one) => one !== 'Branch Location'))
          assert.equal(fieldCalled(named(path), heading), field, heading);
      });

  it('however it is written', () => {
    for (const resource of resources)
      for (const [field, words = []] of Object.entries(resource.display.headings)) {
        for (const word of words) {
          const wanted = fieldCalled(resource, word);
          for (const written of [
            ...[word.toUpperCase(), ` ${word}: `, word.replaceAll(' ', '_'), `${word} *`],
            ...[word.normalize('NFD'), word.normalize('NFD').replaceAll(/\p{M}/gu, '')],
            ...[word.replaceAll(/\bnumber\b/g, 'No.'), word.replaceAll(/\bservice\b/g, 'Svc')],
          ])
            assert.equal(fieldCalled(resource, written), wanted, `${field}: ${written}`);
        }
      }
  });

  it('as one field, which no other list of words takes away', () => {
    for (const resource of resources) {
      for (const [field, words = []] of Object.entries(resource.display.headings))
        for (const word of words) {
          const found = fieldCalled(resource, word);
          assert.ok(found === field || `${found}_in_cents` === field, `${word}: ${found}`);
        }
      for (const name of fieldNames(resource))
        for (const word of USUAL[labelOf(resource, name)] ?? [])
          assert.equal(fieldCalled(resource, word), name, `${resource.path}: ${word}`);
    }
  });
});

describe('a heading that may mean two things', () => {
  const rowsOf = (...rows: readonly string[][]) =>
    rows.map((cells, at) => ({ number: at + 2, cells }));
  const mapped = (path: string, header: readonly string[], ...rows: readonly string[][]): Mapping =>
    mapColumns(named(path), { header, samples: rowsOf(...rows) }, {}, OPTIONS).mapping;

  it('is asked about, unless its cells say what it is', () => {
    for (const word of ['Number', 'No.', '#', 'Nº', 'Número']) {
      const of = (...cells: string[]) =>
        mapped('direct_mail_replies', ['Name', word], ...cells.map((cell) => ['Dana', cell]))[word];
      assert.equal(of('(415) 555-0100', '4155550101', ''), 'respondent_person.phone_number1');
      for (const cells of [['1041', '1042'], ['(415) 555-0100', '12'], [''], []])
        assert.equal(of(...cells), undefined, word);
    }
  });

  it('that names a text gives way to what all of its cells are', () => {
    const shown: readonly (readonly [kind: RegExp, cells: readonly string[]])[] = [
      [/phone number$/, ['(415) 555-0100', '415.555.0101', '+1 415 555 0102']],
      [/^email address$/, ['a@example.com', 'b.c@example.org']],
      [/^date and time$/, ['11/20/2026 3:00 PM', '2026-11-20', 'Nov 20, 2026', 'Fri 20.11.2026']],
    ];
    for (const resource of resources) {
      for (const name of fieldNames(resource)) {
        const target = targetNamed(resource, name);
        if (target?.kind !== 'text' || name.endsWith('identifier')) continue;
        for (const heading of resource.display.headings?.[name] ?? [])
          for (const [kind, cells] of shown) {
            const fitting = fieldNames(resource).filter((one) =>
              kind.test(targetNamed(resource, one)?.kind ?? ''),
            );
            const of = (...all: string[]) =>
              mapped(resource.path, [heading], ...all.map((cell) => [cell]))[heading];
            const wanted = fitting[0] ?? name;
            assert.equal(of(...cells, ''), wanted, `${resource.path}: ${heading}`);
            assert.equal(of(...cells, 'Dana'), name, `${resource.path}: ${heading}`);
            assert.equal(of(), name);
          }
      }
    }
    const both = mapped('events', ['Service', 'Service Date'], ['12/3/2026', '12/4/2026 1:00 PM']);
    assert.deepEqual(both, { Service: 'event_name', 'Service Date': 'event_datetime' });
  });

  it('is no amount in another currency', () => {
    const { path } = named('online_arrangements');
    for (const word of ['Value (EUR)', 'Amount (€)', 'Total [CAD]'])
      assert.equal(mapped(path, [word])[word], undefined);
    assert.ok(mapped(path, ['Value (in cents)'])['Value (in cents)']?.endsWith('_in_cents'));
  });

  it('joins the column of a time to that of its date by what is in it', () => {
    const found = mapColumns(
      named('events'),
      { header: ['Svc Date', 'Begins'], samples: rowsOf(['12/3/2026', '2:30 PM']) },
      {},
      OPTIONS,
    );
    assert.deepEqual(found.joined, [[0, 1]]);
    const twice = { header: ['Svc Date', 'Date'], samples: rowsOf(['12/3/2026', '12/4/2026']) };
    const { joined, unknown } = mapColumns(named('events'), twice, {}, OPTIONS);
    assert.deepEqual([joined, unknown.length], [[], 1]);
  });
});
