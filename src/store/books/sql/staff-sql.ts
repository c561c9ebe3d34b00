/** The SQL of people who sign in, each statement by its name. */
import { passkey } from '../../../core/objects/passkey.ts';
import { staffMember } from '../../../core/objects/staff-member.ts';
import { staffSession } from '../../../core/objects/staff-session.ts';
import { inserted, selected } from '../rows/own-rows.ts';
import { erasing, statements } from '../tables.ts';

const STAFF = selected(staffMember);
const PASSKEY = selected(passkey);
const SESSION = selected(staffSession);

export const staffStatements = statements({
  list: `SELECT ${STAFF} FROM staff ORDER BY email`,
  find: `SELECT ${STAFF} FROM staff WHERE unique_identifier = $1`,
  allWithEmail: `SELECT ${STAFF} FROM staff WHERE email = $1 ORDER BY signed_in_at DESC`,
  invited: `SELECT ${STAFF} FROM staff
    WHERE invitation_hash = $1 AND invitation_expires_at > $2 AND disabled_at IS NULL`,
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
  /** Takes the person with email $1, apart as $2. */
  dropPasskeys: erasing(`DELETE FROM staff_passkey
    WHERE staff IN (SELECT unique_identifier FROM staff WHERE email = $1 AND apart = $2)`),
  dropIdentities: `DELETE FROM staff_identity
    WHERE staff IN (SELECT unique_identifier FROM staff WHERE email = $1 AND apart = $2)`,
  dropSessions: `DELETE FROM staff_session
    WHERE staff IN (SELECT unique_identifier FROM staff WHERE email = $1 AND apart = $2)`,
  /** The invitation with hash $1 of person $2, at $3, with password $4 and name $5. */
  redeem: `UPDATE staff SET invitation_hash = NULL, invitation_expires_at = NULL, password = $4,
      name = coalesce($5, name), signed_in_at = $3
    WHERE invitation_hash = $1 AND unique_identifier = $2 AND invitation_expires_at > $3
      AND disabled_at IS NULL`,
  disable: `UPDATE staff SET disabled_at = coalesce(disabled_at, $2),
      invitation_hash = NULL, invitation_expires_at = NULL
    WHERE unique_identifier = $1`,
  disableAll: `UPDATE staff SET disabled_at = coalesce(disabled_at, $1),
      invitation_hash = NULL, invitation_expires_at = NULL`,
  enable: `UPDATE staff SET disabled_at = NULL WHERE unique_identifier = $1`,
  rename: erasing(`UPDATE staff SET name = $2 WHERE unique_identifier = $1`),
  /** Takes person $1: role, accounts, anchors, rights and region. */
  grant: `UPDATE staff SET role = $2, accounts = $3, anchors = $4, allow = $5, region = $6
    WHERE unique_identifier = $1`,
  remove: erasing(`DELETE FROM staff WHERE unique_identifier = $1`),
  removePasskeys: erasing(`DELETE FROM staff_passkey WHERE staff = $1`),
  removeIdentities: `DELETE FROM staff_identity WHERE staff = $1`,
  setPassword: `UPDATE staff SET password = $2 WHERE unique_identifier = $1`,
  addPasskey: inserted(passkey),
  usePasskey: `UPDATE staff_passkey SET counter = $2, used_at = $3
    WHERE unique_identifier = $1 AND (counter < $2 OR counter = 0 AND $2 = 0)`,
  removePasskey: erasing(`DELETE FROM staff_passkey WHERE unique_identifier = $1`),
  addIdentity: `INSERT INTO staff_identity (issuer, subject, staff, inserted_at) VALUES ($1, $2, $3, $4)`,
  /** Person $1 at $2. */
  signedIn: `UPDATE staff SET signed_in_at = $2 WHERE unique_identifier = $1 AND disabled_at IS NULL`,
  openSession: inserted(staffSession),
  /** Leaves person $1 the last $2. */
  trimSessions: `DELETE FROM staff_session WHERE staff = $1 AND unique_identifier NOT IN (
      SELECT unique_identifier FROM staff_session WHERE staff = $1
      ORDER BY unique_identifier DESC LIMIT $2)`,
  endSessionWith: `DELETE FROM staff_session WHERE hash = $1`,
  touchSession: `UPDATE staff_session SET seen_at = $2 WHERE unique_identifier = $1 AND seen_at < $2`,
  endSession: `DELETE FROM staff_session WHERE staff = $1 AND unique_identifier = $2`,
  endSessions: `DELETE FROM staff_session WHERE staff = $1 AND unique_identifier <> $2`,
  beginCeremony: `INSERT INTO staff_ceremony (hash, purpose, content, expires_at) VALUES ($1, $2, $3, $4)`,
  trimCeremonies: erasing(`DELETE FROM staff_ceremony WHERE hash IN (
      SELECT hash FROM staff_ceremony ORDER BY expires_at DESC LIMIT 100 OFFSET $1)`),
  takeCeremony: erasing(
    `DELETE FROM staff_ceremony WHERE hash = $1 AND purpose = $2 AND expires_at > $3`,
  ),
  purgeCeremonies: erasing(`DELETE FROM staff_ceremony WHERE expires_at <= $1`),
  purgeSessions: `DELETE FROM staff_session WHERE inserted_at < $1 OR seen_at < $2`,
});
