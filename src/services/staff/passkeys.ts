/** Passkeys (WebAuthn): the options for a browser, and whether its response proves who a person is. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { ApiError } from '../../core/errors.ts';
import type { StaffBook } from '../../store/books/staff.ts';
import type { NewPasskey, StaffMember } from '../../store/promises/staff.ts';
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

const CEREMONY_MS = 5 * 60_000;
const REGISTER = 'register';
const SIGN_IN = 'sign_in';
const NAME = 'Ledgerstone';

export type Passkeys = ReturnType<typeof createPasskeys>;

export function createPasskeys(book: StaffBook, now: () => number) {
  async function ask(purpose: string, options: { readonly challenge: string }) {
    const ceremony = createToken();
    await book.beginCeremony({
      hash: hashToken(ceremony),
      purpose,
      content: options.challenge,
      expires_at: now() + CEREMONY_MS,
    });
    return { ceremony, options };
  }

  async function taken(ceremony: string, purpose: string): Promise<string> {
    const challenge = await book.takeCeremony(hashToken(ceremony), purpose);
    if (challenge === undefined) throw new ApiError('passkey_refused');
    return challenge;
  }

  return {
    async beginRegistration(member: StaffMember, site: PasskeySite): Promise<PasskeyRequest> {
      const { generateRegistrationOptions } = await webauthn();
      const known = await book.passkeys(member.unique_identifier);
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
      return ask(`${REGISTER} ${member.unique_identifier}`, options);
    },
    /** The passkey that a browser has made for a person. Throws `passkey_refused`. */
    async registered(
      staff: string,
      ceremony: string,
      credential: object,
      name: string | null,
      { origin, hostname }: PasskeySite,
    ): Promise<NewPasskey> {
      const challenge = await taken(ceremony, `${REGISTER} ${staff}`);
      const { verifyRegistrationResponse } = await webauthn();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: credential as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: hostname,
      }).catch((cause: unknown) => {
        throw new ApiError('passkey_refused', { cause });
      });
      if (!verified || registrationInfo === undefined) throw new ApiError('passkey_refused');
      const made = registrationInfo.credential;
      if ((await book.passkey(made.id)) !== undefined) throw new ApiError('passkey_refused');
      return {
        credential: made.id,
        public_key: Buffer.from(made.publicKey).toString('base64url'),
        counter: made.counter,
        transports: made.transports ?? [],
        name,
      };
    },
    /** Asks for any passkey of this site: the browser knows which there are. */
    async beginSignIn({ hostname }: PasskeySite): Promise<PasskeyRequest> {
      const { generateAuthenticationOptions } = await webauthn();
      const options = await generateAuthenticationOptions({
        rpID: hostname,
        userVerification: 'required',
      });
      return ask(SIGN_IN, options);
    },
    /** The person with the passkey, if they may sign in; `undefined` also for a wrong response. */
    async whoAnswered(ceremony: string, credential: object, { origin, hostname }: PasskeySite) {
      const challenge = await taken(ceremony, SIGN_IN);
      const { id } = credential as { readonly id?: unknown };
      const passkey = typeof id === 'string' ? await book.passkey(id) : undefined;
      if (passkey === undefined) return undefined;
      const { verifyAuthenticationResponse } = await webauthn();
      const found = await verifyAuthenticationResponse({
        response: credential as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: hostname,
        credential: {
          id: passkey.credential,
          publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
          counter: passkey.counter,
        },
      }).catch(() => undefined);
      if (found?.verified !== true) return undefined;
      const { newCounter } = found.authenticationInfo;
      // A counter that does not advance belongs to a copy.
      if (!(await book.usePasskey(passkey.unique_identifier, newCounter))) return undefined;
      const member = await book.find(passkey.staff);
      return member?.disabled_at === null ? member : undefined;
    },
  };
}

/** Loaded on first use of a passkey: it takes a third of a second. */
const webauthn = () => import('@simplewebauthn/server');
