/** `ledgerstone keys`: makes, lists, shows, changes, rotates, suspends and revokes API keys. */
import type { Command } from '../help.ts';
import { align, print } from '../output.ts';
import { withStore } from '../store.ts';
import { emptyRegion, regionsOf } from './key-scope.ts';
import { keyJson, keyRows, keyTable } from './key-view.ts';
import { addChanges, keyOf } from './keys-change.ts';
import { addCreate } from './keys-create.ts';
import { addRotate } from './keys-rotate.ts';

interface Options {
  readonly json?: true;
}

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('Create, list, show, change, rotate, suspend, resume and revoke API keys');
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
    .examples(['ledgerstone keys list', 'See all keys, and when each was last used'])
    .action(async ({ json }: Options, command: Command) => {
      const found = await withStore(command, { records: true }, async (store) => {
        const regions = regionsOf(store);
        const keys = await store.keys.list();
        return Promise.all(keys.map((key) => regions.within(key)));
      });
      const none = 'There are no keys yet: "ledgerstone keys create" creates one.';
      const lines = found.length === 0 ? [none] : keyTable(found, Date.now());
      print(json, found.map(keyJson), ...lines);
    });
}

function addShow(keys: Command): void {
  keys
    .command('show <key>')
    .description(
      'Show what a key is for, its limits and when it was last used; its secret is not shown',
    )
    .option('--json', 'Print the key as one JSON document')
    .examples(['ledgerstone keys show key_…', 'See all about one key'])
    .action(async (id: string, { json }: Options, command: Command) => {
      const key = await withStore(command, { records: true }, async (store) =>
        regionsOf(store).within(await keyOf(store, id)),
      );
      const rows = align(keyRows(key));
      print(json, keyJson(key), ...rows, ...emptyRegion(key));
    });
}
