/** Signing in, with a password or otherwise, and opening a session. */
import { ApiError } from '../../core/errors.ts';
import type { SignInObserver } from '../../core/observe/observers.ts';
import { normalized } from '../../core/schema/search/spelling.ts';
import type { StaffBook } from '../../store/books/staff.ts';
import type { Proof, SignInMethod, StaffMember } from '../../store/promises/staff.ts';
import {
  createPace,
  type Guessing,
  knownBrowser,
  type Networks,
  type PasswordGuess,
} from './guessing.ts';
import { foundInvitation } from './invitations.ts';
import type { PasskeySite, Passkeys } from './passkeys.ts';
import { checkPassword, hashPassword, whosePassword } from './passwords.ts';
import type { ProviderReturn } from './single-sign-on.ts';
import { createToken, hashToken } from './tokens.ts';

/** By whom failures are counted. */
type Counted = Pick<Networks, 'network' | 'wider'>;

/** The origin of a sign-in. */
export interface Newcomer extends Networks {
  /** The address itself, which the person is shown. */
  readonly address: string | undefined;
  readonly browser: string | undefined;
  /** The token of the session that the browser brings; it ends with the sign-in. */
  readonly token: string | undefined;
  /** The cookie with which the browser remembers earlier sign-ins. */
  readonly cookie: string | undefined;
}

/** A browser's answer to a request for a passkey. */
export interface PasskeyAnswer {
  readonly ceremony: string;
  readonly credential: object;
  readonly site: PasskeySite;
}

const MAX_BROWSER = 300;

/** How many failures are told as such, for each way by itself: what succeeds is not counted. */
const FAILURES = 120;
/** How many passwords are refused that a person chooses. */
const REFUSED = 30;
const FAILURES_MS = 15 * 60_000;

