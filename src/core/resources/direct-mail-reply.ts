import { defineResource } from '../schema/define.ts';
import {
  email,
  jpgUrl,
  list,
  object,
  optional,
  personal,
  text,
  textMap,
  usPhone,
} from '../schema/fields/index.ts';
import { BORN, CITY, NAME, POSTAL_CODE, STATE, STREET } from './headings.ts';
import { location } from './location.ts';

export const directMailReply = defineResource({
  name: 'direct_mail_reply',
  path: 'direct_mail_replies',
  prefix: 'dmr_',
  says: 'A reply to a direct mail piece, with images of it and, where known, its respondent.',
  parent: location,
  fields: {},
  public_data: {
    image_urls: personal.required(
      list(jpgUrl(), { min: 1, max: 10 }),
      'URLs of JPG images of the reply, 1 to 10 of them',
    ),
    respondent_person: personal.optional(
      object({
        full_name: optional(text({ max: 500 }), 'Full name', 'Jane Doe'),
        phone_number1: optional(usPhone(), 'Primary US phone number'),
        phone_number2: optional(usPhone(), 'Secondary US phone number', '(415) 555-0124'),
        email_address: optional(email(), 'Email address'),
        birth_date: optional(
          text(),
          'Birth date in any form, kept as it was sent',
          'spring of 1950',
        ),
      }),
      'The respondent',
    ),
    respondent_address: personal.optional(
      object({
        street_address_line_1: optional(
          text(),
          'First line of the street address',
          '1 Main Street',
        ),
        street_address_line_2: optional(text(), 'Second line of the street address', 'Apartment 2'),
        city: optional(text(), 'City', 'Springfield'),
        county: optional(text(), 'County', 'Sangamon'),
        state: optional(text(), 'State', 'IL'),
        country: optional(text(), 'Country', 'US'),
        postal_code: optional(text(), 'Postal code', '62701'),
      }),
      'The address of the respondent',
    ),
    additional_metadata: personal.optional(
      textMap({ maxBytes: 65_536 }),
      'Free metadata, texts by name, at most 64 KB',
    ),
  },
  lacking: {
    incomplete: {
      of: [
        ['respondent_person.full_name'],
        [
          'respondent_person.phone_number1',
          'respondent_person.phone_number2',
          'respondent_person.email_address',
        ],
      ],
      says: 'Whether it lacks a name, or any phone number and email address',
    },
  },
  search: { 'respondent_person.full_name': 'words' },
  display: {
    singular: 'Mail reply',
    plural: 'Mail replies',
    title: ['respondent_person.full_name'],
    columns: [
      'respondent_person.full_name',
      'respondent_person.phone_number1',
      'respondent_address.city',
      'respondent_address.state',
      'inserted_at',
    ],
    groups: {
      Respondent: ['respondent_person'],
      Address: ['respondent_address'],
      Card: ['image_urls', 'additional_metadata'],
    },
    filters: { incomplete: 'Still to be read' },
    labels: {
      image_urls: 'Images',
      respondent_person: 'Respondent',
      'respondent_person.full_name': 'Name',
      'respondent_person.phone_number1': 'Phone',
      'respondent_person.phone_number2': 'Second phone',
      'respondent_person.email_address': 'Email',
      respondent_address: 'Address',
      'respondent_address.street_address_line_1': 'Street',
      'respondent_address.street_address_line_2': 'Second line',
      additional_metadata: 'Further details',
    },
    headings: {
      image_urls: ['image', 'card', 'scan'],
      'respondent_person.full_name': [...NAME, 'person', 'respondent'],
      'respondent_person.phone_number2': ['phone 2', 'other phone'],
      'respondent_person.birth_date': BORN,
      'respondent_address.street_address_line_1': STREET,
      'respondent_address.street_address_line_2': ['address 2', 'address line 2', 'apt', 'unit'],
      'respondent_address.city': CITY,
      'respondent_address.state': STATE,
      'respondent_address.postal_code': POSTAL_CODE,
    },
  },
});
