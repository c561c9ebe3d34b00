/** `ledgerstone keys`: makes, lists, shows, rotates, suspends and revokes API keys. */
import type { Command } from 'commander';
import type { KeyRing, StoredKey } from '../store/keys.ts';
import { foundKey } from './found.ts';
import { examples } from './help.ts';
import { keyJson, keyTable, printKey, type Status, statusOf } from './key-view.ts';
import { addCreate } from './keys-create.ts';
import { addRotate } from './keys-rotate.ts';
import { Mistake } from './mistake.ts';
import { printJson, printLines } from './output.ts';
import { withStore } from './store.ts';

interface Options {
  readonly json?: true;
}

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('Create, list, show, rotate, suspend, resume and revoke API keys')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone keys create --account acct_…', 'Create a key'],
        ['ledgerstone keys list', 'See all keys, and when each was last used'],
        ['ledgerstone keys rotate key_…', 'Replace a key without downtime'],
        ['ledgerstone keys suspend key_…', 'Disable a key for a while'],
        ['ledgerstone keys revoke key_…', 'Revoke a key'],
      ),
    );
  addCreate(keys);
  addList(keys);
  addShow(keys);
  addRotate(keys);
  addChange(keys, 'suspend', {
    description: 'Suspend a key until it is resumed; it is refused everywhere within a second',
    does: 'Disable a key while you investigate',
    change: (ring, id) => ring.suspend(id),
    wanted: 'suspended',
    done: (id) => `Suspended ${id}: it is refused everywhere within a second.`,
  });
  addChange(keys, 'resume', {
    description: 'Make a suspended key work again, with the same secret',
    does: 'Make a suspended key work again',
    change: (ring, id) => ring.resume(id),
    wanted: 'active',
    done: (id) => `Resumed ${id}: it works again.`,
  });
  addChange(keys, 'revoke', {
    description: 'Revoke a key for good; it is refused everywhere within a second',
    does: 'Revoke a key',
    change: (ring, id) => ring.revoke(id),
    wanted: 'revoked',
    done: (id) => `Revoked ${id}: it is refused everywhere within a second.`,
  });
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
      const key = await withStore(command, {}, async (store) => {
        const all = await store.keys.list();
        return foundKey(
          all.find(({ unique_identifier }) => unique_identifier === id),
          id,
          store,
        );
      });
      if (json) printJson(keyJson(key));
      else printKey(key, Date.now());
    });
}

function addChange(
  keys: Command,
  name: string,
  {
    description,
    does,
    change,
    wanted,
    done,
  }: {
    readonly description: string;
    readonly does: string;
    readonly change: (ring: KeyRing, id: string) => Promise<StoredKey | undefined>;
    /** What the key then is, unless it has ended before. */
    readonly wanted: Status;
    readonly done: (id: string) => string;
  },
): void {
  keys
    .command(`${name} <id>`)
    .description(description)
    .option('--json', 'Print the key as one JSON document')
    .addHelpText('after', examples([`ledgerstone keys ${name} key_…`, does]))
    .action(async (id: string, { json }: Options, command: Command) => {
      const key = await withStore(command, {}, async (store) => {
        const changed = foundKey(await change(store.keys, id), id, store);
        const status = statusOf(changed, Date.now());
        if (status === wanted) return changed;
        throw new Mistake(
          `${id} is ${status}, which cannot be undone. Create another key with "ledgerstone keys create".`,
        );
      });
      if (json) printJson(keyJson(key));
      else printLines(done(id));
    });
}
