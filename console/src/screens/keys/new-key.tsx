/** Makes an API key. */
import { keys as says, page as texts } from 'messages';
import type { ApiKey } from '../../generated/objects.ts';
import { allOrSomeField, type Choice, checksField } from '../../parts/choices.tsx';
import { accountField, firstAccount, question } from '../../parts/form.tsx';
import { type Places, placesField, sentPlaces } from '../../parts/location-checks.tsx';
import { belowAccounts } from '../../records/description.ts';
import { ask } from '../../service/api.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';
import { readersZone } from '../../values/format.ts';

const PERMISSIONS = ['read', 'write', 'delete'] as const;
/** Rights beyond records that a key may be given here. */
const GIVEN = ['requests', 'webhooks'] as const;

/** What a key may do, and from where. */
export function newKeyForm() {
  return question({
    title: says.add,
    wide: true,
    submit: says.add,
    begin: {
      account: firstAccount(),
      name: '',
      permissions: ['read', 'write'] as readonly string[],
      resources: undefined as Choice,
      places: { locations: undefined, region: null } as Places,
      allow: [] as readonly string[],
      from: '',
      requests_a_second: '',
      per: 's',
      requests_at_once: '',
      expires_at: '',
    },
    fields: {
      ...accountField(),
      name: { label: texts.record.name, placeholder: says.namePlaceholder },
      permissions: checksField(
        says.may,
        PERMISSIONS.map((one) => [one, says.choices[one]]),
        true,
      ),
      resources: allOrSomeField({
        legend: texts.nav.records,
        all: says.allResources,
        some: says.onlyResources,
        options: belowAccounts.map(({ path, plural }) => [path, plural]),
      }),
      places: placesField(),
      allow: checksField(
        says.also,
        GIVEN.map((one) => [one, says.allowed[one]]),
      ),
      from: { label: says.from, hint: says.fromHint, placeholder: '203.0.113.0/24' },
      requests_a_second: { label: says.rate, of: 'number' },
      per: {
        label: says.per,
        of: [
          ['s', says.aSecond],
          ['m', says.aMinute],
        ],
      },
      requests_at_once: { label: says.concurrent, of: 'number' },
      expires_at: { label: says.expires, of: 'date' },
    },
    send: ({ account, name, allow, places, from, per, expires_at, ...others }) =>
      ask<ApiKey>('POST', '/keys', {
        accounts: [account],
        permissions: others.permissions,
        resources: others.resources,
        ...sentPlaces(places),
        ...(name === '' ? {} : { name }),
        ...(allow.length === 0 ? {} : { allow }),
        ...(from === '' ? {} : { from: from.split(/[\s,]+/) }),
        ...numbered('requests_a_second', others.requests_a_second, per === 'm' ? 60 : 1),
        ...numbered('requests_at_once', others.requests_at_once, 1),
        ...(expires_at === '' ? {} : { expires_at: endOf(expires_at) }),
      }),
  });
}

/** Anything but a number is sent as it is: the service says what it must be. */
function numbered(name: string, text: string, of: number): object {
  if (text === '') return {};
  const number = Number(text) / of;
  return { [name]: Number.isFinite(number) ? number : text };
}

/** The key ends with its last day, where its maker is. */
function endOf(day: string): string {
  return withOffset(midnight(readersZone, momentIn(readersZone, day), 1), readersZone);
}
