/** `ledgerstone staff invite --many`: invites the people of a file, all or none, and writes their links into another. */
import { presentTime } from '../../core/schema/present/present.ts';
import { csvLine } from '../../core/tables/row-texts.ts';
import { limitTo } from '../../records/auth/region.ts';
import { prepareInvitation } from '../../services/staff/invitations.ts';
import { roles, type StaffGrant } from '../../store/promises/staff.ts';
import type { At, Shown } from '../derived.ts';
import { optionsOfRow, readEach, readTable } from '../import/table-file.ts';
import { Mistake } from '../mistake.ts';
import { count } from '../output.ts';
import { createSecretFile } from '../service/secret-file.ts';

export const STAFF_COLUMNS = ['email', 'role', 'account', 'location', 'region', 'name'] as const;

interface PersonRow extends StaffGrant {
  readonly email: string;
  readonly name: string;
  readonly locations: readonly string[];
}

export function inviteMany(at: At): Promise<Shown> | undefined {
  const { many, out, dryRun } = at.options;
  if (many !== undefined) return at.audit.command(true, () => invited(at, String(many)));
  if (out !== undefined || dryRun) throw new Mistake('--out and --dry-run work only with --many.');
  return undefined;
}

async function invited(at: At, many: string): Promise<Shown> {
  const { store, services, options } = at;
  const out = String(options.out ?? `${many.replace(/\.csv$/i, '')}.links.csv`);
  const table = readTable(many, STAFF_COLUMNS);
  const known = new Map((await store.staff.list()).map(({ email }) => [email, 'a person already']));
  const now = Date.now();
  const people = await readEach(table.rows, async (row, faults) => {
    const { members, faults: found } = await at.read(optionsOfRow(at, row, STAFF_COLUMNS));
    const { email = '', locations, region, allow = [], ...sent } = members as Partial<PersonRow>;
    const role = roles.find((one) => one === sent.role);
    if (role === undefined) throw new Mistake(`role must be ${roles.join(', ')}.`);
    faults.push(...found);
    const grant = { role, accounts: sent.accounts ?? [], ...limitTo(locations, region), allow };
    const person = { email, name: sent.name ?? null };
    const made = prepareInvitation({ ...person, ...grant }, services.site?.origin ?? '', now);
    const taken = known.get(made.prepared.email);
    if (taken !== undefined)
      throw new Mistake(
        `${made.prepared.email} is ${taken}. To let someone start over, invite them by themselves: "ledgerstone staff invite --email".`,
      );
    known.set(made.prepared.email, `in line ${row.line} already`);
    return { row, ...made };
  });
  const number = people.length;
  const invitees = count(number, 'person', 'people');
  if (options.dryRun)
    return {
      answer: { would_invite: number, file: null },
      lines: [`Would invite ${invitees}. This was a dry run: no invitation was made.`],
    };
  using file = createSecretFile(out);
  const rows = people.map(({ row, link, prepared }) => [
    ...row.cells,
    link,
    presentTime(prepared.expires_at),
  ]);
  const header = [...table.header, 'link', 'link_expires'];
  file.write([header, ...rows].map(csvLine).join(''));
  await store.staff.inviteAll(people.map(({ prepared }) => prepared));
  file.keep();
  return {
    answer: { invited: number, file: out },
    lines: [
      `Invited ${invitees}. Their links are in ${out} and nowhere else. Each works once, within 48 hours.`,
    ],
  };
}
