/** `ledgerstone staff`: invites, lists, changes, disables and deletes the people who sign in to the console. */
import { Option } from 'commander';
import { readSettings } from '../../core/config.ts';
import { isLoopback } from '../../core/network/loopback.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { rights, rightsByName } from '../../records/auth/rights.ts';
import { invite, regrant } from '../../services/staff/invitations.ts';
import { type Role, roles, type StaffMember } from '../../store/promises/staff.ts';
import type { Store } from '../../store/promises/store.ts';
import { rowsOf } from '../derived.ts';
import type { Command } from '../help.ts';
import { emptyRegion, openAccounts, readLimit, regionsOf, words } from '../keys/key-scope.ts';
import { placesOf } from '../keys/key-view.ts';
import { Mistake } from '../mistake.ts';
import { print, table } from '../output.ts';
import { givenSettings, settingOption } from '../service/settings.ts';
import { withStore } from '../store.ts';
import { isoDate } from '../time.ts';
import { inviteMany, STAFF_COLUMNS } from './staff-many.ts';
import { staffJson, statusOfStaff } from './staff-view.ts';

const ALLOW_HELP = [
  'Rights that no role has, for whole accounts; none by default:',
  ...rightsByName.map((name) => `${name} (${rights[name]})`),
].join(' ');

interface Options {
  readonly json?: true;
}

interface InviteOptions extends Options {
  readonly email?: string;
  readonly role?: Role;
  readonly account?: readonly string[];
  readonly many?: string;
  readonly out?: string;
  readonly dryRun?: true;
  readonly location?: readonly string[];
  readonly region?: string;
  readonly name?: string;
  readonly allow?: readonly string[];
}

export function addStaff(program: Command): void {
  const staff = program
    .command('staff')
    .description(
      'Invite, list, show, change, disable, enable and delete the people who sign in to the console',
    );
  addInvite(staff);
  addList(staff);
  addShow(staff);
  addGrant(staff);
  for (const change of CHANGES) addChange(staff, change);
}

function addInvite(staff: Command): void {
  staff
    .command('invite')
    .description(
      'Print a link with which a person signs in for the first time, or starts over. It works once, within 48 hours. Inviting someone again removes their password, passkeys and sessions',
    )
    .option('--email <address>', 'The address that the person signs in with; no mail is sent')
    .addOption(
      new Option(
        '--role <role>',
        'viewer: reads records; editor: also changes them; administrator: also manages keys and staff',
      ).choices(roles),
    )
    .option('--account <account...>', 'The accounts the person works for, by identifier or name')
    .option(
      '--location <location...>',
      'Limit the person to these locations and the records below them, by unique or external identifier',
    )
    .option(
      '--region <name>',
      'Limit the person to the locations that have this region at the time of each request',
    )
    .option('--allow <names...>', ALLOW_HELP)
    .option('--name <text>', 'The name of the person')
    .option(
      '--many <file>',
      `Invite the person of each row of a CSV file, all or none, with the columns ${STAFF_COLUMNS.join(', ')}; an empty cell takes what the option says. Nobody who is there already is invited again`,
    )
    .option(
      '--out <file>',
      'Where --many writes the rows with their links: a new file, readable only by its owner; FILE.links.csv by default',
    )
    .option('--dry-run', 'With --many, only check all rows')
    .addOption(settingOption('public_url'))
    .addOption(settingOption('port'))
    .option('--json', 'Print one JSON document')
    .examples(
      [
        'ledgerstone staff invite --email director@example.com --role administrator --account acct_…',
        'An administrator of an account',
      ],
      [
        'ledgerstone staff invite --email lobby@example.com --role viewer --account acct_… --location loc_…',
        'Somebody who reads the records of one location',
      ],
      [
        'ledgerstone staff invite --many people.csv --role editor',
        'Each person of a file, such as "email,account,location" and "lobby@example.com,Riverside Chapel,main-street"',
      ],
    )
    .action(async (options: InviteOptions, command: Command) => {
      const address = addressFor(command);
      if (options.many !== undefined) {
        return printMany(
          await inviteMany(command, { ...options, many: options.many }, address),
          options,
        );
      }
      const { email, role } = whom(options);
      const { member, link, expires_at } = await withStore(
        command,
        { acts: true },
        async (store, audit) => {
          const accounts = openAccounts(store, await store.accounts.list(), options.account);
          const grant = {
            email,
            name: options.name ?? null,
            role,
            accounts: accounts.map(({ unique_identifier }) => unique_identifier),
            ...(await readLimit(store, options, accounts)),
            allow: words(options.allow),
          };
          const made = await invite(store.staff, grant, address, Date.now()).catch(asMistake);
          await audit.made(made.member.unique_identifier, grant.accounts);
          return { ...made, member: await regionsOf(store).within(made.member) };
        },
      );
      const until = presentTime(expires_at);
      print(
        options.json,
        { ...staffJson(member, Date.now()), link, expires_at: until },
        `Give this link to ${member.email}. It works once, until ${until}:`,
        ...['', `  ${link}`, ''],
        ...emptyRegion(member),
      );
    });
}

