/** The book of people who sign in, over the tables of a store. */
import { fieldsRead } from '../../core/objects/own-object.ts';
import { passkey as passkeys } from '../../core/objects/passkey.ts';
import { staffMember } from '../../core/objects/staff-member.ts';
import { staffSession } from '../../core/objects/staff-session.ts';
import { isFree } from '../believed-time.ts';
import {
  type Ceremony,
  INVITED_MS,
  MAX_CEREMONIES,
  MAX_SESSIONS,
  type NewInvitation,
  type NewPasskey,
  type NewSession,
  type Passkey,
  type Proof,
  type SessionEnds,
  type StaffGrant,
  type StaffMember,
} from '../promises/staff.ts';
import { Book, inOrder } from './book.ts';
import { inserted, newRow, rowReader, selected } from './rows/own-rows.ts';
import { type BookStatement, type BookWrite, erasing, statements } from './tables.ts';

const toMember = rowReader(staffMember);
const toPasskey = rowReader(passkeys);
const toSession = rowReader(staffSession);
const SESSION_WIDTH = fieldsRead(staffSession).length;

const STAFF = selected(staffMember);
const PASSKEY = selected(passkeys);
const SESSION = selected(staffSession);
/** One of a clock that was ahead is none. */
const isInvited = (now: string) => `NOT ${isFree('invitation_expires_at', now, INVITED_MS)}`;
/** The person with email $1, apart as $2. */
const OF_INVITED =
  'WHERE staff IN (SELECT unique_identifier FROM staff WHERE email = $1 AND apart = $2)';

