import { defineResource } from '../schema/define.ts';
import { boolean, email, personal, phone, text } from '../schema/fields/index.ts';
import { event } from './event.ts';
import { NAME } from './headings.ts';

export const eventAdministrator = defineResource({
  name: 'event_administrator',
  path: 'event_administrators',
  prefix: 'ead_',
  says: 'Someone who administers an event, typically a next-of-kin family member.',
  parent: event,
  fields: {
    person_full_name: personal.required(text({ max: 500 }), 'Name of the person', 'John Doe'),
    person_phone_number: personal.required(phone(), 'Phone number in E.164 form'),
  },
  public_data: {
    person_relationship_to_deceased: personal.optional(
      text(),
      'Relationship to the deceased, such as spouse, child or parent',
      'child',
    ),
    person_interested_in_pre_planning: personal.optional(boolean(), 'Interest in pre-planning'),
    person_email_address: personal.optional(email(), 'Email address'),
  },
  keys: {
    person_interested_in_pre_planning: { field: 'person_interested_in_pre_planning', as: 'true' },
  },
  search: { person_full_name: 'words' },
  display: {
    singular: 'Next of kin',
    plural: 'Next of kin',
    title: ['person_full_name'],
    columns: [
      'person_full_name',
      'person_relationship_to_deceased',
      'person_phone_number',
      'person_email_address',
      'person_interested_in_pre_planning',
    ],
    labels: {
      person_full_name: 'Name',
      person_phone_number: 'Phone',
      person_relationship_to_deceased: 'Relationship',
      person_interested_in_pre_planning: 'Pre-planning',
      person_email_address: 'Email',
    },
    headings: {
      person_full_name: [
        ...[
          ...NAME,
          'person',
          'next of kin',
          'next of kin name',
          'contact',
          'contact name',
          'family contact',
          'informant',
        ],
        ...['familiar', 'pariente', 'nombre del familiar', 'pariente más cercano', 'informante'],
        ...['proche', 'parent', 'nom du proche', 'plus proche parent', 'déclarant'],
      ],
    },
  },
});
