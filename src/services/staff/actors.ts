/** The names of actors: a key by its name and that of its source, a person by theirs, what features have by its own name, a sync by its source. */
import type { Store } from '../../store/promises/store.ts';

interface Actor {
  readonly accounts: readonly string[];
  readonly name: string | null;
  /** Identifies an actor without a name to its administrators: an email, the end of a secret. */
  readonly instead: string | null;
  /** The name of the source of a key, if that is another one than its own. */
  readonly source: string | null;
}

/** `undefined` if the identifier is unknown, or its actor is gone. */
export async function findActor(
  { actors, keys, staff, sources }: Pick<Store, 'actors' | 'keys' | 'staff' | 'sources'>,
  unique_identifier: string,
): Promise<Actor | undefined> {
  if (unique_identifier.startsWith('stf_')) {
    const member = await staff.find(unique_identifier);
    return member && { ...member, instead: member.email, source: null };
  }
  const finds = actors.find(({ prefix }) => unique_identifier.startsWith(prefix));
  if (finds !== undefined) {
    const actor = await finds.find(unique_identifier);
    return actor && { ...actor, instead: null, source: null };
  }
  if (unique_identifier.startsWith('syn_')) {
    const one = await sources.ofSync(unique_identifier);
    return one && { accounts: [one.account], name: one.name, instead: null, source: null };
  }
  const found = await keys.find(unique_identifier);
  if (found.is === 'unknown') return undefined;
  const { accounts, name, ending } = found.key;
  // A key of several accounts has a source of the same name in each, unless it was renamed there.
  const [account = ''] = accounts;
  const its = (await sources.of(account, [unique_identifier])).get(unique_identifier)?.name;
  const isOwn = its === (name ?? `Key …${ending}`);
  const source = its === undefined || isOwn ? null : its;
  return { ...found.key, instead: `… ${ending}`, source };
}