export const sql = statements({
  list: `SELECT ${STAFF} FROM staff ORDER BY email`,
  find: `SELECT ${STAFF} FROM staff WHERE unique_identifier = $1`,
  allWithEmail: `SELECT ${STAFF} FROM staff WHERE email = $1 ORDER BY signed_in_at DESC`,
  invited: ({ as }) => `SELECT ${STAFF} FROM staff
    WHERE invitation_hash = $1 AND ${isInvited(as('$2', 'bigint'))} AND disabled_at IS NULL`,
  withIdentity: `SELECT ${STAFF} FROM staff JOIN staff_identity ON staff = unique_identifier
    WHERE issuer = $1 AND subject = $2`,
  passkeys: `SELECT ${PASSKEY} FROM staff_passkey WHERE staff = $1 ORDER BY unique_identifier`,
  passkey: `SELECT ${PASSKEY} FROM staff_passkey WHERE credential = $1`,
  session: `SELECT ${SESSION}, ${STAFF} FROM staff_session JOIN staff ON staff = staff.unique_identifier
    WHERE hash = $1 AND disabled_at IS NULL`,
  sessions: `SELECT ${SESSION} FROM staff_session WHERE staff = $1 ORDER BY unique_identifier DESC`,
  ceremony: `SELECT content FROM staff_ceremony WHERE hash = $1 AND purpose = $2 AND expires_at > $3`,

  invite: `${inserted(staffMember)}
    ON CONFLICT (email, apart) DO UPDATE SET name = coalesce(excluded.name, staff.name), role = excluded.role,
      accounts = excluded.accounts, anchors = excluded.anchors, region = excluded.region, allow = excluded.allow, password = NULL, disabled_at = NULL,
      invitation_hash = excluded.invitation_hash, invitation_expires_at = excluded.invitation_expires_at,
      invited_by = excluded.invited_by`,
  dropPasskeys: erasing(`DELETE FROM staff_passkey ${OF_INVITED}`),
  dropIdentities: `DELETE FROM staff_identity ${OF_INVITED}`,
  dropSessions: `DELETE FROM staff_session ${OF_INVITED}`,
  redeem: ({
    as,
  }) => `UPDATE staff SET invitation_hash = NULL, invitation_expires_at = NULL, password = $4,
      name = coalesce($5, name), signed_in_at = $3
    WHERE invitation_hash = $1 AND unique_identifier = $2 AND ${isInvited(as('$3', 'bigint'))}
      AND disabled_at IS NULL`,
  disable: `UPDATE staff SET disabled_at = coalesce(disabled_at, $2),
      invitation_hash = NULL, invitation_expires_at = NULL
    WHERE unique_identifier = $1`,
  disableAll: `UPDATE staff SET disabled_at = coalesce(disabled_at, $1),
      invitation_hash = NULL, invitation_expires_at = NULL`,
  enable: `UPDATE staff SET disabled_at = NULL WHERE unique_identifier = $1`,
  rename: erasing(`UPDATE staff SET name = $2 WHERE unique_identifier = $1`),
  grant: `UPDATE staff SET role = $2, accounts = $3, anchors = $4, allow = $5, region = $6
    WHERE unique_identifier = $1`,
  remove: erasing(`DELETE FROM staff WHERE unique_identifier = $1`),
  removePasskeys: erasing(`DELETE FROM staff_passkey WHERE staff = $1`),
  removeIdentities: `DELETE FROM staff_identity WHERE staff = $1`,
  setPassword: `UPDATE staff SET password = $2 WHERE unique_identifier = $1`,
  addPasskey: inserted(passkeys),
  usePasskey: `UPDATE staff_passkey SET counter = $2, used_at = $3
    WHERE unique_identifier = $1 AND (counter < $2 OR counter = 0 AND $2 = 0)`,
  removePasskey: erasing(`DELETE FROM staff_passkey WHERE unique_identifier = $1`),
  addIdentity: `INSERT INTO staff_identity (issuer, subject, staff, inserted_at) VALUES ($1, $2, $3, $4)`,
  signedIn: `UPDATE staff SET signed_in_at = $2 WHERE unique_identifier = $1 AND disabled_at IS NULL`,
  openSession: inserted(staffSession),
  trimSessions: `DELETE FROM staff_session WHERE staff = $1 AND unique_identifier NOT IN (
      SELECT unique_identifier FROM staff_session WHERE staff = $1
      ORDER BY unique_identifier DESC LIMIT $2)`,
  endSessionWith: `DELETE FROM staff_session WHERE hash = $1`,
  touchSession: `UPDATE staff_session SET seen_at = $2 WHERE unique_identifier = $1 AND seen_at < $2`,
  endSession: `DELETE FROM staff_session WHERE staff = $1 AND unique_identifier = $2`,
  endSessions: `DELETE FROM staff_session WHERE staff = $1 AND unique_identifier <> $2`,
  beginCeremony: `INSERT INTO staff_ceremony (hash, purpose, content, expires_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (hash) DO NOTHING`,
  trimCeremonies: erasing(`DELETE FROM staff_ceremony WHERE hash IN (
      SELECT hash FROM staff_ceremony ORDER BY expires_at DESC LIMIT 100 OFFSET $1)`),
  purgeCeremonies: erasing(`DELETE FROM staff_ceremony WHERE expires_at <= $1`),
  purgeSessions: `DELETE FROM staff_session WHERE inserted_at < $1 OR seen_at < $2`,
});

/** The purpose of keys that processes share. */
const KEY = 'key';

export class StaffBook extends Book {
  /**
   * Invites a person by their email, or invites them again. A second invitation removes their password, passkeys,
   * identities, sessions and the invitation before, and enables a disabled person.
   */
  async invite(invitation: NewInvitation): Promise<StaffMember> {
    const [member] = await this.inviteAll([invitation]);
    if (member === undefined) throw new TypeError('A person who was just invited is not there.');
    return member;
  }

