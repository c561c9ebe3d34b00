/** `ledgerstone staff invite --many`: invites the people of a file, all or none, and writes their links into another. */

import { presentTime } from '../../core/schema/present/present.ts';
import { csvLine } from '../../core/tables/write-csv.ts';
import { prepareInvitation } from '../../services/staff/invitations.ts';
import { roles } from '../../store/promises/staff.ts';
import type { Command } from '../help.ts';
import { readEach, readTable } from '../import/table-file.ts';
import { openAccounts, readLimit, words } from '../keys/key-scope.ts';
import { withSecretFile } from '../keys/keys-file.ts';
import { Mistake } from '../mistake.ts';
import { withStore } from '../store.ts';

export const STAFF_COLUMNS = ['email', 'role', 'account', 'location', 'region', 'name'] as const;

export interface StaffManyOptions {
  readonly many: string;
  readonly out?: string;
  readonly dryRun?: true;
  readonly role?: string;
  readonly account?: readonly string[];
  readonly location?: readonly string[];
  readonly region?: string;
  readonly allow?: readonly string[];
}

/** `file` is `null` after a dry run. */
export async function inviteMany(
  command: Command,
  options: StaffManyOptions,
  address: string,
): Promise<{ readonly people: number; readonly file: string | null }> {
  const { many, out = `${many.replace(/\.csv$/i, '')}.links.csv` } = options;
  const table = readTable(many, STAFF_COLUMNS);
  return withStore(command, { acts: true }, async (store) => {
    const all = await store.accounts.list();
    const known = new Map(
      (await store.staff.list()).map(({ email }) => [email, 'a person already']),
    );
    const now = Date.now();
    const invited = await readEach(table.rows, async (row) => {
      const list = (column: 'account' | 'location') => {
        const said = row.says(column);
        return said === undefined ? options[column] : [said];
      };
      const role = roles.find((one) => one === (row.says('role') ?? options.role));
      if (role === undefined) throw new Mistake(`role must be ${roles.join(', ')}.`);
      const accounts = openAccounts(store, all, list('account'));
      const places = { location: list('location'), region: row.says('region') ?? options.region };
      const limit = await readLimit(store, places, accounts);
      const ids = accounts.map(({ unique_identifier }) => unique_identifier);
      const grant = { email: row.says('email') ?? '', name: row.says('name') ?? null };
      const made = prepareInvitation(
        { ...grant, role, accounts: ids, ...limit, allow: words(options.allow) },
        address,
        now,
      );
      const { email } = made.prepared;
      const taken = known.get(email);
      if (taken !== undefined) {
        throw new Mistake(
          `${email} is ${taken}. To let someone start over, invite them by themselves: "ledgerstone staff invite --email".`,
        );
      }
      known.set(email, `in line ${row.line} already`);
      return { row, ...made };
    });
    if (options.dryRun) return { people: invited.length, file: null };
    await withSecretFile(out, async (file) => {
      const rows = invited.map(({ row, link, prepared }) => [
        ...row.cells,
        link,
        presentTime(prepared.expires_at),
      ]);
      const header = [...table.header, 'link', 'link_expires'];
      file.write([header, ...rows].map(csvLine).join(''));
      await store.staff.inviteAll(invited.map(({ prepared }) => prepared));
      file.keep();
    });
    return { people: invited.length, file: out };
  });
}
