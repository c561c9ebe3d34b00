/** The program with all its commands. */
import { Command, Help } from 'commander';
import about from '../../package.json' with { type: 'json' };
import { addAccounts } from './accounts.ts';
import { addBackup } from './backup.ts';
import { addChanges } from './changes.ts';
import { addCompact } from './compact.ts';
import { addConfig } from './config.ts';
import { addDev } from './dev.ts';
import { addDoctor } from './doctor.ts';
import { addExport } from './export.ts';
import { examples } from './help.ts';
import { addHistory } from './history.ts';
import { addImport } from './import.ts';
import { addImports } from './imports.ts';
import { addKeys } from './keys.ts';
import { addMigrate } from './migrate.ts';
import { addRequests } from './requests.ts';
import { addRestore } from './restore.ts';
import { addServe } from './serve.ts';
import { settingOption } from './settings.ts';
import { addStaff } from './staff.ts';
import { addVerify } from './verify.ts';
import { addWebhooks } from './webhooks.ts';

export function createProgram(): Command {
  const ofEveryCommand = settingOption('database_url');
  const program = new Command('ledgerstone')
    .description('Stores the records of funeral homes that other systems send to it.')
    .usage('<command> [options]')
    .version(about.version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print this help; works with every command')
    .helpCommand('help [command]', 'Print the help of a command')
    .addOption(ofEveryCommand)
    .configureHelp({
      visibleOptions(command) {
        const own = Help.prototype.visibleOptions.call(this, command);
        return command.parent === null ? own : [ofEveryCommand, ...own];
      },
    })
    // Nothing is printed beside the one line that `run` makes of an error.
    .configureOutput({ outputError: () => {}, writeErr: () => {} })
    .exitOverride();
  addDev(program);
  addServe(program);
  addMigrate(program);
  addCompact(program);
  addBackup(program);
  addRestore(program);
  addVerify(program);
  addConfig(program);
  addDoctor(program);
  addExport(program);
  addImport(program);
  addImports(program);
  addAccounts(program);
  addKeys(program);
  addChanges(program);
  addHistory(program);
  addStaff(program);
  addWebhooks(program);
  addRequests(program);
  return program.addHelpText(
    'after',
    examples(
      ['ledgerstone dev', 'Try it out on this machine'],
      ['ledgerstone serve --port 8080', 'Run the service'],
      ['ledgerstone accounts create --name "Example Funeral Group"', 'Create an account'],
      ['ledgerstone keys create --account acct_…', 'Create an API key for it'],
      ['ledgerstone keys --help', 'See what can be done with keys'],
      ['ledgerstone history evt_…', 'See what happened to a record'],
    ),
  );
}

/** What to say to someone who named a group of commands and none of them. */
export function missingCommand(program: Command, words: readonly string[]): string {
  let at = program;
  for (const word of words) at = at.commands.find((command) => command.name() === word) ?? at;
  const names = at.commands.map((command) => command.name());
  return `"${at.name()}" needs a command after it: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`;
}
