/** Runs one command and reports the result: by an exit code, and a clear line on standard error on failure. */
import { debuglog } from 'node:util';
import { type Command as Base, CommanderError, Help } from 'commander';
import about from '../../package.json' with { type: 'json' };
import { featureCommands } from '../features/command.ts';
import { Command } from './help.ts';
import { settingOption, shortOption } from './service/settings.ts';

const debug = debuglog('ledgerstone');

/** Errors whose message is meant for the person at the command line, by name: no command waits for the code of others. */
const EXPLAINED = new Set([
  ...['Mistake', 'ApiError', 'SettingsError', 'StoreUnusable', 'StoreUnavailable', 'StoreUnsure'],
  ...['TransferRefused', 'SheetTooSmall', 'BackupUnusable', 'FileUnusable', 'JournalUnusable'],
]);

export async function run(words: readonly string[]): Promise<number> {
  // The reader of the output may stop reading, as `head` does.
  process.stdout.on('error', ignoreBrokenPipe);
  process.stderr.on('error', ignoreBrokenPipe);
  const program = await createProgram(words);
  try {
    await program.parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' });
    // A command that has done a part of its work says so.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    debug('%O', error);
    for (const line of explain(error, program, words))
      process.stderr.write(`ledgerstone: ${line}\n`);
    return Number(process.exitCode ?? 1);
  }
}

function explain(
  error: unknown,
  program: Awaited<ReturnType<typeof createProgram>>,
  words: readonly string[],
): string[] {
  if (error instanceof CommanderError) {
    if (error.code === 'commander.help') return [missingCommand(program, words)];
    if (error.code === 'commander.unknownOption' && error.message.includes("'--url'"))
      return ['This needs the store: run it where the service runs, without --url.'];
    return [error.message.replace(/^error: /, '').replaceAll('\n', ' ')];
  }
  if (error instanceof Error && EXPLAINED.has(error.name)) return error.message.split('\n');
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return [
    `Unexpected error: ${what.replaceAll('\n', ' ')} (run the command again with NODE_DEBUG=ledgerstone to see where it came from).`,
  ];
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Adds each command, in the order of the help. A command's code is read when it is wanted: most of the time that a short one takes. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
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
  export: async () => (await import('./export/export.ts')).addExport,
  import: async () => (await import('./import/import.ts')).addImport,
  imports: async () => (await import('./import/imports.ts')).addImports,
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
    .configureOutput({ outputError: () => {}, writeErr: () => {} })
    .exitOverride();
  const named = Object.entries(COMMANDS).filter(([name]) => name === first);
  const wanted = named.length === 0 ? Object.entries(COMMANDS) : named;
  for (const add of await Promise.all(wanted.map(([, load]) => load()))) add(program);
  return program.examples({
    'ledgerstone dev': 'Try it out on this machine',
    'ledgerstone serve --port 8080': 'Run the service',
    'ledgerstone accounts create --name "Example Funeral Group"': 'Create an account',
    'ledgerstone keys create --account acct_…': 'Create an API key for it',
    'ledgerstone keys --help': 'See what can be done with keys',
    'ledgerstone records history evt_…': 'See what happened to a record',
  });
}

/** The message for a group of commands without a command. */
function missingCommand(program: Command, words: readonly string[]): string {
  let at: Base = program;
  for (const word of words) at = at.commands.find((command) => command.name() === word) ?? at;
  const names = at.commands.map((command) => command.name());
  return `"${at.name()}" needs a command after it: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`;
}
