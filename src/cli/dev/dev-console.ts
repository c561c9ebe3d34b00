/** Signs the person who started `dev` in to the console. */
import { rightsByName } from '../../records/auth/rights.ts';
import { invite } from '../../services/staff/invitations.ts';
import type { Store } from '../../store/promises/store.ts';

/** An address that receives no mail. */
const EMAIL = 'dev@localhost';

/**
 * Prints the link to open: it signs an administrator of the test account in for the
 * first time, and later opens the console. Passkeys work at `localhost` and at no address.
 */
export async function consoleLines(
  { staff, accounts }: Store,
  address: string,
): Promise<readonly string[]> {
  const home = `http://localhost:${new URL(address).port}`;
  const known = await staff.list();
  if (known.some(({ passkeys, password }) => passkeys > 0 || password !== null))
    return ['The console:', `  ${home}/console/`, ''];
  const test = (await accounts.list()).find(
    ({ livemode, closed_at }) => !livemode && closed_at === null,
  );
  if (test === undefined) return [];
  const { link } = await invite(
    staff,
    {
      email: EMAIL,
      role: 'administrator',
      accounts: [test.unique_identifier],
      anchors: null,
      region: null,
      allow: rightsByName,
    },
    home,
    Date.now(),
  );
  return ['Your invitation to the console, which works only once:', `  ${link}`, ''];
}
