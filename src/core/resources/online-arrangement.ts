import { defineResource } from '../schema/define.ts';
import {
  boolean,
  choice,
  content,
  date,
  email,
  money,
  object,
  optional,
  personal,
  phone,
  text,
} from '../schema/fields/index.ts';
import { BORN, NAME } from './headings.ts';
import { location } from './location.ts';

export const onlineArrangement = defineResource({
  name: 'online_arrangement',
  path: 'online_arrangements',
  prefix: 'oa_',
  says: 'An arrangement started through an online portal, with its cart and its purchaser.',
  parent: location,
  fields: {
    person_full_name: personal.required(
      text({ max: 500 }),
      'Name of the person for whom the arrangement is made',
      'Jane Doe',
    ),
    person_phone_number: personal.required(phone(), 'Phone number in E.164 form'),
    cart_summary: personal.required(
      text({ maxBytes: 65_536 }),
      'Free-form breakdown of the cart',
      'Cremation; walnut urn; memorial service',
    ),
    additional_person_metadata: personal.optional(
      object({
        email_address: optional(email(), 'Email address'),
        mailing_address: optional(
          text(),
          'Mailing address as one text: street, city, state, zip',
          '1 Main Street, Springfield, IL, 62701',
        ),
        birth_date: optional(date({ past: true }), 'Birth date, not in the future'),
        gender: optional(text(), 'Gender', 'female'),
      }),
      'Details of the person',
    ),
    additional_cart_metadata: personal.optional(
      object({
        cart_value_in_cents: optional(
          money({ currency: 'cart_currency' }),
          'Total value of the cart in cents',
        ),
        cart_currency: optional(
          choice('USD'),
          'Currency, required whenever there is a cart_value_in_cents',
        ),
        is_abandoned_cart: optional(boolean(), 'Whether the cart was abandoned'),
      }),
      'Details of the cart',
    ),
    additional_data: personal.optional(
      content({ maxBytes: 65_536 }),
      'Any other data, at most 64 KB',
    ),
  },
  keys: {
    is_abandoned_cart: { field: 'additional_cart_metadata.is_abandoned_cart', as: 'true' },
  },
  search: { person_full_name: 'words' },
  display: {
    singular: 'Arrangement',
    plural: 'Arrangements',
    title: ['person_full_name'],
    columns: [
      'person_full_name',
      'person_phone_number',
      'additional_cart_metadata.cart_value_in_cents',
      'additional_cart_metadata.is_abandoned_cart',
      'inserted_at',
    ],
    groups: {
      Person: ['person_full_name', 'person_phone_number', 'additional_person_metadata'],
      Cart: ['cart_summary', 'additional_cart_metadata'],
    },
    labels: {
      person_full_name: 'Name',
      person_phone_number: 'Phone',
      cart_summary: 'Summary',
      'additional_person_metadata.email_address': 'Email',
      'additional_cart_metadata.cart_value_in_cents': 'Value',
      'additional_cart_metadata.cart_currency': 'Currency',
      'additional_cart_metadata.is_abandoned_cart': 'Abandoned',
      additional_data: 'Further details',
    },
    headings: {
      person_full_name: [...NAME, 'person', 'customer', 'cliente', 'client'],
      cart_summary: ['cart', 'items'],
      'additional_cart_metadata.cart_value_in_cents': ['cart value', 'total', 'amount', 'price'],
      'additional_person_metadata.mailing_address': ['address'],
      'additional_person_metadata.birth_date': BORN,
    },
  },
});
