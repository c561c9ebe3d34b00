import { defineResource } from '../schema/define.ts';
import { boolean, email, personal, phone, text } from '../schema/fields/index.ts';
import { event } from './event.ts';
import { NAME } from './headings.ts';

export const eventCheckInRecord = defineResource({
  name: 'event_check_in_record',
  path: 'event_check_in_records',
  prefix: 'ecr_',
  says: 'A visitor to an event, typically family or a friend.',
  parent: event,
  fields: {
    visitor_full_name: personal.required(text({ max: 500 }), 'Name of the visitor', 'Jane Doe'),
    visitor_phone_number: personal.required(phone(), 'Phone number in E.164 form'),
  },
  public_data: {
    visitor_relationship_to_deceased: personal.optional(
      text(),
      'Relationship to the deceased',
      'friend',
    ),
    visitor_interested_in_pre_planning: personal.optional(boolean(), 'Interest in pre-planning'),
    visitor_email_address: personal.optional(email(), 'Email address'),
  },
  keys: {
    visitor_interested_in_pre_planning: { field: 'visitor_interested_in_pre_planning', as: 'true' },
  },
  search: { visitor_full_name: 'words' },
  display: {
    singular: 'Visitor',
    plural: 'Visitors',
    title: ['visitor_full_name'],
    columns: [
      'visitor_full_name',
      'visitor_relationship_to_deceased',
      'visitor_phone_number',
      'visitor_email_address',
      'visitor_interested_in_pre_planning',
    ],
    labels: {
      visitor_full_name: 'Name',
      visitor_phone_number: 'Phone',
      visitor_relationship_to_deceased: 'Relationship',
      visitor_interested_in_pre_planning: 'Pre-planning',
      visitor_email_address: 'Email',
    },
    headings: {
      visitor_full_name: [
        ...[
          ...NAME,
          'person',
          'visitor',
          'guest',
          'visitor name',
          'guest name',
          'name of guest',
          'attendee',
        ],
        ...['visitante', 'invitado', 'nombre del visitante', 'nombre del invitado', 'asistente'],
        ...['visiteur', 'invité', 'nom du visiteur', 'nom de l’invité', 'présent'],
      ],
    },
  },
});