  /** Invites all of them, or none. Their emails differ. */
  async inviteAll(invitations: readonly NewInvitation[]): Promise<readonly StaffMember[]> {
    // People are locked before what is theirs.
    const sorted = inOrder(invitations, ({ email }) => email);
    await this.wrote([
      ...sorted.map(({ hash, expires_at, ...invited }): BookWrite => {
        const invitation = { invitation_hash: hash, invitation_expires_at: expires_at };
        const made = { unique_identifier: this.identify('stf_'), inserted_at: this.now() };
        return [sql.invite, ...newRow(staffMember, { ...invited, ...invitation, ...made })];
      }),
      ...[sql.dropPasskeys, sql.dropIdentities, sql.dropSessions].flatMap((drop) =>
        sorted.map(({ email, apart }) => [drop, email, apart ?? ''] as const),
      ),
    ]);
    const members = await Promise.all(
      invitations.map(({ email, apart }) => this.withEmail(email, apart)),
    );
    return members.flatMap((member) => member ?? []);
  }

  /** Lists all people by email. */
  readonly list = () => this.all(toMember, sql.list);

  readonly find = (unique_identifier: string) => this.#member(sql.find, unique_identifier);

  /** All people with that email, first who signed in last. */
  readonly allWithEmail = (email: string) => this.all(toMember, sql.allWithEmail, email);

  /** The person with that email, or another one whom an administrator invited apart. */
  readonly withEmail = async (email: string, apart: string | null = null) =>
    (await this.allWithEmail(email)).find((one) => one.apart === apart);

  /** The person with that invitation, unless it has expired or they are disabled. */
  readonly invited = (hash: string) => this.#member(sql.invited, hash, this.now());

  /** Redeems an invitation with the person's new credential. `false`, with nothing done, if it cannot be used. */
  redeem(hash: string, staff: string, proof: Proof, session: NewSession): Promise<boolean> {
    const { password = null, passkey, identity, name } = proof;
    const at = this.now();
    return this.wrote([
      [sql.redeem, hash, staff, at, password, name],
      ...(passkey === undefined ? [] : [this.#passkeyWrite(staff, passkey).write]),
      ...(identity === undefined
        ? []
        : [[sql.addIdentity, identity.issuer, identity.subject, staff, at] as const]),
      this.#sessionWrite(staff, session),
    ]);
  }

  /**
   * Disables a person, and ends their sessions and invitation. `undefined` if they do not exist; disabling twice
   * changes nothing.
   */
  readonly disable = (unique_identifier: string) =>
    this.#changed(unique_identifier, [
      [sql.disable, unique_identifier, this.now()],
      [sql.endSessions, unique_identifier, ''],
    ]);

  readonly enable = (unique_identifier: string) =>
    this.#changed(unique_identifier, [[sql.enable, unique_identifier]]);

  readonly rename = (unique_identifier: string, name: string | null) =>
    this.#changed(unique_identifier, [[sql.rename, unique_identifier, name]]);

  /** Sets the rights of a person; with `ends`, their sessions end with the change. */
  async grant(
    unique_identifier: string,
    { role, accounts, anchors, region, allow }: StaffGrant,
    ends = false,
  ): Promise<void> {
    const below = anchors === null ? null : JSON.stringify(anchors);
    const rights = JSON.stringify(allow);
    await this.wrote([
      [sql.grant, unique_identifier, role, JSON.stringify(accounts), below, rights, region],
      ...(ends ? [[sql.endSessions, unique_identifier, ''] as const] : []),
    ]);
  }

  /** Removes a person. Only the unique identifier stays, in the log of changes. `false` if the person does not exist. */
  readonly remove = (unique_identifier: string) =>
    this.wrote([
      [sql.remove, unique_identifier],
      [sql.removePasskeys, unique_identifier],
      [sql.removeIdentities, unique_identifier],
      [sql.endSessions, unique_identifier, ''],
    ]);

  readonly setPassword = (unique_identifier: string, password: string) =>
    this.wrote([[sql.setPassword, unique_identifier, password]]);

  readonly passkeys = (staff: string) => this.all(toPasskey, sql.passkeys, staff);

  readonly passkey = (credential: string) => this.first(toPasskey, sql.passkey, credential);

  async addPasskey(staff: string, passkey: NewPasskey): Promise<Passkey> {
    const { made, write } = this.#passkeyWrite(staff, passkey);
    await this.wrote([write]);
    return made;
  }

