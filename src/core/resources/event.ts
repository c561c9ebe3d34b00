import { defineResource } from '../schema/define.ts';
import {
  content,
  date,
  datetime,
  object,
  optional,
  personal,
  required,
  text,
} from '../schema/fields/index.ts';
import { BORN, CASE, DIED, NAME } from './headings.ts';
import { location } from './location.ts';

export const event = defineResource({
  name: 'event',
  path: 'events',
  prefix: 'evt_',
  typeName: 'FuneralEvent',
  says: 'A service honoring a deceased person, held by a location.',
  parent: location,
  erasedAs: { event_name: 'Erased' },
  fields: {
    event_name: personal.required(text({ max: 500 }), 'Name of the event', 'Celebration of life'),
    event_datetime: required(datetime(), 'Date and time of the event, with its offset from UTC'),
  },
  public_data: {
    person: personal.optional(
      object(
        {
          full_name: required(text({ max: 500 }), 'Full name of the deceased person', 'Jane Doe'),
          date_of_birth: optional(date({ past: true }), 'Date of birth, not in the future'),
          date_of_death: optional(
            date({ past: true }),
            'Date of death, not before the date of birth and not in the future',
            '2026-11-14',
          ),
        },
        { orders: { date_of_birth: 'date_of_death' } },
      ),
      'The deceased person',
    ),
    additional_event_metadata: personal.optional(
      content({ maxBytes: 10_240 }),
      'Free-form metadata, at most 10 KB',
    ),
  },
  keys: { event_datetime: { field: 'event_datetime', as: 'plain', sorts: true, ages: true } },
  search: { event_name: 'words', 'person.full_name': 'words' },
  display: {
    singular: 'Service',
    plural: 'Services',
    title: ['person.full_name', 'event_name'],
    columns: ['person.full_name', 'event_name', 'event_datetime'],
    identifier: 'Case number',
    labels: {
      event_name: 'Service',
      event_datetime: 'Date and time',
      person: 'Deceased',
      'person.full_name': 'In memory of',
      'person.date_of_birth': 'Born',
      'person.date_of_death': 'Died',
      additional_event_metadata: 'Further details',
    },
    headings: {
      external_identifier: CASE,
      event_name: [
        ...['event', 'service type', 'type of service', 'kind of service', 'ceremony'],
        ...['servicio', 'tipo de servicio', 'evento', 'ceremonia'],
        ...['type de service', 'cérémonie', 'type de cérémonie', 'événement'],
      ],
      event_datetime: [
        ...['date', 'service date', 'date of service', 'event date', 'funeral date', 'when'],
        ...['time', 'service time', 'time of service', 'event time', 'start', 'start time'],
        ...['service date and time', 'begins', 'starts'],
        ...['fecha', 'fecha del servicio', 'fecha de servicio', 'fecha y hora', 'fecha del evento'],
        ...['hora', 'hora del servicio', 'hora de inicio', 'inicio'],
        ...['date du service', 'date de la cérémonie', 'date et heure', 'heure'],
        ...['heure du service', 'heure de la cérémonie', 'heure de début', 'début'],
      ],
      'person.full_name': [
        ...['deceased', 'decedent', 'name of deceased', 'deceased name', 'name of decedent'],
        ...['decedent name', 'name', 'honoree', 'loved one'],
        ...['difunto', 'difunta', 'fallecido', 'fallecida', 'nombre del difunto'],
        ...['nombre del fallecido', 'nombre de la difunta', 'en memoria de'],
        ...['défunt', 'défunte', 'nom du défunt', 'nom de la défunte', 'à la mémoire de'],
        ...NAME,
      ],
      'person.date_of_birth': BORN,
      'person.date_of_death': DIED,
    },
    headingsBelow: CASE,
  },
});