/** The options for one person. Throws a `Mistake` if a required one is missing, or one for a file is given. */
function whom({ email, role, account, out, dryRun }: InviteOptions) {
  const missing = Object.entries({ email, role, account }).flatMap(([name, said]) =>
    said === undefined ? `--${name}` : [],
  );
  if (email === undefined || role === undefined || missing.length > 0)
    throw new Mistake(`Say ${missing.join(', ')}, or name a file of people with --many.`);
  if (out !== undefined || dryRun) throw new Mistake('--out and --dry-run work only with --many.');
  return { email, role };
}

function printMany(
  { people, file }: Awaited<ReturnType<typeof inviteMany>>,
  { json }: Options,
): void {
  const count = people === 1 ? '1 person' : `${people.toLocaleString('en-US')} people`;
  print(
    json,
    { [file === null ? 'would_invite' : 'invited']: people, file },
    file === null
      ? `Would invite ${count}. This was a dry run: no invitation was made.`
      : `Invited ${count}. Their links are in ${file} and nowhere else. Each works once, within 48 hours.`,
  );
}

const HEADINGS = ['ID', 'EMAIL', 'ROLE', 'STATUS', 'LAST SIGN-IN', 'LIMITED TO'];

function addList(staff: Command): void {
  staff
    .command('list')
    .description('List the people who may sign in, including those who are invited or disabled')
    .option('--json', 'Print a JSON array')
    .examples(['ledgerstone staff list', 'See who may sign in'])
    .action(async ({ json }: Options, command: Command) => {
      const now = Date.now();
      const found = await withStore(command, { records: true }, async (store) => {
        const regions = regionsOf(store);
        return Promise.all((await store.staff.list()).map((one) => regions.within(one)));
      });
      const none = 'There are no people yet: "ledgerstone staff invite" invites the first.';
      const rows = found.map((one) => [
        ...[one.unique_identifier, one.email],
        ...[[one.role, ...one.allow.map((right) => `+${right}`)].join(' '), statusOfStaff(one)],
        one.signed_in_at === null ? 'never' : isoDate(one.signed_in_at),
        one.region === null ? (one.anchors ?? one.accounts).join(' ') : placesOf(one),
      ]);
      const lines = found.length === 0 ? [none] : table(HEADINGS, rows);
      print(
        json,
        found.map((one) => staffJson(one, now)),
        ...lines,
      );
    });
}

function addShow(staff: Command): void {
  staff
    .command('show <who>')
    .description(
      'Show a person: what they may do, and where. WHO is an email address or an identifier, stf_…',
    )
    .option('--json', 'Print JSON')
    .examples(['ledgerstone staff show director@example.com', 'See all about one person'])
    .action(async (who: string, { json }: Options, command: Command) => {
      const member = await withStore(command, { records: true }, async (store) =>
        regionsOf(store).within(await foundStaff(store, who)),
      );
      const shown = staffJson(member, Date.now());
      print(json, shown, ...rowsOf(shown));
    });
}

interface GrantOptions extends Options {
  readonly role?: Role;
  readonly account?: readonly string[];
  readonly location?: readonly string[];
  readonly region?: string;
  readonly allLocations?: true;
  readonly allow?: readonly string[];
  readonly disallow?: readonly string[];
}

function addGrant(staff: Command): void {
  staff
    .command('change <who>')
    .description(
      'Change the role, accounts, locations or rights of a person. What you leave out stays. WHO is an email address or an identifier, stf_…',
    )
    .addOption(new Option('--role <role>', 'What the person may do').choices(roles))
    .option('--account <account...>', 'All accounts the person works for from now on')
    .option('--location <location...>', 'All locations that the person is limited to from now on')
    .option(
      '--region <name>',
      'The region whose locations the person is limited to from now on, whichever these are',
    )
    .option('--all-locations', 'Limit the person to no location and no region')
    .option('--allow <names...>', ALLOW_HELP)
    .option('--disallow <names...>', 'Take these rights away')
    .option('--json', 'Print the person as one JSON document')
    .examples(
      ['ledgerstone staff change director@example.com --role editor', 'Another role'],
      ['ledgerstone staff change lobby@example.com --location river', 'Another location'],
      [
        'ledgerstone staff change manager@example.com --region Northeast',
        'The locations of a region',
      ],
      ['ledgerstone staff change lobby@example.com --all-locations', 'Every location'],
      [
        'ledgerstone staff change privacy@example.com --allow erase',
        'Whom requests of people reach',
      ],
    )
    .action(async (who: string, options: GrantOptions, command: Command) => {
      const { role, account, location, region, allLocations = false } = options;
      const [given, taken] = [words(options.allow), words(options.disallow)];
      const limited = location !== undefined || region !== undefined;
      const changed = [role, account].some((one) => one !== undefined) || limited || allLocations;
      if (!changed && given.length + taken.length === 0)
        throw new Mistake(
          'Say what to change: --role, --account, --location, --region, --all-locations, --allow or --disallow.',
        );
      if (allLocations && limited)
        throw new Mistake('Say --all-locations, or --location or --region, not both.');
      const member = await withStore(command, { acts: true }, async (store) => {
        const found = await foundStaff(store, who);
        if (account !== undefined && found.anchors?.length && !allLocations && !limited)
          throw new Mistake(
            'This person is limited to locations of other accounts: add --location or --all-locations.',
          );
        const all = await store.accounts.list();
        const accounts =
          account === undefined
            ? all.filter(({ unique_identifier: id }) => found.accounts.includes(id))
            : openAccounts(store, all, account);
        const limit = limited ? await readLimit(store, options, accounts) : found;
        const grant = {
          role: role ?? found.role,
          accounts: accounts.map(({ unique_identifier }) => unique_identifier),
          anchors: allLocations ? null : limit.anchors,
          region: allLocations ? null : limit.region,
          allow: [...new Set([...found.allow, ...given])].filter((one) => !taken.includes(one)),
        };
        const made = await regrant(store.staff, found, grant).catch(asMistake);
        return regionsOf(store).within(made);
      });
      const where =
        member.region === null
          ? (member.anchors?.join(' ') ?? `all locations of ${member.accounts.join(' ')}`)
          : `the region ${placesOf(member)}`;
      const also = member.allow.map((right) => `+${right}`).join(' ');
      const says = `${member.email} is now ${[member.role, also].join(' ').trim()}, for ${where}.`;
      print(options.json, staffJson(member, Date.now()), says);
    });
}

