/** The rights of a person, in an invitation or when they change. */
import { staff as says } from 'messages';
import { checksField, Radios } from '../../parts/choices.tsx';
import type { FieldsOf } from '../../parts/form.tsx';
import { type Places, placesField, sentPlaces } from '../../parts/location-checks.tsx';
import { type Staff, session } from '../../service/session.ts';

const ROLES = ['viewer', 'editor', 'administrator'] as const;

export interface Grant extends Pick<Staff, 'role'> {
  readonly accounts: readonly string[];
  readonly places: Places;
}

/** What a person may do now; a new one works everywhere, at places to be chosen. */
export function grantOf(staff?: Staff): Grant {
  if (staff === undefined) {
    const accounts = (session.value?.accounts ?? []).map((one) => one.unique_identifier);
    return { role: 'editor', accounts, places: { locations: undefined, region: null } };
  }
  const { role, accounts, locations, region } = staff;
  return { role, accounts, places: { locations, region } };
}

/** As the service takes it. */
export function sentGrant({ role, accounts, places }: Grant): object {
  return {
    role,
    accounts,
    ...(role === 'administrator' ? { locations: null } : sentPlaces(places)),
  };
}

export function grantFields({ role }: Grant): FieldsOf<Grant> {
  const all = session.value?.accounts ?? [];
  return {
    role: {
      label: says.role,
      own: ({ value, onChange }) => (
        <Radios
          legend={says.role}
          options={ROLES.map((one) => [one, says.roles[one], says.roleHints[one]] as const)}
          value={value}
          onChoose={onChange}
        />
      ),
    },
    ...(all.length > 1 && {
      accounts: checksField(
        says.accounts,
        all.map(({ unique_identifier: id, name }) => [id, name]),
        true,
      ),
    }),
    ...(role !== 'administrator' && { places: placesField() }),
  };
}
