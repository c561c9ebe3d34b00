/** `ledgerstone import`: imports the rows of files, each as an upsert. */
import { Option } from 'commander';
import type { Command } from '../../../cli/help.ts';
import { fastOption } from '../../../cli/pace.ts';
import { elsewhereOption, plainHttpOption } from '../../../cli/service/elsewhere.ts';
import { importCommand } from './import-files.ts';

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Import CSV, TSV, XLSX or NDJSON files, each row as an upsert')
    .argument('[files...]', 'The files, in any order; - for standard input')
    .addOptions({
      '--resource <name>':
        'What the rows are, such as events; by default the name of the file, as in events.csv',
      '--account <id>':
        'The account of rows that name none, by identifier or name; by default the only account',
      '--map <file>':
        'A JSON file that gives for each column the name of a field, or null to leave it out',
      '--source <name>':
        'Who the rows are from, such as "County export", made where it is new; by default the source "Imports"',
      '--save-map <file>': 'Write the mapping that was used to this file',
      '--set <field=value...>': 'Set a field to this value in every row',
      '--sheet <name>': 'The sheet of an XLSX file; by default the only one',
      '--header-row <number>':
        'The row that names the columns; by default the one of the first 20 that names most fields',
      '--encoding <name>': 'The encoding; by default detected',
      '--delimiter <character>': 'What separates cells: ",", ";", "|" or tab',
      '--dates <order>': [
        'How to read dates such as 03/04/2026, if nothing in the file shows it',
        'mdy',
        'dmy',
        'ymd',
      ],
      '--time-zone <zone>':
        'The time zone of times without an offset, such as America/New_York; by default that of the locations, if it is set and the same for all. "locations" takes back what was chosen before',
      '--phones <country>': [
        'Read phone numbers without a country code, as those of the country of their time zone, or none of them',
        'us',
        'e164',
      ],
      '--like <import>':
        'Use the columns and choices of that import; by default those of the latest file with the same columns, and with "none" of no other',
      '--phone-words <how>': [
        'Leave out words beside a phone number, such as "(cell)", keep them as a detail, or refuse such numbers, as by default',
        'leave_out',
        'keep',
        'refuse',
      ],
      '--area-code <digits>':
        'The area code of phone numbers of seven digits; "none" refuses them, also where one was said for their location before',
      '--short-years':
        'Read years of two digits: a birth and a death in the past, a service near today',
      '--no-short-years': 'Refuse them, also if they were read before',
      '--names <order>': [
        'Turn round names such as "Example, Dana", or leave them as written',
        'last_first',
        'as_written',
      ],
    })
    .addOption(
      new Option('--empty <how>', 'Whether an empty cell keeps the stored value or removes it')
        .choices(['keep', 'remove'])
        .default('keep'),
    )
    .addOptions({
      '--mode <mode>': ['Only create records, or only update them', 'create_only', 'update_only'],
      '--sync':
        'Afterwards remove what the source sent before and the files no longer have; needs --source',
      '--location <id>':
        'With --sync: the only location that the files are complete for; by default the one of --set, or the whole account',
      '--at-most <share>':
        'With --sync: the greatest share of the records of the source that may be removed; 5% by default',
      '--as-of <time>':
        'With --sync: when the files were taken; what the source changed after that stays. By default when the oldest file was last changed',
      '--max-failed <number>': 'Stop when more rows than this are rejected',
      '--rejected <file>': 'Where to write rejected rows; by default FILE.rejected.csv',
      '--dry-run': 'Show what would happen, and write nothing',
      '--from-start': 'Start over instead of continuing an import that was stopped',
      '--watch <folder>':
        'Keep running, and import the files of this folder as they come, each once: then they are moved to done or refused in it; needs --source',
      '--quiet <duration>':
        'With --watch: how long a file must not have changed; by default 10s, and 0s where files get their names when they are complete',
    })
    .addOption(elsewhereOption('url'))
    .addOption(plainHttpOption())
    .addOption(fastOption())
    .option('--json', 'Print the result as one JSON document')
    .examples({
      'ledgerstone import locations.csv events.xlsx': 'Import two files, the locations first',
      'ledgerstone import --resource events --dates mdy --time-zone America/New_York "Services 2027.csv"':
        'Import a spreadsheet with US dates',
      'ledgerstone import --dry-run events.csv': 'See what it would do',
      'ledgerstone import --sync --source "County export" --at-most 10% events.csv':
        'Import everything that a system has, and remove what it no longer has',
      'ledgerstone import --watch /srv/county --source "County export"':
        'Import what a system delivers into a folder, whenever it comes',
      'ledgerstone import events.csv --url https://records.example.com':
        'Import a file into a service elsewhere, with an API key of it',
      'ledgerstone import --resource events - < "Services 2027.csv"':
        'Import what standard input has',
      'ledgerstone import events.csv.rejected.csv --resource events':
        'Import rejected rows that you have fixed',
    })
    .addHelpText(
      'after',
      '\nExit status: 0 all rows were imported, or a signal has ended --watch; 1 nothing was done; 2 some rows were rejected; 3 stopped; 130 interrupted. After 3 or 130, run the same command to continue.',
    )
    .action(importCommand);
}
