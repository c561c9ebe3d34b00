/** `ledgerstone keys`: makes, lists, rotates and revokes API keys. */
import type { Command } from 'commander';
import { foundKey } from './found.ts';
import { examples } from './help.ts';
import { keyJson, keyTable } from './key-view.ts';
import { addCreate } from './keys-create.ts';
import { addRotate } from './keys-rotate.ts';
import { printJson, printLines } from './output.ts';
import { withStore } from './store.ts';

interface Options {
  readonly json?: true;
}

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('Make, list, rotate and revoke API keys')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone keys create --account acct_…', 'Make a key'],
        ['ledgerstone keys list', 'See all keys, and when each was last used'],
        ['ledgerstone keys rotate key_…', 'Replace a key without a gap'],
        ['ledgerstone keys revoke key_…', 'End a key'],
      ),
    );
  addCreate(keys);
  addList(keys);
  addRotate(keys);
  addRevoke(keys);
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description('List all keys, the newest first, revoked and expired ones included; no secrets')
    .option('--json', 'Print a JSON array')
    .addHelpText(
      'after',
      examples(['ledgerstone keys list', 'See all keys, and when each was last used']),
    )
    .action(async ({ json }: Options, command: Command) => {
      const found = await withStore(command, {}, (store) => store.keys.list());
      if (json) printJson(found.map(keyJson));
      else if (found.length === 0) {
        printLines('There are no keys yet: "ledgerstone keys create" makes one.');
      } else printLines(...keyTable(found, Date.now()));
    });
}

function addRevoke(keys: Command): void {
  keys
    .command('revoke <id>')
    .description('End a key for good; within a second it is refused everywhere')
    .option('--json', 'Print the key as one JSON document')
    .addHelpText('after', examples(['ledgerstone keys revoke key_…', 'End a key']))
    .action(async (id: string, { json }: Options, command: Command) => {
      const key = await withStore(command, {}, async (store) =>
        foundKey(await store.keys.revoke(id), id, store),
      );
      if (json) return printJson(keyJson(key));
      printLines(`Revoked ${id}: within a second it is refused everywhere.`);
    });
}
