/** `ledgerstone staff`: invites, lists, changes, disables and deletes the people who sign in to the console. */
import { Option } from 'commander';
import { csvLine } from '../../core/schema/csv/write.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { staffOperations } from '../../edge/console/staff.ts';
import { operatorOf, rights, rightsByName } from '../../records/auth/principal.ts';
import { limitTo } from '../../records/auth/region.ts';
import { prepareInvitation } from '../../services/staff/invitations.ts';
import { roles } from '../../store/promises/staff.ts';
import { administrationAt, onStore } from '../derived/on-store.ts';
import { type At, addDerived, type Options, type Shown } from '../derived.ts';
import { type Command, optionsOf } from '../help.ts';
import { emptyRegion, limitedLines, locationsIn, openAccounts, words } from '../keys/key-scope.ts';
import { added, dayOf, type Limited, placesOf } from '../keys/key-view.ts';
import { Mistake } from '../mistake.ts';
import { count } from '../output.ts';
import { createSecretFile } from '../service/secret-file.ts';
import { settingOption } from '../service/settings.ts';
import { readRows } from '../table-file.ts';

interface StaffJson extends Limited {
  readonly unique_identifier: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: string;
  readonly accounts: readonly string[];
  readonly allow: readonly string[];
  readonly signed_in_at: string | null;
}

type Invited = StaffJson & Readonly<Record<'link' | 'expires_at', string>>;

const RIGHTS = rightsByName.map((name) => `\n  ${name}: ${rights[name]}`);
const ALLOW = [
  '--allow <names...>',
  `Rights that no role has, for whole accounts:${RIGHTS.join('')}`,
] as const;

export function addStaff(program: Command): void {
  addDerived(program, {
    name: 'staff',
    says: 'Invite, list, show, change, disable, enable and delete the people who sign in to the console',
    one: 'person',
    operations: staffOperations('operator'),
    takes: ['administration'],
    callerOf: () => operatorOf([]),
    called: 'WHO is an email address or an identifier, stf_…',
    identify: async (who, at) => {
      const { store } = onStore(at);
      const found = who.includes('@')
        ? await store.staff.withEmail(who.trim().normalize('NFC').toLowerCase())
        : await store.staff.find(who);
      if (found !== undefined) return found.unique_identifier;
      throw at.missing('person');
    },
    commands: {
      invite: {
        says: 'Print a link with which a person signs in for the first time, or starts over. It works once, within 48 hours. Inviting someone again removes their password, passkeys and sessions',
        flags: { allow: ALLOW },
        reads: { allow: words },
        options: [
          ...optionsOf({
            '--many <file>': `Invite the person of each row of a CSV file, all or none, with the columns ${STAFF_COLUMNS.join(', ')}; an empty cell takes what the option says. Nobody who is there already is invited again`,
            '--out <file>':
              'Where --many writes the rows with their links: a new file, readable only by its owner; FILE.links.csv by default',
            '--dry-run': 'With --many, only check all rows',
          }),
          ...[settingOption('public_url'), settingOption('port')],
        ],
        instead: (at) => {
          const { many, out, dryRun } = at.options;
          if (many !== undefined)
            return onStore(at).audit.command(true, () => invited(at, String(many)));
          if (out === undefined && !dryRun) return undefined;
          throw new Mistake('--out and --dry-run work only with --many.');
        },
        runs: async ({ call }) => {
          const { staff, ...link } = await call<{ staff: object; object?: string }>('invite_staff');
          return { ...link, ...staff };
        },
        prints: ({ email, link, expires_at, ...limit }: Invited) => [
          `Give this link to ${email}. It works once, until ${expires_at}:`,
          ...['', `  ${link}`, '', ...emptyRegion(limit)],
        ],
        examples: {
          '--email director@example.com --role administrator --account acct_…':
            'An administrator of an account',
          '--email lobby@example.com --role viewer --account acct_… --location loc_…':
            'Somebody who reads the records of one location',
          '--many people.csv --role editor':
            'Each person of a file, such as "email,account,location" and "lobby@example.com,Riverside Chapel,main-street"',
        },
      },
      list: {
        says: 'List the people who may sign in, including those who are invited or disabled',
        examples: { '': 'See who may sign in' },
        none: 'There are no people yet: "ledgerstone staff invite" invites the first.',
        columns: [
          ...['unique_identifier', 'email'],
          ['ROLE', ({ role, allow }: StaffJson) => [role, ...added(allow)].join(' ')],
          'status',
          ['LAST SIGN-IN', (one: StaffJson) => dayOf(one.signed_in_at)],
          ['LIMITED TO', (one: StaffJson) => placesOf(one) || one.accounts],
        ],
      },
      'show <who>': {
        says: 'Show a person: what they may do, and where',
        examples: { 'director@example.com': 'See all about one person' },
        prints: limitedLines,
      },
      'change <who>': {
        of: 'change_staff',
        says: 'Change the role, accounts, locations or rights of a person. What you leave out stays',
        flags: { allow: ALLOW },
        reads: { allow: words },
        partial: true,
        options: [
          new Option('--all-locations', 'Limit the person to no location and no region'),
          new Option('--disallow <names...>', 'Take these rights away'),
        ],
        members: changed,
        prints: ({ email, role, accounts, allow, ...limit }: StaffJson) => {
          const where =
            limit.region === null ? limit.locations?.join(' ') : `the region ${placesOf(limit)}`;
          const may = [role, ...added(allow)].join(' ');
          return [
            `${email} is now ${may}, for ${where ?? `all locations of ${accounts.join(' ')}`}.`,
          ];
        },
        examples: {
          'director@example.com --role editor': 'Another role',
          'lobby@example.com --location river': 'Another location',
          'a@example.com --region Northeast': 'The locations of a region',
          'lobby@example.com --all-locations': 'Every location',
          'privacy@example.com --allow erase': 'Who may erase',
        },
      },
      'disable <who>': {
        says: 'Stop a person from signing in, and end their sessions within a second',
        examples: { 'a@example.com': 'Stop someone from signing in' },
        prints: ({ email }) =>
          `Disabled ${email}: their sessions end within a second, and they cannot sign in again.`,
      },
      'enable <who>': {
        says: 'Let a disabled person sign in again, with the password and passkeys they had',
        examples: { 'a@example.com': 'Let someone sign in again' },
        prints: ({ email }) => `Enabled ${email}: they can sign in again.`,
      },
      'delete <who>': {
        of: 'remove_staff',
        says: 'Delete a person: email, name, passwords, passkeys, sessions and invitations are gone within a second; what they changed stays under their identifier',
        examples: { 'a@example.com': 'Forget a former colleague' },
        prints: (_, id) =>
          `Deleted ${id}. Backups from before keep the person as long as you keep them.`,
      },
      'end-sessions <who>': {
        says: 'Sign a person out everywhere, within a second',
        examples: { 'a@example.com': 'Sign someone out everywhere' },
        prints: (_, id) => `Ended all sessions of ${id}.`,
      },
    },
  });
}

