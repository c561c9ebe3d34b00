/** People who sign in as rows of tables, of whichever store. */

import { fieldsRead } from '../../../core/objects/own-object.ts';
import { passkey } from '../../../core/objects/passkey.ts';
import { staffMember } from '../../../core/objects/staff-member.ts';
import { staffSession } from '../../../core/objects/staff-session.ts';
import { rowReader, selected } from './own-rows.ts';

export const STAFF = selected(staffMember);
export const PASSKEY = selected(passkey);
export const SESSION = selected(staffSession);
/** How many columns it has. */
export const SESSION_WIDTH = fieldsRead(staffSession).length;

export const toMember = rowReader(staffMember);
export const toPasskey = rowReader(passkey);
export const toSession = rowReader(staffSession);
