/** Runs one command and reports the result: by an exit code, and a clear line on standard error on failure. */
import { debuglog } from 'node:util';
import { type Command as Base, CommanderError, Help } from 'commander';
import about from '../../package.json' with { type: 'json' };
import { withoutSecrets } from '../core/observe/redact.ts';
import { pathFault } from '../core/owners.ts';
import { featureCommands } from '../features/command.ts';
import type { LoadCommand } from './derived/later.ts';
import { Command } from './help.ts';
import { Mistake } from './mistake.ts';
import { printText, warn, watchOutput } from './output.ts';
import { settingOption, shortOption } from './service/settings.ts';

const debug = debuglog('ledgerstone');

/** Errors whose message is meant for the person at the command line, by name: no command waits for the code of others. */
const EXPLAINED = new Set([
  ...['Mistake', 'ApiError', 'SettingsError', 'StoreUnusable', 'StoreUnavailable', 'StoreUnsure'],
  ...[
    'StoreRefusal',
    'TransferRefused',
    'SheetTooSmall',
    'BackupUnusable',
    'FileUnusable',
    'JournalUnusable',
  ],
]);

export async function run(words: readonly string[]): Promise<number> {
  watchOutput();
  let program: Command | undefined;
  try {
    refuseElsewhere(words);
    program = await createProgram(words);
    await program.parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' });
    // A command that has done a part of its work says so.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    debug('%O', error);
    warn(...explain(error, program, words).map(withoutSecrets));
    return Number(process.exitCode ?? 1);
  }
}

function explain(error: unknown, program: Command | undefined, words: readonly string[]): string[] {
  if (error instanceof CommanderError) {
    if (error.code === 'commander.help' && program) return [missingCommand(program, words)];
    if (program && error.code === 'commander.unknownOption' && error.message.includes("'--url'"))
      return [withoutUrl(program, words)];
    return [error.message.replace(/^error: /, '').replaceAll('\n', ' ')];
  }
  if (error instanceof Error && EXPLAINED.has(error.name)) return error.message.split('\n');
  const fault = pathFault(error);
  if (fault !== undefined) return [fault.replaceAll('\n', ' ')];
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return [
    `Unexpected error: ${what.replaceAll('\n', ' ')} (run the command again with NODE_DEBUG=ledgerstone to see where it came from).`,
  ];
}

/** Adds each command, in the order of the help. A command's code is read when it is wanted: most of the time that a short one takes. */
const COMMANDS: Readonly<Record<string, LoadCommand>> = {
  dev: async () => (await import('./dev/dev.ts')).addDev,
  serve: async () => (await import('./service/serve.ts')).addServe,
  migrate: async () => (await import('./service/migrate.ts')).addMigrate,
  compact: async () => (await import('./service/compact.ts')).addCompact,
  backup: async () => (await import('./backup/backup.ts')).addBackup,
  restore: async () => (await import('./backup/restore.ts')).addRestore,
  verify: async () => (await import('./backup/verify.ts')).addVerify,
  config: async () => (await import('./service/config.ts')).addConfig,
  doctor: async () => (await import('./doctor/doctor.ts')).addDoctor,
  jobs: async () => (await import('./service/jobs.ts')).addJobs,
  accounts: async () => (await import('./accounts/accounts.ts')).addAccounts,
  locations: async () => (await import('./locations/locations.ts')).addLocations,
  sources: async () => (await import('./sources/sources.ts')).addSources,
  syncs: async () => (await import('./sources/syncs.ts')).addSyncs,
  keys: async () => (await import('./keys/keys.ts')).addKeys,
  records: async () => (await import('./records/records.ts')).addRecords,
  proposals: async () => (await import('./records/proposals.ts')).addProposals,
  changes: async () => (await import('./records/changes.ts')).addChanges,
  removals: async () => (await import('./records/removals.ts')).addRemovals,
  erasures: async () => (await import('./erasures/erasures.ts')).addErasures,
  ...featureCommands,
  staff: async () => (await import('./staff/staff.ts')).addStaff,
  audit: async () => (await import('./audit/audit.ts')).addAudit,
  requests: async () => (await import('./requests/requests.ts')).addRequests,
  activity: async () => (await import('./requests/requests.ts')).addActivity,
};

