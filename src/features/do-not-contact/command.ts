/** `ledgerstone do-not-contact`: the register of whom nobody is to contact, and lists that are entered into it. */
import { readFile } from 'node:fs/promises';
import { addFeature } from '../../cli/derived/whole.ts';
import type { At } from '../../cli/derived.ts';
import { type Command, optionsOf } from '../../cli/help.ts';
import { Mistake } from '../../cli/mistake.ts';
import { count } from '../../cli/output.ts';
import * as feature from './operations.ts';

const SHOWN = 10;

interface Entered {
  readonly added: number;
  readonly refused: readonly string[];
}

export function add(program: Command): void {
  addFeature(program, {
    ...feature,
    name: 'do-not-contact',
    service: 'doNotContact',
    but: {
      create: {
        examples: {
          '--account acct_… --phone-number 4155550123 --reason "asked at the door"':
            'Nobody is to call this number',
        },
      },
      import: {
        flags: { entries: false },
        partial: true,
        options: optionsOf({
          '--file <file>':
            'A phone number or an email address on each line, in the first column of a table',
          '--reason <text>': 'Why, for all of them',
        }),
        examples: { '--account acct_… --file list.csv': 'Enter the list of a provider' },
        lacks: ({ options }) => (options.file === undefined ? ['--file is required.'] : []),
        runs: imported,
        prints: ({ added, refused }: Entered) => [
          `Entered ${count(added, 'phone number or email address', 'phone numbers and email addresses')}.`,
          ...(refused.length === 0
            ? []
            : [
                `Refused ${count(refused.length, 'line')}, since there is neither:`,
                ...refused.slice(0, SHOWN),
              ]),
        ],
      },
    },
  });
}

async function imported({ call, options, members }: At): Promise<Entered> {
  const { file, reason } = options as { readonly file: string; readonly reason?: string };
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Mistake(`${file} cannot be read.`);
  });
  const lines = text
    .split(/\r?\n/)
    .map((line) => (line.split(/[,;\t]/)[0] ?? '').replaceAll('"', '').trim())
    .filter((line) => line !== '');
  const refused: string[] = [];
  let added = 0;
  for (let at = 0; at < lines.length; at += feature.MAX_ROWS) {
    const some = lines.slice(at, at + feature.MAX_ROWS);
    const entries = some.map((line) => ({
      ...(line.includes('@') ? { email_address: line } : { phone_number: line }),
      ...(reason !== undefined && { reason }),
    }));
    const done = await call<{ added: number; refused: readonly { row: number }[] }>(
      'add_do_not_contact_list',
      { members: { ...members, entries } },
    );
    added += done.added;
    refused.push(...done.refused.map(({ row }) => some[row - 1] ?? ''));
  }
  return { added, refused };
}
