/** Everything that signing in needs, in one place. */
import type { StoredKey } from '../../core/objects/api-key.ts';
import type { StaffObserver } from '../../core/observe/observers.ts';
import type { Credentials } from '../../records/auth/authenticator.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { StaffSession } from '../../store/promises/staff.ts';
import type { Store } from '../../store/promises/store.ts';
import { createCeremonies } from './ceremonies.ts';
import { createGuessing } from './guessing.ts';
import { createPasskeys } from './passkeys.ts';
import type { Provider } from './provider.ts';
import { createSessionCheck, isOpen, type SessionsParts } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createSingleSignOn } from './single-sign-on.ts';

interface StaffServiceParts extends Omit<SessionsParts, 'book'> {
  /** Which of these are locations of these accounts. */
  readonly anchorsAmong: (
    unique_identifiers: readonly string[],
    accounts: readonly string[],
  ) => Promise<readonly string[]>;
  /** Looks up the titles of these records, as far as they exist and are in that scope. */
  readonly titlesAmong: (
    unique_identifiers: readonly string[],
    scope: Principal['scope'],
  ) => Promise<ReadonlyMap<string, string>>;
  /** Finds what works by these keys and stops when they end: unique identifiers, by the key. */
  readonly keyUses: (keys: readonly StoredKey[]) => Promise<ReadonlyMap<string, readonly string[]>>;
  readonly provider: Provider | undefined;
  readonly observer: StaffObserver;
}

export type StaffService = ReturnType<typeof createStaffService>;

export function createStaffService(
  store: Store,
  { provider, openAmong, failed, ...parts }: StaffServiceParts,
) {
  const { staff: book, accounts, keys } = store;
  const { now, observer, regions } = parts;
  const ceremonies = createCeremonies(book, now);
  const passkeys = createPasskeys(book, ceremonies);
  return {
    ...parts,
    book,
    keys,
    actors: store,
    isOpen: (session: StaffSession) => isOpen(session, now()),
    authenticate: createSessionCheck({ book, openAmong, regions, now, failed }),
    signIn: createSignIn(book, createGuessing(), passkeys, observer),
    passkeys,
    ceremonies,
    singleSignOn:
      provider &&
      createSingleSignOn(provider, ceremonies, now, (reason, from) =>
        observer.signedIn('single_sign_on', 'failed', [], from, reason),
      ),
    /** The existing ones of these accounts, by name. */
    accountsAmong: async (unique_identifiers: ReadonlySet<string>) =>
      (await accounts.list()).filter(({ unique_identifier }) =>
        unique_identifiers.has(unique_identifier),
      ),
  };
}

/** The callers of a route for people: only the person, or also their page while they are away. */
export type PersonCalls = 'asks' | 'follows';

/** Authenticates a caller: on a route for people by their session, on any other by their key. Throws the errors of each. */
export type Authenticate = (
  request: Credentials,
  person: PersonCalls | undefined,
) => Principal | Promise<Principal>;
