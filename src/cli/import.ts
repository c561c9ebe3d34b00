/** `ledgerstone import`: takes the rows of files in, each as an upsert. */
import { type Command, Option } from 'commander';
import { examples } from './help.ts';
import { type ImportFlags, importFiles } from './import-files.ts';
import { fastOption } from './pace.ts';

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Take in CSV, TSV, XLSX or NDJSON files, each row as an upsert')
    .argument('<files...>', 'The files, in any order')
    .option(
      '--resource <name>',
      'What the rows are, such as events; by default what a file is called, as events.csv',
    )
    .option('--account <id>', 'The account of rows that name none; by default the only one')
    .option('--map <file>', 'A JSON file that says which column is for which field, or null')
    .option('--save-map <file>', 'Write the mapping as it was used')
    .option('--set <field=value...>', 'A value that holds for every row')
    .option('--sheet <name>', 'The sheet of an XLSX file; by default the only one')
    .option('--encoding <name>', 'The encoding; by default found by the bytes')
    .option('--delimiter <character>', 'What separates cells: ",", ";", "|" or tab')
    .addOption(
      new Option(
        '--dates <order>',
        'How 03/04/2026 is meant, where the file does not prove it',
      ).choices(['mdy', 'dmy', 'ymd']),
    )
    .option('--time-zone <zone>', 'Where times without an offset are, such as America/New_York')
    .addOption(
      new Option('--phones <country>', 'Take ten-digit phone numbers as American').choices(['us']),
    )
    .addOption(
      new Option('--empty <how>', 'Whether an empty cell keeps what is stored, or removes it')
        .choices(['keep', 'remove'])
        .default('keep'),
    )
    .addOption(
      new Option('--mode <mode>', 'Only create records, or only update them').choices([
        'create_only',
        'update_only',
      ]),
    )
    .option('--max-failed <number>', 'Stop when more rows than this were rejected')
    .option('--rejected <file>', 'Where rejected rows go; FILE.rejected.csv by default')
    .option('--dry-run', 'Only say what would happen, and write nothing')
    .option('--from-start', 'Begin again instead of going on with an import that was stopped')
    .option('--api <url>', 'Send the rows to a service, with the key in LEDGERSTONE_KEY')
    .addOption(fastOption())
    .option('--json', 'Print the result as one JSON document')
    .addHelpText(
      'after',
      [
        examples(
          ['ledgerstone import locations.csv events.xlsx', 'Two files, the locations first'],
          [
            'ledgerstone import --resource events --dates mdy --time-zone America/New_York "Services 2027.csv"',
            'A spreadsheet with American dates',
          ],
          ['ledgerstone import --dry-run events.csv', 'See what it would do'],
          [
            'ledgerstone import events.csv.rejected.csv --resource events',
            'The rows that were fixed',
          ],
        ),
        '\n\nExit status: 0 everything is in; 1 nothing was done; 2 some rows were rejected; 3 stopped, and 130 interrupted: the same command goes on there.',
      ].join(''),
    )
    .action((files: readonly string[], flags: ImportFlags, command: Command) =>
      importFiles(command, files, flags),
    );
}
