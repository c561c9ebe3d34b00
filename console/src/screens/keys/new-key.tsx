/** Makes an API key. */

import says from 'messages:keys';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey } from '../../generated/objects.ts';
import { AllOrSome, type Choice, isSaid } from '../../parts/all-or-some.tsx';
import { Ask, accountAsked, firstAccount } from '../../parts/ask.tsx';
import { Checks } from '../../parts/checks.tsx';
import { PlaceChecks, type Places, sentPlaces } from '../../parts/location-checks.tsx';
import { described } from '../../records/description.ts';
import { ask } from '../../service/api.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';
import { readersZone } from '../../values/format.ts';

const PERMISSIONS = ['read', 'write', 'delete'] as const;

interface NewKeyProps {
  readonly onClose: () => void;
  readonly onMade: (secret: string) => void;
}

export function NewKey({ onClose, onMade }: NewKeyProps): JSX.Element {
  const [permissions, setPermissions] = useState<readonly string[]>(['read', 'write']);
  const [resources, setResources] = useState<Choice>(undefined);
  const [places, setPlaces] = useState<Places>({ locations: undefined, region: null });
  const [allow, setAllow] = useState<readonly string[]>([]);
  return (
    <Ask
      title={says.add}
      wide
      submit={says.add}
      begin={{
        name: '',
        account: firstAccount(),
        from: '',
        requests_a_second: '',
        per: 's',
        requests_at_once: '',
        expires_at: '',
      }}
      fields={() => ({
        ...accountAsked(says.account),
        name: { label: says.name, placeholder: says.namePlaceholder },
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
      })}
      after="name"
      more={
        <>
          <Checks
            legend={says.may}
            options={PERMISSIONS.map((one) => [one, says.choices[one]] as const)}
            chosen={permissions}
            onChoose={setPermissions}
          />
          <AllOrSome
            legend={says.resources}
            all={says.allResources}
            some={says.onlyResources}
            options={described
              .filter(({ parent }) => parent !== undefined)
              .map(({ path, plural }) => [path, plural] as const)}
            choice={resources}
            onChoose={setResources}
          />
          <PlaceChecks places={places} onChoose={setPlaces} />
          <Checks
            legend={says.also}
            options={Object.entries(says.rights)}
            chosen={allow}
            onChoose={setAllow}
          />
        </>
      }
      ready={permissions.length > 0 && isSaid(resources) && sentPlaces(places) !== undefined}
      send={({ account, name, from, per, expires_at, ...limits }) =>
        ask<ApiKey>('POST', '/keys', {
          accounts: [account],
          permissions,
          resources,
          ...sentPlaces(places),
          ...(name === '' ? {} : { name }),
          ...(allow.length === 0 ? {} : { allow }),
          ...(from === '' ? {} : { from: from.split(/[\s,]+/) }),
          ...numbered('requests_a_second', limits.requests_a_second, per === 'm' ? 60 : 1),
          ...numbered('requests_at_once', limits.requests_at_once, 1),
          ...(expires_at === '' ? {} : { expires_at: endOf(expires_at) }),
        })
      }
      onDone={({ secret }) => secret !== undefined && onMade(secret)}
      onClose={onClose}
    />
  );
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
