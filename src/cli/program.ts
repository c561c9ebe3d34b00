/** The program with all its commands. */
import { type Command as Base, Help } from 'commander';
import about from '../../package.json' with { type: 'json' };
import { featureCommands } from '../features/command.ts';
import { Command } from './help.ts';
import { settingOption, shortOption } from './service/settings.ts';

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
  expectations: async () => (await import('./sources/expectations.ts')).addExpectations,
  syncs: async () => (await import('./sources/syncs.ts')).addSyncs,
  keys: async () => (await import('./keys/keys.ts')).addKeys,
  records: async () => (await import('./records/records.ts')).addRecords,
  proposals: async () => (await import('./records/proposals.ts')).addProposals,
  changes: async () => (await import('./records/changes.ts')).addChanges,
  removals: async () => (await import('./records/removals.ts')).addRemovals,
  erasures: async () => (await import('./erasures/erasures.ts')).addErasures,
  ...featureCommands,
  staff: async () => (await import('./staff/staff.ts')).addStaff,
  webhooks: async () => (await import('./webhooks/webhooks.ts')).addWebhooks,
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
export function missingCommand(program: Command, words: readonly string[]): string {
  let at: Base = program;
  for (const word of words) at = at.commands.find((command) => command.name() === word) ?? at;
  const names = at.commands.map((command) => command.name());
  return `"${at.name()}" needs a command after it: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`;
}
