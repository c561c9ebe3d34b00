/** `ledgerstone keys suspend`, `resume`, `revoke` and `change`. */
import { type StoredKey, statusOf } from '../../core/objects/api-key.ts';
import { pathNames } from '../../core/registry.ts';
import { readPermissions, readRights } from '../../records/auth/key-grant.ts';
import { rights } from '../../records/auth/rights.ts';
import type { KeyChange } from '../../store/promises/keys.ts';
import type { Store } from '../../store/promises/store.ts';
import { keyCalled } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { print } from '../output.ts';
import { withStore } from '../store.ts';
import { wrongOption } from './key-grant.ts';
import { words } from './key-scope.ts';
import { keyJson } from './key-view.ts';

interface Options {
  readonly json?: true;
  readonly allow?: readonly string[];
  readonly disallow?: readonly string[];
  readonly permission?: readonly string[];
}

interface Kind {
  readonly name: 'suspend' | 'resume' | 'revoke' | 'change';
  readonly description: string;
  readonly does: string;
  /** The change of a key; throws a `Mistake` if it is impossible. */
  readonly change?: (key: StoredKey, options: Options) => KeyChange;
  readonly done: string;
}

const WHICH = 'KEY is its identifier, its name, or the last four characters of its secret';

export function addChanges(keys: Command): void {
  add(keys, {
    name: 'suspend',
    description: 'Suspend a key until it is resumed; it is refused everywhere within a second',
    does: 'Disable a key while you investigate',
    done: 'Suspended KEY: it is refused everywhere within a second.',
  });
  add(keys, {
    name: 'resume',
    description: 'Make a suspended key work again, with the same secret',
    does: 'Make a suspended key work again',
    done: 'Resumed KEY: it works again.',
  });
  add(keys, {
    name: 'revoke',
    description: 'Revoke a key for good; it is refused everywhere within a second',
    does: 'Revoke a key',
    done: 'Revoked KEY: it is refused everywhere within a second.',
  });
  add(keys, {
    name: 'change',
    description: 'Change what a key may do, within a second; its secret stays',
    does: 'Give a key another right',
    change: granted,
    done: 'Changed KEY: this holds within a second.',
  })
    .option(
      '--allow <names...>',
      `Add these rights: ${Object.keys(rights).join(', ')}, authoritative:RESOURCE`,
    )
    .option('--disallow <names...>', 'Take these rights away')
    .option('--permission <names...>', 'Let it do this, and no more: read, write, delete');
}

function granted(key: StoredKey, { allow, disallow, permission }: Options): KeyChange {
  if (allow === undefined && disallow === undefined && permission === undefined)
    throw new Mistake('Say what to change: --allow, --disallow or --permission.');
  const taken = readRights(words(disallow), pathNames, (_, says) => {
    throw new Mistake(`--disallow ${says}`);
  });
  const given = readRights(words(allow), pathNames, wrongOption);
  const added = given.filter((right) => !key.allow.includes(right));
  const both = given.find((right) => taken.includes(right));
  if (both !== undefined) throw new Mistake(`--allow and --disallow both name ${both}.`);
  return {
    unique_identifier: key.unique_identifier,
    does: 'grant',
    permissions: readPermissions(permission && words(permission), wrongOption) ?? key.permissions,
    allow: [...key.allow, ...added].filter((right) => !taken.includes(right)),
  };
}

function add(keys: Command, { name, description, does, change, done }: Kind): Command {
  return keys
    .command(`${name} <key>`)
    .description(`${description}. ${WHICH}`)
    .option('--json', 'Print JSON')
    .examples([`ledgerstone keys ${name} key_…${change ? ' --allow webhooks' : ''}`, does])
    .action(async (which: string, options: Options, command: Command) => {
      const changed = await withStore(command, { acts: true }, async (store) => {
        const key = await keyOf(store, which);
        if (name !== 'revoke') checkGoing(key);
        const { unique_identifier } = key;
        const wanted = change?.(key, options) ?? { unique_identifier, does: name as 'suspend' };
        const [one] = await store.keys.changeAll([wanted]);
        return one ?? key;
      });
      print(options.json, keyJson(changed), done.replace('KEY', changed.unique_identifier));
    });
}

/** Throws a `Mistake` for a key that has ended. */
function checkGoing(key: StoredKey): void {
  const status = statusOf(key, Date.now());
  if (status === 'active' || status === 'suspended') return;
  throw new Mistake(
    `${key.unique_identifier} is ${status}, which cannot be undone. Create another key with "ledgerstone keys create".`,
  );
}

/** The key with that identifier, name, or end of its secret. */
export async function keyOf(store: Store, which: string): Promise<StoredKey> {
  return keyCalled(await store.keys.list(), which, store);
}
