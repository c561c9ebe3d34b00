/** Finds objects of an account whose names or texts mention a person. Names stay, so someone must review them. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Store } from '../../../store/promises/store.ts';

/** The number of rows read at once. */
const AT_ONCE = 200;
/** A text that sorts after every identifier. */
const LAST = '\u{10ffff}';

type Named = Readonly<{ unique_identifier: string }>;
type Books = Pick<Store, 'keys' | 'webhooks' | 'imports' | 'sources' | 'staff' | 'written'>;

/** Returns the unique identifiers of the objects that mention the person. */
export async function namedIn(
  { keys, webhooks, imports, sources, staff, written }: Books,
  account: string,
  mentions: (text: string) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  const look = <One extends Named>(
    all: readonly One[],
    of: (one: One) => readonly (string | null)[],
  ): void => {
    for (const one of all) if (of(one).some(isMention)) found.push(one.unique_identifier);
  };
  const isMention = (text: string | null): boolean => text !== null && mentions(text);
  const isOwn = ({ accounts }: { readonly accounts: readonly string[] }) =>
    accounts.includes(account);
  look((await keys.list()).filter(isOwn), ({ name }) => [name]);
  look(await webhooks.list([account]), ({ settings }) => [JSON.stringify(settings)]);
  look(await sources.list([account]), ({ name }) => [name]);
  look((await staff.list()).filter(isOwn), ({ name, email }) => [name, email]);
  await paged(
    (before) => imports.list(AT_ONCE, before),
    (some) => look(some.filter(isOwn), ({ files }) => files.map(({ name }) => name)),
  );
  for (const list of written)
    await paged(
      (before) => list(account, before, AT_ONCE),
      (some) => look(some, ({ texts }) => texts),
    );
  return found;
}

async function paged<One extends Named>(
  list: (before: string) => Promise<readonly One[]>,
  look: (some: readonly One[]) => void,
): Promise<void> {
  for (let before = LAST; ; ) {
    const some = await list(before);
    look(some);
    const last = some.at(-1);
    if (last === undefined || some.length < AT_ONCE) return;
    before = last.unique_identifier;
    await nextTick();
  }
}