/** Commands that work on the store itself, each with what there is for a service elsewhere. */
const OF_STORE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'dev',
      'serve',
      'migrate',
      'compact',
      'backup',
      'restore',
      'verify',
      'config',
      'doctor',
      'jobs',
    ].map((name) => [name, '']),
  ),
  accounts: '',
  export: 'With an API key, the client for TypeScript reads whole lists.',
  keys: 'Administrators manage keys in the console, too.',
  staff: 'Administrators manage people in the console, too.',
};

/** Throws a `Mistake` for a command that does nothing on a service elsewhere, before its code is loaded. */
function refuseElsewhere(words: readonly string[]): void {
  const [first = ''] = words;
  const isElsewhere = words.some((word) => /^--url(?:=|$)/.test(word));
  const { [first]: instead } = OF_STORE;
  if (isElsewhere && instead !== undefined)
    throw new Mistake(`${ofStore(first)} ${instead}`.trim());
}

function ofStore(command: string): string {
  return `"ledgerstone ${command}" works on the store itself: run it on the machine of the service, without --url.`;
}

/** Their help says all of each setting. */
const WITH_SETTINGS: ReadonlySet<string> = new Set(['dev', 'serve', 'config', 'doctor']);

/** `words` are those that will be parsed: the command that they begin with, or all where they begin otherwise. */
export async function createProgram([first = '']: readonly string[]): Promise<Command> {
  const program = new Command('ledgerstone')
    .description('Stores the records of funeral homes that other systems send to it.')
    .usage('<command> [options]')
    .version(about.version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print this help; works with every command')
    .helpCommand('help [command]', 'Print the help of a command')
    .addOption(settingOption('database_url'))
    .configureHelp({
      visibleOptions(command) {
        const own = Help.prototype.visibleOptions.call(this, command);
        if (command.parent === null) return own;
        const isLong = WITH_SETTINGS.has(command.name());
        return [(isLong ? settingOption : shortOption)('database_url'), ...own];
      },
    })
    // Only the one line that `run` makes of an error is printed.
    .configureOutput({ outputError: () => {}, writeErr: () => {}, writeOut: printText })
    .exitOverride();
  const named = Object.entries(COMMANDS).filter(([name]) => name === first);
  const wanted = named.length === 0 ? Object.entries(COMMANDS) : named;
  // Several names may be those of one file.
  for (const add of new Set(await Promise.all(wanted.map(([, load]) => load())))) add(program);
  return program.examples({
    'ledgerstone dev': 'Try it out on this machine',
    'ledgerstone serve --port 8080': 'Run the service',
    'ledgerstone accounts create --name "Example Funeral Group"': 'Create an account',
    'ledgerstone keys create --account acct_…': 'Create an API key for it',
    'ledgerstone keys --help': 'See what can be done with keys',
    'ledgerstone records history evt_…': 'See what happened to a record',
  });
}

/** The message for a command that has no `--url`. */
function withoutUrl(program: Command, words: readonly string[]): string {
  const path = commandIn(program, words);
  const names = path.map((one) => one.name()).join(' ');
  const hasService = path.at(-1)?.options.some(({ long }) => long === '--service');
  return hasService
    ? `"ledgerstone ${names}" takes the address of the service as --service.`
    : ofStore(names);
}

/** The commands that the words name, from the first one down. */
function commandIn(program: Command, words: readonly string[]): readonly Base[] {
  const path: Base[] = [];
  for (const word of words) {
    const found = (path.at(-1) ?? program).commands.find((command) => command.name() === word);
    if (found !== undefined) path.push(found);
  }
  return path;
}

/** The message for a group of commands without a command. */
function missingCommand(program: Command, words: readonly string[]): string {
  const at = commandIn(program, words).at(-1) ?? program;
  const names = at.commands.map((command) => command.name());
  return `"${at.name()}" needs a command after it: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`;
}
