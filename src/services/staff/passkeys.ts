/** Passkeys (WebAuthn): the options for a browser, and whether its response proves who a person is. */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { ApiError } from '../../core/errors.ts';
import type { StaffBook } from '../../store/books/staff.ts';
import type { NewPasskey, Passkey, StaffMember } from '../../store/promises/staff.ts';
import { createToken, hashToken } from './tokens.ts';

/** Where the browser is: passkeys are good for one host name. */
export interface PasskeySite {
  readonly origin: string;
  readonly hostname: string;
}

export interface PasskeyRequest {
  /** Names the request; the answer repeats it. */
  readonly ceremony: string;
  readonly options: object;
}

/** How long a browser has for its answer. */
const CEREMONY_MS = 5 * 60_000;
const REGISTER = 'register';
const SIGN_IN = 'sign_in';
const NAME = 'Ledgerstone';

export class Passkeys {
  readonly #book: StaffBook;
  readonly #now: () => number;

  constructor(book: StaffBook, now: () => number) {
    this.#book = book;
    this.#now = now;
  }

  async beginRegistration(member: StaffMember, site: PasskeySite): Promise<PasskeyRequest> {
    const { generateRegistrationOptions } = await webauthn();
    const known = await this.#book.passkeys(member.unique_identifier);
    const options = await generateRegistrationOptions({
      rpName: NAME,
      rpID: site.hostname,
      userName: member.email,
      userDisplayName: member.name ?? member.email,
      userID: new TextEncoder().encode(member.unique_identifier),
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: known.map(({ credential }) => ({ id: credential })),
    });
    return this.#ask(`${REGISTER} ${member.unique_identifier}`, options);
  }

  /** The passkey that a browser has made for a person. Throws `passkey_refused`. */
  async registered(
    staff: string,
    ceremony: string,
    credential: object,
    name: string | null,
    { origin, hostname }: PasskeySite,
  ): Promise<NewPasskey> {
    const challenge = await this.#taken(ceremony, `${REGISTER} ${staff}`);
    const { verifyRegistrationResponse } = await webauthn();
    const { verified, registrationInfo } = await refusing(() =>
      verifyRegistrationResponse({
        response: credential as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: hostname,
      }),
    );
    if (!verified || registrationInfo === undefined) throw new ApiError('passkey_refused');
    const made = registrationInfo.credential;
    if ((await this.#book.passkey(made.id)) !== undefined) throw new ApiError('passkey_refused');
    return {
      credential: made.id,
      public_key: Buffer.from(made.publicKey).toString('base64url'),
      counter: made.counter,
      transports: made.transports ?? [],
      name,
    };
  }

  /** Asks for any passkey of this site: the browser knows which there are. */
  async beginSignIn({ hostname }: PasskeySite): Promise<PasskeyRequest> {
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: hostname,
      userVerification: 'required',
    });
    return this.#ask(SIGN_IN, options);
  }

  /** The person with the passkey, if they may sign in; `undefined` also for a wrong response. */
  async whoAnswered(
    ceremony: string,
    credential: object,
    { origin, hostname }: PasskeySite,
  ): Promise<StaffMember | undefined> {
    const challenge = await this.#taken(ceremony, SIGN_IN);
    const { id } = credential as { readonly id?: unknown };
    const passkey = typeof id === 'string' ? await this.#book.passkey(id) : undefined;
    if (passkey === undefined) return undefined;
    const { verifyAuthenticationResponse } = await webauthn();
    const found = await verifyAuthenticationResponse({
      response: credential as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      credential: credentialOf(passkey),
    }).catch(() => undefined);
    if (found?.verified !== true) return undefined;
    const { newCounter } = found.authenticationInfo;
    // A counter that does not advance belongs to a copy.
    if (!(await this.#book.usePasskey(passkey.unique_identifier, newCounter))) return undefined;
    const member = await this.#book.find(passkey.staff);
    return member?.disabled_at === null ? member : undefined;
  }

  async #ask(purpose: string, options: { readonly challenge: string }): Promise<PasskeyRequest> {
    const ceremony = createToken();
    await this.#book.beginCeremony({
      hash: hashToken(ceremony),
      purpose,
      content: options.challenge,
      expires_at: this.#now() + CEREMONY_MS,
    });
    return { ceremony, options };
  }

  async #taken(ceremony: string, purpose: string): Promise<string> {
    const challenge = await this.#book.takeCeremony(hashToken(ceremony), purpose);
    if (challenge === undefined) throw new ApiError('passkey_refused');
    return challenge;
  }
}

/** Loaded on first use of a passkey: it takes a third of a second. */
const webauthn = () => import('@simplewebauthn/server');

function credentialOf({ credential, public_key, counter }: Passkey) {
  return {
    id: credential,
    publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')),
    counter,
  };
}

/** Turns any error of a response into one of ours. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new ApiError('passkey_refused', { cause });
  }
}
