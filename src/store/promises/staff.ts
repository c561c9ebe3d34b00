/** The store's contract for people who sign in: who they are, how they prove it, and their sessions. */
import type { Passkey } from '../../core/objects/passkey.ts';
import type { Role, StaffMember } from '../../core/objects/staff-member.ts';
import type { StaffSession } from '../../core/objects/staff-session.ts';

export type { Passkey } from '../../core/objects/passkey.ts';
export { type Role, roles, type StaffMember } from '../../core/objects/staff-member.ts';
export type { StaffSession } from '../../core/objects/staff-session.ts';

/** How a person has signed in. */
export type SignInMethod = StaffSession['method'];

/** The rights of a person. */
export interface StaffGrant {
  readonly role: Role;
  /** Unique identifiers, at least one. */
  readonly accounts: readonly string[];
  /** Unique identifiers of the anchors (locations) that the person is limited to; `null`: whole accounts. */
  readonly anchors: readonly string[] | null;
}

export interface NewInvitation extends StaffGrant {
  /** In lower case; identifies the person. */
  readonly email: string;
  /** `null`: the one that the person has, if any. */
  readonly name: string | null;
  /** SHA-256 of the token, as base64url. */
  readonly hash: string;
  readonly expires_at: number;
  /** The unique identifier of the inviting person; left out: an operator who works on the store. */
  readonly invited_by?: string;
}

export type NewPasskey = Omit<Passkey, 'unique_identifier' | 'staff' | 'inserted_at' | 'used_at'>;

export interface NewSession {
  /** SHA-256 of the token, as base64url. */
  readonly hash: string;
  readonly method: SignInMethod;
  /** The network address and the browser, as the person is shown them. */
  readonly address: string | null;
  readonly browser: string | null;
  /** When the person proved who they are, where that was before the session is opened. */
  readonly proved_at?: number | undefined;
}

/** A process that one request begins and another ends, once: a challenge to a browser. */
export interface Ceremony {
  /** SHA-256 of what names it, as base64url. */
  readonly hash: string;
  readonly purpose: string;
  readonly content: string;
  readonly expires_at: number;
}

/** The credential that an invited person chooses. */
export type Proof = { readonly password: string } | { readonly passkey: NewPasskey };

/** The most ceremonies that are stored: the oldest make room. */
export const MAX_CEREMONIES = 10_000;
/** The most sessions of one person: the oldest make room. */
export const MAX_SESSIONS = 50;

/** Sessions older than either are gone. */
export interface SessionEnds {
  readonly insertedBefore: number;
  readonly seenBefore: number;
}

/** Each method that writes does so in one commit. */
export interface StaffBook {
  /**
   * Invites a person by their email, or invites them again: then the passwords,
   * passkeys, identities and sessions that they had are gone, and with them the
   * invitation before; a person who was disabled is so no longer.
   */
  invite(invitation: NewInvitation): Promise<StaffMember>;
  /** Invites all of them, or none; each has another email. */
  inviteAll(invitations: readonly NewInvitation[]): Promise<readonly StaffMember[]>;
  /** By email. */
  list(): Promise<readonly StaffMember[]>;
  find(unique_identifier: string): Promise<StaffMember | undefined>;
  withEmail(email: string): Promise<StaffMember | undefined>;
  /** The person whose invitation that is, if it has not expired and they are not disabled. */
  invited(hash: string): Promise<StaffMember | undefined>;
  /** Uses an invitation up, with what the person brings. `false` where it cannot be used, and nothing was done. */
  redeem(
    hash: string,
    staff: string,
    proof: Proof & { readonly name: string | null },
    session: NewSession,
  ): Promise<boolean>;

  /** Ends sessions and invitation. `undefined` where the person does not exist; disabling twice changes nothing. */
  disable(unique_identifier: string): Promise<StaffMember | undefined>;
  enable(unique_identifier: string): Promise<StaffMember | undefined>;
  rename(unique_identifier: string, name: string | null): Promise<StaffMember | undefined>;
  /** The rights of a person from now on; with `ends`, their sessions end with the change. */
  grant(unique_identifier: string, grant: StaffGrant, ends?: boolean): Promise<void>;
  /** Only the unique identifier stays, where it says who changed a record. `false` where the person does not exist. */
  remove(unique_identifier: string): Promise<boolean>;
  setPassword(unique_identifier: string, password: string): Promise<void>;

  passkeys(staff: string): Promise<readonly Passkey[]>;
  /** By what its authenticator calls it. */
  passkey(credential: string): Promise<Passkey | undefined>;
  addPasskey(staff: string, passkey: NewPasskey): Promise<Passkey>;
  /** Notes that it was used, and how often. `false` where it is gone, or was used more often already. */
  usePasskey(unique_identifier: string, counter: number): Promise<boolean>;
  removePasskey(unique_identifier: string): Promise<void>;

  /** Who is known at that issuer by that subject. */
  withIdentity(issuer: string, subject: string): Promise<StaffMember | undefined>;
  /** As `redeem`, with an identity in place of a password. */
  redeemIdentity(
    hash: string,
    staff: string,
    identity: { readonly issuer: string; readonly subject: string },
    session: NewSession,
  ): Promise<boolean>;

  /** `false` where the person is disabled or gone. `instead` is the hash of a session that ends with it. */
  openSession(staff: string, session: NewSession, instead?: string): Promise<boolean>;
  /** The session with that hash, however old, and its person; never that of a disabled person. */
  session(
    hash: string,
  ): Promise<{ readonly session: StaffSession; readonly staff: StaffMember } | undefined>;
  /** The newest first. */
  sessions(staff: string): Promise<readonly StaffSession[]>;
  /** Notes when a session was last seen. */
  touchSession(unique_identifier: string, at: number): Promise<void>;
  endSession(staff: string, unique_identifier: string): Promise<void>;
  /** All of a person, but for one. */
  endSessions(staff: string, but?: string): Promise<void>;

  beginCeremony(ceremony: Ceremony): Promise<void>;
  /** Gives what was begun, once. */
  takeCeremony(hash: string, purpose: string): Promise<string | undefined>;

  /** Removes sessions that have ended, and ceremonies that have expired. */
  purge(ends: SessionEnds): Promise<void>;
}
