/** `ledgerstone keys`: makes, lists, shows, changes, rotates, suspends and revokes API keys. */
import type { Command } from 'commander';
import { examples } from '../help.ts';
import { printJson, printLines } from '../output.ts';
import { withStore } from '../store.ts';
import { keyJson, keyTable, printKey } from './key-view.ts';
import { addChanges, keyOf } from './keys-change.ts';
import { addCreate } from './keys-create.ts';
import { addRotate } from './keys-rotate.ts';

interface Options {
  readonly json?: true;
}

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('Create, list, show, change, rotate, suspend, resume and revoke API keys')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone keys create --account acct_…', 'Create a key'],
        ['ledgerstone keys list', 'See all keys, and when each was last used'],
        ['ledgerstone keys change key_… --allow webhooks', 'Give a key another right'],
        ['ledgerstone keys rotate key_…', 'Replace a key without downtime'],
        ['ledgerstone keys suspend key_…', 'Disable a key for a while'],
        ['ledgerstone keys revoke key_…', 'Revoke a key'],
      ),
    );
  addCreate(keys);
  addList(keys);
  addShow(keys);
  addRotate(keys);
  addChanges(keys);
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description(
      'List all keys, newest first, including revoked and expired ones; secrets are not shown',
    )
    .option('--json', 'Print a JSON array')
    .addHelpText(
      'after',
      examples(['ledgerstone keys list', 'See all keys, and when each was last used']),
    )
    .action(async ({ json }: Options, command: Command) => {
      const found = await withStore(command, {}, (store) => store.keys.list());
      if (json) printJson(found.map(keyJson));
      else if (found.length === 0) {
        printLines('There are no keys yet: "ledgerstone keys create" creates one.');
      } else printLines(...keyTable(found, Date.now()));
    });
}

function addShow(keys: Command): void {
  keys
    .command('show <id>')
    .description(
      'Show what a key is for, its limits and when it was last used; its secret is not shown',
    )
    .option('--json', 'Print the key as one JSON document')
    .addHelpText('after', examples(['ledgerstone keys show key_…', 'See all about one key']))
    .action(async (id: string, { json }: Options, command: Command) => {
      const key = await withStore(command, {}, (store) => keyOf(store, id));
      if (json) printJson(keyJson(key));
      else printKey(key, Date.now());
    });
}