interface Change {
  readonly name: string;
  readonly description: string;
  readonly does: string;
  readonly change: (store: Store, id: string) => Promise<unknown>;
  /** Whether the person is gone then. */
  readonly removes?: true;
  readonly done: (member: StaffMember) => string;
}

const CHANGES: readonly Change[] = [
  {
    name: 'disable',
    description: 'Stop a person from signing in, and end their sessions within a second',
    does: 'Stop someone from signing in',
    change: ({ staff }, id) => staff.disable(id),
    done: ({ email }) =>
      `Disabled ${email}: their sessions end within a second, and they cannot sign in again.`,
  },
  {
    name: 'enable',
    description: 'Let a disabled person sign in again, with the password and passkeys they had',
    does: 'Let someone sign in again',
    change: ({ staff }, id) => staff.enable(id),
    done: ({ email }) => `Enabled ${email}: they can sign in again.`,
  },
  {
    name: 'delete',
    description:
      'Delete a person: email, name, passwords, passkeys, sessions and invitations are gone within a second; what they changed stays under their identifier',
    does: 'Forget a former colleague',
    change: ({ staff }, id) => staff.remove(id),
    removes: true,
    done: ({ unique_identifier: id }) =>
      `Deleted ${id}. Backups from before keep the person as long as you keep them.`,
  },
  {
    name: 'end-sessions',
    description: 'Sign a person out everywhere, within a second',
    does: 'Sign someone out everywhere',
    change: ({ staff }, id) => staff.endSessions(id),
    done: ({ email }) => `Ended all sessions of ${email}.`,
  },
];

function addChange(
  staff: Command,
  { name, description, does, change, removes, done }: Change,
): void {
  staff
    .command(`${name} <who>`)
    .description(`${description}. WHO is an email address or an identifier, stf_…`)
    .option('--json', `Print the ${removes ? 'identifier' : 'person'} as one JSON document`)
    .examples([`ledgerstone staff ${name} director@example.com`, does])
    .action(async (who: string, { json }: Options, command: Command) => {
      const member = await withStore(command, { acts: true }, async (store) => {
        const found = await foundStaff(store, who);
        const { unique_identifier } = found;
        await change(store, unique_identifier);
        return removes ? found : foundStaff(store, unique_identifier);
      });
      const { unique_identifier } = member;
      const shown = removes ? { unique_identifier, removed: true } : staffJson(member, Date.now());
      print(json, shown, done(member));
    });
}

async function foundStaff({ staff, place }: Store, who: string): Promise<StaffMember> {
  const found = who.includes('@')
    ? await staff.withEmail(who.trim().normalize('NFC').toLowerCase())
    : await staff.find(who);
  if (found !== undefined) return found;
  throw new Mistake(
    `There is no person ${JSON.stringify(who)} in ${place}: "ledgerstone staff list" shows those that exist.`,
  );
}

/** Where people reach the console. */
function addressFor(command: Command): string {
  const names = ['public_url', 'host', 'port', 'tls_cert'] as const;
  const { public_url, host, port, tls_cert } = readSettings(
    givenSettings(command),
    undefined,
    names,
  );
  if (public_url !== undefined) return public_url;
  // Passkeys work for names, and for no addresses.
  const name = isLoopback(host) || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `${tls_cert === undefined ? 'http' : 'https'}://${name}:${port}`;
}

function asMistake(error: unknown): never {
  throw error instanceof Error && error.name === 'ApiError' ? new Mistake(error.message) : error;
}
