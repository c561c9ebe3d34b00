/** The names of keys, people and imports, requested together as they are first shown. */
import { signal } from '@preact/signals';
import { who } from 'messages';
import { ask } from '../service/api.ts';
import { lack } from '../service/lacking.ts';
import { unturned } from '../values/format.ts';

interface Named {
  readonly unique_identifier: string;
  /** `false`: it has no name, or no longer exists. */
  readonly known: boolean;
  readonly name: string | null;
  /** The name of the source of a key, if that is another one than its own. */
  readonly source: string | null;
}

/** As many as the service takes at a time. */
const AT_ONCE = 100;

const names = signal<ReadonlyMap<string, Named>>(new Map());
const wanted = new Set<string>();
/** Wanted names that could not be had. */
const lacked = new Set<string>();
/** Takes back that the page lacks them. */
let found = (): void => undefined;

/** Names a key, a person or an import as a sentence begins with it; `''` until it is known. */
export function nameFirst(key: string): string {
  const called = nameOf(key);
  const name = names.peek().get(key)?.name;
  // A name is written as they write it.
  return name != null && called.startsWith(name)
    ? called
    : called.charAt(0).toUpperCase() + called.slice(1);
}

/** Within a sentence; `''` until it is known. */
export function nameOf(key: string): string {
  const named = names.value.get(key);
  if (named !== undefined) return called(named);
  want([key]);
  return '';
}

function want(identifiers: readonly string[]): void {
  if (wanted.size === 0) queueMicrotask(requestNames);
  for (const one of identifiers) wanted.add(one);
}

/** Whether it has no name of its own, and is called as others are. */
export function isUnnamed(key: string): boolean {
  return key !== 'operator' && names.value.get(key)?.name === null;
}

async function requestNames(): Promise<void> {
  const identifiers = [...wanted].slice(0, AT_ONCE);
  try {
    const { data } = await ask<{ data: readonly Named[] }>('POST', '/names', { identifiers });
    names.value = new Map([
      ...names.value,
      ...data.map((one) => {
        const name = one.name === null ? null : unturned(one.name);
        return [one.unique_identifier, { ...one, name }] as const;
      }),
    ]);
    for (const one of identifiers) lacked.delete(one);
    if (lacked.size === 0) found();
  } catch (error) {
    for (const one of identifiers) lacked.add(one);
    found();
    found = lack({ error, reload: () => want([...lacked]) });
  } finally {
    for (const one of identifiers) wanted.delete(one);
    if (wanted.size > 0) void requestNames();
  }
}

/** By the beginning of an identifier. */
const KINDS: Readonly<Record<string, 'person' | 'import' | 'key' | 'sync'>> = {
  stf_: 'person',
  imp_: 'import',
  key_: 'key',
  syn_: 'sync',
};

function called({ unique_identifier, known, name, source }: Named): string {
  const kind = KINDS[unique_identifier.slice(0, 4)] ?? 'operator';
  if (kind === 'import') return name === null ? who.import : who.importOf(name);
  if (kind === 'sync') return name === null ? who.sync : who.syncOf(name);
  if (kind === 'operator') return who.operator;
  const text = known ? (name ?? who.unnamed[kind]) : who.former[kind];
  return source === null ? text : `${text} (${source})`;
}