/** A person's rights after the change: the present ones, with those that the options change. */
async function changed({ allLocations, disallow }: Options, at: At): Promise<object> {
  const { members } = at;
  const { allow = [], ...sent } = members as Partial<StaffJson>;
  const taken = words(disallow as readonly string[] | undefined);
  if (Object.keys(members).length + taken.length === 0 && !allLocations)
    throw new Mistake(
      'Say what to change: --role, --account, --location, --region, --all-locations, --allow or --disallow.',
    );
  const limits = 'locations' in sent || 'region' in sent;
  if (allLocations && limits)
    throw new Mistake('Say --all-locations, or --location or --region, not both.');
  const all = await at.every<StaffJson>('list_staff');
  const found = all.find(({ unique_identifier }) => unique_identifier === at.id);
  if (found === undefined) throw at.missing('person');
  const { role, accounts, region, locations } = found;
  if ('accounts' in sent && locations?.length && !limits && !allLocations)
    throw new Mistake(
      'This person is limited to locations of other accounts: add --location or --all-locations.',
    );
  const places = region === null ? { locations } : { region };
  const { directory } = at;
  const own = () => openAccounts(directory, sent.accounts ?? accounts);
  return {
    role,
    accounts,
    ...(limits || allLocations ? {} : places),
    ...sent,
    ...(sent.locations && { locations: await locationsIn(directory, sent.locations, await own()) }),
    allow: [...new Set([...found.allow, ...allow])].filter((right) => !taken.includes(right)),
  };
}

const STAFF_COLUMNS = ['email', 'role', 'account', 'location', 'region', 'name'] as const;

async function invited(at: At, many: string): Promise<Shown> {
  const { options } = at;
  const { store } = onStore(at);
  const { site } = administrationAt(at);
  const out = String(options.out ?? `${many.replace(/\.csv$/i, '')}.links.csv`);
  const known = new Map((await store.staff.list()).map(({ email }) => [email, 'a person already']));
  const now = Date.now();
  const table = await readRows(at, many, STAFF_COLUMNS, async (row, faults) => {
    const { members, faults: found } = await at.read(row.options);
    const { email = '', locations, region, allow = [], ...sent } = members as Partial<StaffJson>;
    const role = roles.find((one) => one === sent.role);
    if (role === undefined) throw new Mistake(`role must be ${roles.join(', ')}.`);
    faults.push(...found);
    const grant = { role, accounts: sent.accounts ?? [], ...limitTo(locations, region), allow };
    const person = { email, name: sent.name ?? null };
    const made = prepareInvitation({ ...person, ...grant }, site.origin, now);
    const taken = known.get(made.prepared.email);
    if (taken !== undefined)
      throw new Mistake(
        `${made.prepared.email} is ${taken}. To let someone start over, invite them by themselves: "ledgerstone staff invite --email".`,
      );
    known.set(made.prepared.email, `in line ${row.line} already`);
    return { row, ...made };
  });
  const people = table.results;
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
