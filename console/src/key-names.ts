/** What keys are called: administrators may read that, others see the identifiers. */
import { ask, type PageOf } from './api.ts';
import { useLoad } from './load.ts';
import { session } from './session.ts';

interface NamedKey {
  readonly unique_identifier: string;
  readonly name: string | null;
  readonly ending: string;
}

export function useKeyNames(): (key: string) => string {
  const { value } = useLoad(
    session.value?.may_administer === true ? 'names of keys' : undefined,
    (signal) => ask<PageOf<NamedKey>>('GET', '/keys', undefined, { signal }),
  );
  return (key) => {
    const found = value?.data.find(({ unique_identifier }) => unique_identifier === key);
    return found === undefined ? key : (found.name ?? `… ${found.ending}`);
  };
}