  /** Notes a use of a passkey with its counter. `false` if it is gone, or its counter is higher already. */
  readonly usePasskey = (unique_identifier: string, counter: number) =>
    this.wrote([[sql.usePasskey, unique_identifier, counter, this.now()]]);

  readonly removePasskey = (unique_identifier: string) =>
    this.wrote([[sql.removePasskey, unique_identifier]]);

  /** The person with that subject at that issuer. */
  readonly withIdentity = (issuer: string, subject: string) =>
    this.#member(sql.withIdentity, issuer, subject);

  /** Begins a session. `false` if the person is disabled or gone. `instead` is the hash of a session that it replaces. */
  readonly openSession = (staff: string, session: NewSession, instead?: string) =>
    this.wrote([
      [sql.signedIn, staff, this.now()],
      this.#sessionWrite(staff, session),
      ...(instead === undefined ? [] : [[sql.endSessionWith, instead] as const]),
      [sql.trimSessions, staff, MAX_SESSIONS],
    ]);

  /** The session with that hash, however old, and its person; never that of a disabled person. */
  readonly session = (hash: string) =>
    this.first(
      (row) => ({
        session: toSession(row.slice(0, SESSION_WIDTH)),
        staff: toMember(row.slice(SESSION_WIDTH)),
      }),
      sql.session,
      hash,
    );

  /** The newest first. */
  readonly sessions = (staff: string) => this.all(toSession, sql.sessions, staff);

  readonly touchSession = (unique_identifier: string, at: number) =>
    this.wrote([[sql.touchSession, unique_identifier, at]]);

  readonly endSession = (staff: string, unique_identifier: string) =>
    this.wrote([[sql.endSession, staff, unique_identifier]]);

  /** Ends all sessions of a person except one. */
  readonly endSessions = (staff: string, but = '') => this.wrote([[sql.endSessions, staff, but]]);

  /** Whether that was not there yet, of which of two at once one is told so. */
  readonly onlyOnce = ({ hash, purpose, content, expires_at }: Ceremony) =>
    this.wrote([
      [sql.beginCeremony, hash, purpose, content, expires_at],
      [sql.trimCeremonies, MAX_CEREMONIES],
    ]);

  /** The key of that name, which all processes have alike: the first that any of them made. */
  async sharedKey(name: string, made: string, expires_at: number): Promise<string> {
    const find = () => this.column<string>(sql.ceremony, name, KEY, this.now());
    const [found] = await find();
    if (found !== undefined) return found;
    await this.onlyOnce({ hash: name, purpose: KEY, content: made, expires_at });
    const [key] = await find();
    if (key === undefined) throw new TypeError('A key that was just made is not there.');
    return key;
  }

  /** Removes sessions that have ended, and ceremonies that have expired. */
  async purge({ insertedBefore, seenBefore }: SessionEnds): Promise<void> {
    await this.wrote([[sql.purgeCeremonies, this.now()]]);
    await this.wrote([[sql.purgeSessions, insertedBefore, seenBefore]]);
  }

  async #changed(unique_identifier: string, writes: readonly BookWrite[]) {
    await this.wrote(writes);
    return this.find(unique_identifier);
  }

  readonly #member = (statement: BookStatement, ...values: readonly (string | number)[]) =>
    this.first(toMember, statement, ...values);

  #passkeyWrite(staff: string, passkey: NewPasskey) {
    const times = { inserted_at: this.now(), used_at: null };
    const made: Passkey = { ...passkey, ...times, staff, unique_identifier: this.identify('pky_') };
    return { made, write: [sql.addPasskey, ...newRow(passkeys, made)] as const };
  }

  #sessionWrite(staff: string, session: NewSession): BookWrite {
    const now = this.now();
    const at = { proved_at: session.proved_at ?? now, inserted_at: now, seen_at: now };
    const made = { ...session, ...at, staff, unique_identifier: this.identify('ses_') };
    return [sql.openSession, ...newRow(staffSession, made)];
  }
}