/** Returns the token of a new session. */
export function createSignIn(
  book: StaffBook,
  guessing: Guessing,
  passkeys: Passkeys,
  observer: SignInObserver,
) {
  const byPasskey = createPace(FAILURES, FAILURES_MS, { code: 'passkeys_limited' });
  const bySingleSignOn = createPace(FAILURES, FAILURES_MS, { code: 'single_sign_on_limited' });
  const chosen = createPace(REFUSED, FAILURES_MS, { code: 'new_passwords_limited' });

  /** The hash of a person's new password. Throws `passkey_needed` for administrators, `new_passwords_limited`, and as `checkPassword` does. */
  async function newPassword(
    { role, email, unique_identifier }: StaffMember,
    password: string,
    { wider }: Newcomer,
  ): Promise<string> {
    if (role === 'administrator') throw new ApiError('passkey_needed');
    const own = { network: unique_identifier, wider: unique_identifier };
    chosen.count(own);
    checkPassword(password, email);
    chosen.takeBack(own);
    const all = await book.allWithEmail(email);
    const others = all.filter((one) => one.unique_identifier !== unique_identifier);
    return hashPassword(password, others, { wider });
  }

  /** A session of a person who has proved who they are, by default just now, or redeems an invitation with that proof; `instead` is the hash of the session that it replaces, if the browser does not bring that itself. */
  async function open(
    member: StaffMember,
    method: SignInMethod,
    newcomer: Newcomer,
    {
      proved_at,
      instead,
    }: { readonly proved_at?: number; readonly instead?: string | undefined } = {},
    redeems?: { readonly invitation: string; readonly proof: Proof },
  ): Promise<string> {
    const { unique_identifier: staff } = member;
    const { address, browser, token: brought } = newcomer;
    const replaced = brought === undefined ? instead : hashToken(brought);
    const token = createToken();
    const session = {
      hash: hashToken(token),
      method,
      address: address ?? null,
      browser: browser?.slice(0, MAX_BROWSER) ?? null,
      proved_at,
    };
    if (redeems === undefined) {
      if (!(await book.openSession(staff, session, replaced)))
        throw failure(method, newcomer, member);
    } else {
      const { invitation, proof } = redeems;
      if (!(await book.redeem(hashToken(invitation), staff, proof, session)))
        throw new ApiError('invitation_invalid');
    }
    observer.signedIn(method, 'succeeded', [member], address);
    return token;
  }

  function begin(guess: PasswordGuess<StaffMember>) {
    try {
      return guessing.begin(guess);
    } catch (error) {
      observer.signedIn('password', 'limited', []);
      throw error;
    }
  }

  /** Counts a failure. Throws once there are too many. */
  function count(pace: ReturnType<typeof createPace>, method: SignInMethod, from: Counted): void {
    try {
      pace.count(from);
    } catch (error) {
      observer.signedIn(method, 'limited', []);
      throw error;
    }
  }

  /** Makes one answer to everything that does not match; each person it was tried for has it in the audit. */
  function failure(method: SignInMethod, from: Newcomer, ...people: (StaffMember | undefined)[]) {
    observer.signedIn(method, 'failed', people, from.address);
    return new ApiError('sign_in_failed');
  }

  return {
    /**
     * Signs in who has that email and password, among several the one who knows the browser, then who signed in last: so
     * nobody tries another's password by choosing it. `expected` is who it must be, if set. Throws `sign_in_failed`, the
     * same and after the same work for every cause; `sign_in_limited`.
     */
    async withPassword(
      email: string,
      password: string,
      newcomer: Newcomer,
      expected?: StaffMember,
    ): Promise<string> {
      const name = normalized(email.trim(), 'NFC').toLowerCase();
      const all = (await book.allWithEmail(name)).filter(
        (one) => one.unique_identifier === (expected ?? one).unique_identifier,
      );
      const people = new Map(all.map((one) => [one, knownBrowser(newcomer.cookie, one)]));
      const { network, wider, around } = newcomer;
      // Counted before the work, so that many tries at once gain nothing.
      const counted = begin({ email: name, network, wider, around, people });
      const { compared, rank } = counted;
      const matching = await whosePassword(compared, password, { wider, rank }).catch((error) => {
        // A try that we had no room for is not counted as wrong.
        counted.takeBack();
        throw error;
      });
      const member = matching.find(({ disabled_at }) => disabled_at === null);
      if (member === undefined) {
        const known = compared.filter((one) => people.get(one) !== undefined);
        throw failure('password', newcomer, ...(known.length > 0 ? known : compared));
      }
      counted.succeeded(member);
      if (member.role === 'administrator') throw new ApiError('passkey_needed');
      return open(member, 'password', newcomer);
    },
    /** Signs a person in by passkey; `expected` is who it must be, if set. Throws `passkey_refused`, `sign_in_failed` and `passkeys_limited`. */
    async withPasskey(
      { ceremony, credential, site }: PasskeyAnswer,
      newcomer: Newcomer,
      expected?: StaffMember,
    ): Promise<string> {
      const member = await passkeys.whoAnswered(ceremony, credential, site);
      const right =
        expected === undefined || expected.unique_identifier === member?.unique_identifier;
      if (member === undefined || !right) {
        // Nobody guesses a passkey, so the right one is taken however many others were tried.
        count(byPasskey, 'passkey', newcomer);
        throw failure('passkey', newcomer, member);
      }
      return open(member, 'passkey', newcomer);
    },
    /** Throws `invitation_invalid` and `passkey_refused`. */
    async redeemWithPasskey(
      token: string,
      { ceremony, credential, site }: PasskeyAnswer,
      name: string | null,
      newcomer: Newcomer,
    ): Promise<string> {
      const member = await foundInvitation(book, token);
      const { unique_identifier: staff } = member;
      const passkey = await passkeys.registered(staff, ceremony, credential, null, site);
      const proof = { passkey, name };
      return open(member, 'passkey', newcomer, {}, { invitation: token, proof });
    },
    /** Throws `invitation_invalid` and `password_refused`. */
    async redeemWithPassword(
      token: string,
      password: string,
      name: string | null,
      newcomer: Newcomer,
    ): Promise<string> {
      const member = await foundInvitation(book, token);
      const proof = { password: await newPassword(member, password, newcomer), name };
      return open(member, 'password', newcomer, {}, { invitation: token, proof });
    },
    newPassword,
    /**
     * Does a single sign-on, which asks the provider, and counts it as failed until it has succeeded: of a known browser
     * for itself, else for its network. Throws `single_sign_on_limited`.
     */
    async bySingleSignOn<T>(
      newcomer: Newcomer,
      knownAs: string | undefined,
      work: () => Promise<T>,
    ): Promise<T> {
      const from = knownAs === undefined ? newcomer : { network: knownAs, wider: knownAs };
      count(bySingleSignOn, 'single_sign_on', from);
      const done = await work();
      bySingleSignOn.takeBack(from);
      return done;
    },
    /**
     * Signs in a person whom a provider of single sign-on knows, and who was invited here. Throws `sign_in_failed`,
     * `identity_of_another`, `identity_taken`, `reauthentication_needed`, `confirmation_impossible` and `invitation_invalid`.
     */
    async withIdentity(returned: ProviderReturn, newcomer: Newcomer): Promise<string> {
      const { identity, invitation, name, again, isConfirmed, proved_at, instead } = returned;
      const known = await book.withIdentity(identity.issuer, identity.subject);
      if (invitation === undefined) {
        if (again !== undefined && again !== known?.unique_identifier) {
          failure('single_sign_on', newcomer, known);
          throw new ApiError('identity_of_another');
        }
        if (known === undefined) throw failure('single_sign_on', newcomer, known);
        if (!isConfirmed)
          throw new ApiError(
            known.passkeys > 0 || known.password !== null
              ? 'reauthentication_needed'
              : 'confirmation_impossible',
          );
        return open(known, 'single_sign_on', newcomer, { proved_at, instead });
      }
      const member = await foundInvitation(book, invitation);
      // One identity is one person: a person who is known by it keeps their rights.
      if (known !== undefined) {
        failure('single_sign_on', newcomer, known);
        throw new ApiError('identity_taken');
      }
      const proof = { identity, name };
      // The invitation is proof of its own, whether or not the provider says when it authenticated the person.
      return open(member, 'single_sign_on', newcomer, {}, { invitation, proof });
    },
    open,
    failure,
  };
}
