/** The store's contract for people who sign in: who they are, how they prove it, and their sessions. */
import type { Passkey } from '../../core/objects/passkey.ts';
import type { Role, StaffMember } from '../../core/objects/staff-member.ts';
import type { StaffSession } from '../../core/objects/staff-session.ts';

export type { Passkey } from '../../core/objects/passkey.ts';
export { type Role, roles, type StaffMember } from '../../core/objects/staff-member.ts';
export type { StaffSession } from '../../core/objects/staff-session.ts';

/** The method by which a person signed in. */
export type SignInMethod = StaffSession['method'];

/** The rights of a person. */
export interface StaffGrant {
  readonly role: Role;
  /** Unique identifiers, at least one. */
  readonly accounts: readonly string[];
  /** Unique identifiers of the anchors (locations) that the person is limited to; `null`: whole accounts. */
  readonly anchors: readonly string[] | null;
  /** The region that the person is limited to; `anchors` is empty then, and is looked up. */
  readonly region: string | null;
  /** Names of rights that no role has. */
  readonly allow: readonly string[];
}

export interface NewInvitation extends StaffGrant {
  /** The email in lower case, which identifies the person. */
  readonly email: string;
  /** A random text for another person with an email that somebody has already; left out: that somebody. */
  readonly apart?: string | null;
  /** `null`: the name that the person already has, if any. */
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
  /** The network address and the browser, as shown to the person. */
  readonly address: string | null;
  readonly browser: string | null;
  /** When the person proved who they are, if that was before the session began. */
  readonly proved_at?: number | undefined;
}

/** A ceremony that one request begins and another ends, once: a challenge to a browser. */
export interface Ceremony {
  /** SHA-256 of its token, as base64url. */
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

/** Sessions that are older than either have ended. */
export interface SessionEnds {
  readonly insertedBefore: number;
  readonly seenBefore: number;
}

/** Each write is one commit. */
export interface StaffBook {
  /**
   * Invites a person by their email, or invites them again. A second invitation removes their password, passkeys,
   * identities, sessions and the invitation before, and enables a disabled person.
   */
  invite(invitation: NewInvitation): Promise<StaffMember>;
  /** Invites all of them, or none. Their emails differ. */
  inviteAll(invitations: readonly NewInvitation[]): Promise<readonly StaffMember[]>;
  /** In the order of emails. */
  list(): Promise<readonly StaffMember[]>;
  find(unique_identifier: string): Promise<StaffMember | undefined>;
  /** The person who signs in with that email and a password. */
  withEmail(email: string): Promise<StaffMember | undefined>;
  /** The person with that invitation, unless it has expired or they are disabled. */
  invited(hash: string): Promise<StaffMember | undefined>;
  /** Redeems an invitation with the person's new credential. `false`, with nothing done, if it cannot be used. */
  redeem(
    hash: string,
    staff: string,
    proof: Proof & { readonly name: string | null },
    session: NewSession,
  ): Promise<boolean>;

  /**
   * Disables a person, and ends their sessions and invitation. `undefined` if they do not exist; disabling twice
   * changes nothing.
   */
  disable(unique_identifier: string): Promise<StaffMember | undefined>;
  enable(unique_identifier: string): Promise<StaffMember | undefined>;
  rename(unique_identifier: string, name: string | null): Promise<StaffMember | undefined>;
  /** Sets the rights of a person; with `ends`, their sessions end with the change. */
  grant(unique_identifier: string, grant: StaffGrant, ends?: boolean): Promise<void>;
  /**
   * Removes a person. Only the unique identifier stays, in the log of changes. `false` if the person does not exist.
   */
  remove(unique_identifier: string): Promise<boolean>;
  setPassword(unique_identifier: string, password: string): Promise<void>;

  passkeys(staff: string): Promise<readonly Passkey[]>;
  /** Finds a passkey by its credential identifier. */
  passkey(credential: string): Promise<Passkey | undefined>;
  addPasskey(staff: string, passkey: NewPasskey): Promise<Passkey>;
  /** Notes a use of a passkey with its counter. `false` if it is gone, or its counter is higher already. */
  usePasskey(unique_identifier: string, counter: number): Promise<boolean>;
  removePasskey(unique_identifier: string): Promise<void>;

  /** The person with that subject at that issuer. */
  withIdentity(issuer: string, subject: string): Promise<StaffMember | undefined>;
  /** Like `redeem`, with an identity in place of a password. */
  redeemIdentity(
    hash: string,
    staff: string,
    identity: { readonly issuer: string; readonly subject: string },
    session: NewSession,
  ): Promise<boolean>;

  /**
   * Begins a session. `false` if the person is disabled or gone. `instead` is the hash of a session that it replaces.
   */
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
  /** Ends all sessions of a person except one. */
  endSessions(staff: string, but?: string): Promise<void>;

  beginCeremony(ceremony: Ceremony): Promise<void>;
  /** Returns a ceremony, once. */
  takeCeremony(hash: string, purpose: string): Promise<string | undefined>;

  /** Removes sessions that have ended, and ceremonies that have expired. */
  purge(ends: SessionEnds): Promise<void>;
}
