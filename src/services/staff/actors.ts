/** The names of actors: a key by its name, a person by theirs, an import by its files. */
import type { ImportBook } from '../../store/promises/imports.ts';
import type { KeyRing } from '../../store/promises/keys.ts';
import type { StaffBook } from '../../store/promises/staff.ts';

export interface ActorBooks {
  readonly keys: Pick<KeyRing, 'find'>;
  readonly staff: Pick<StaffBook, 'find'>;
  readonly imports: Pick<ImportBook, 'find'>;
}

export interface Actor {
  readonly accounts: readonly string[];
  readonly name: string | null;
  /** Identifies an actor without a name to its administrators: an email, the end of a secret. */
  readonly instead: string | null;
}

/** `undefined` if the identifier is unknown, or its actor is gone. */
export async function findActor(
  { keys, staff, imports }: ActorBooks,
  unique_identifier: string,
): Promise<Actor | undefined> {
  if (unique_identifier.startsWith('stf_')) {
    const member = await staff.find(unique_identifier);
    return member && { ...member, instead: member.email };
  }
  if (unique_identifier.startsWith('imp_')) {
    const run = await imports.find(unique_identifier);
    const name = run?.files.map((file) => file.name).join(', ') ?? null;
    return run && { accounts: run.accounts, name, instead: null };
  }
  const found = await keys.find(unique_identifier);
  return found.is === 'unknown' ? undefined : { ...found.key, instead: `… ${found.key.ending}` };
}
