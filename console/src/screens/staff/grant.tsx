/** The rights of a person, in an invitation or when they change. */
import type { JSX } from 'preact';
import { type Choice, isSaid } from '../../parts/all-or-some.tsx';
import { Checks } from '../../parts/checks.tsx';
import { LocationChecks } from '../../parts/location-checks.tsx';
import { type Staff, session } from '../../service/session.ts';
import { texts } from '../../texts.ts';
import { says } from './texts.ts';

const ROLES = ['viewer', 'editor', 'administrator'] as const;

export interface Grant extends Pick<Staff, 'role' | 'accounts'> {
  readonly locations: Choice;
}

/** As the service takes it; `undefined` while something is not said. */
export function sentGrant({ role, accounts, locations }: Grant): object | undefined {
  if (accounts.length === 0) return undefined;
  if (role === 'administrator') return { role, accounts, locations: null };
  return isSaid(locations) ? { role, accounts, locations } : undefined;
}

interface GrantFieldsProps {
  readonly grant: Grant;
  readonly onChange: (grant: Grant) => void;
}

export function GrantFields({ grant, onChange }: GrantFieldsProps): JSX.Element {
  const { role, accounts, locations } = grant;
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
          legend={texts.staff.accounts}
          options={all.map(({ unique_identifier: id, name }) => [id, name] as const)}
          chosen={accounts}
          onChoose={(chosen) => onChange({ ...grant, accounts: [...chosen] })}
        />
      )}
      {role !== 'administrator' && (
        <LocationChecks
          choice={locations}
          onChoose={(choice) => onChange({ ...grant, locations: choice })}
        />
      )}
    </>
  );
}
