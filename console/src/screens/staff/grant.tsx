/** The rights of a person, in an invitation or when they change. */

import says from 'messages:staff';
import type { JSX } from 'preact';
import { Checks } from '../../parts/checks.tsx';
import { PlaceChecks, type Places, sentPlaces } from '../../parts/location-checks.tsx';
import { type Staff, session } from '../../service/session.ts';

const ROLES = ['viewer', 'editor', 'administrator'] as const;

export interface Grant extends Pick<Staff, 'role' | 'accounts'>, Places {}

/** As the service takes it; `undefined` while something is not said. */
export function sentGrant({ role, accounts, ...places }: Grant): object | undefined {
  if (accounts.length === 0) return undefined;
  if (role === 'administrator') return { role, accounts, locations: null };
  const sent = sentPlaces(places);
  return sent && { role, accounts, ...sent };
}

interface GrantFieldsProps {
  readonly grant: Grant;
  readonly onChange: (grant: Grant) => void;
}

export function GrantFields({ grant, onChange }: GrantFieldsProps): JSX.Element {
  const { role, accounts } = grant;
  const all = session.value?.accounts ?? [];
  return (
    <>
      <fieldset class="checks">
        <legend>{says.role}</legend>
        {ROLES.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="role"
              checked={role === one}
              onChange={() => onChange({ ...grant, role: one })}
            />
            <span>
              {says.roles[one]} <small>{says.roleHints[one]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {all.length > 1 && (
        <Checks
          legend={says.accounts}
          options={all.map(({ unique_identifier: id, name }) => [id, name] as const)}
          chosen={accounts}
          onChoose={(chosen) => onChange({ ...grant, accounts: [...chosen] })}
        />
      )}
      {role !== 'administrator' && (
        <PlaceChecks places={grant} onChoose={(places) => onChange({ ...grant, ...places })} />
      )}
    </>
  );
}
