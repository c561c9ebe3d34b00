/** Passkeys (WebAuthn): the options for a browser, and whether its response proves who a person is. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { ApiError } from '../../core/errors.ts';
import type { StaffBook } from '../../store/books/staff.ts';
import type { NewPasskey, StaffMember } from '../../store/promises/staff.ts';
import type { Ceremonies } from './ceremonies.ts';

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

export function createPasskeys(book: StaffBook, ceremonies: Ceremonies) {
  async function asked(ceremony: string, purpose: string): Promise<string> {
    const challenge = await ceremonies.challenge(ceremony, purpose, CEREMONY_MS);
    if (challenge === undefined) throw new ApiError('passkey_refused');
    return challenge;
  }

  /** One of several answers to a question counts. */
  async function assertFirst(ceremony: string): Promise<void> {
    if (!(await ceremonies.answered(ceremony))) throw new ApiError('passkey_refused');
  }

  return {
    async beginRegistration(member: StaffMember, site: PasskeySite): Promise<PasskeyRequest> {
      const { generateRegistrationOptions } = await webauthn();
      const known = await book.passkeys(member.unique_identifier);
      const { ceremony, challenge } = await ceremonies.ask(registers(member.unique_identifier));
      const options = await generateRegistrationOptions({
        challenge: bytesOf(challenge),
        rpName: NAME,
        rpID: site.hostname,
        userName: member.email,
        userDisplayName: member.name ?? member.email,
        userID: new TextEncoder().encode(member.unique_identifier),
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: known.map(({ credential }) => ({ id: credential })),
      });
      return { ceremony, options };
    },
    /** The passkey that a browser has made for a person. Throws `passkey_refused`. */
    async registered(
      staff: string,
      ceremony: string,
      credential: object,
      name: string | null,
      { origin, hostname }: PasskeySite,
    ): Promise<NewPasskey> {
      const challenge = await asked(ceremony, registers(staff));
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
      await assertFirst(ceremony);
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
      const { ceremony, challenge } = await ceremonies.ask(SIGN_IN);
      const options = await generateAuthenticationOptions({
        challenge: bytesOf(challenge),
        rpID: hostname,
        userVerification: 'required',
      });
      return { ceremony, options };
    },
    /** The person with the passkey, if they may sign in; `undefined` also for a wrong response. */
    async whoAnswered(ceremony: string, credential: object, { origin, hostname }: PasskeySite) {
      const challenge = await asked(ceremony, SIGN_IN);
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
      await assertFirst(ceremony);
      const { newCounter } = found.authenticationInfo;
      // A counter that does not advance belongs to a copy.
      if (!(await book.usePasskey(passkey.unique_identifier, newCounter))) return undefined;
      const member = await book.find(passkey.staff);
      return member?.disabled_at === null ? member : undefined;
    },
  };
}

const registers = (staff: string): string => `${REGISTER} ${staff}`;

function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, 'base64url'));
}

/** Loaded on first use of a passkey: it takes a third of a second. */
const webauthn = () => import('@simplewebauthn/server');
