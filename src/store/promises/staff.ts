/** The store's contract for people who sign in: who they are, how they prove it, and their sessions. */
import type { ObjectOf } from '../../core/objects/own-object.ts';
import type { Passkey, staffIdentity } from '../../core/objects/passkey.ts';
import type { Role } from '../../core/objects/staff-member.ts';
import type { StaffSession } from '../../core/objects/staff-session.ts';

export type { Passkey } from '../../core/objects/passkey.ts';
export { type Role, roles, type StaffMember } from '../../core/objects/staff-member.ts';
export type { StaffSession } from '../../core/objects/staff-session.ts';

/** How long an invitation may be redeemed. */
export const INVITED_MS = 48 * 60 * 60_000;

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

/** A thing that happens once, as the answer of a browser does, or a key that processes share. */
export interface Ceremony {
  /** Its name, or its SHA-256 as base64url. */
  readonly hash: string;
  readonly purpose: string;
  readonly content: string;
  readonly expires_at: number;
}

/** Who a person is at a provider of single sign-on. */
export type Identity = Pick<ObjectOf<typeof staffIdentity.fields>, 'issuer' | 'subject'>;

/** The credential that an invited person chooses, the hash of a password or another one, and their name. */
export interface Proof {
  readonly password?: string;
  readonly passkey?: NewPasskey;
  readonly identity?: Identity;
  /** `null`: it stays as it is. */
  readonly name: string | null;
}

/** The most ceremonies that are stored: those that end first make room. */
export const MAX_CEREMONIES = 10_000;
/** The most sessions of one person: the oldest make room. */
export const MAX_SESSIONS = 50;

/** Sessions that are older than either have ended. */
export interface SessionEnds {
  readonly insertedBefore: number;
  readonly seenBefore: number;
}
