/** The names of keys and people. Administrators may read them; others see identifiers. */
import { ask, type PageOf } from './api.ts';
import { useLoad } from './load.ts';
import { session } from './session.ts';
import { texts } from './texts.ts';

interface NamedKey {
  readonly unique_identifier: string;
  readonly name: string | null;
  readonly ending: string;
}

interface NamedPerson {
  readonly unique_identifier: string;
  readonly name: string | null;
  readonly email: string;
}

export function useKeyNames(): (key: string) => string {
  const { value } = useLoad(
    session.value?.may_administer === true ? 'names of keys and people' : undefined,
    async (signal) => {
      const [keys, people] = await Promise.all([
        ask<PageOf<NamedKey>>('GET', '/keys', undefined, { signal }),
        ask<PageOf<NamedPerson>>('GET', '/staff', undefined, { signal }),
      ]);
      return new Map([
        ...keys.data.map((key) => [key.unique_identifier, key.name ?? `… ${key.ending}`] as const),
        ...people.data.map((one) => [one.unique_identifier, one.name ?? one.email] as const),
      ]);
    },
  );
  return (key) => {
    const isFormer = value !== undefined && key.startsWith('stf_');
    return value?.get(key) ?? (isFormer ? texts.staff.former(key) : key);
  };
}
