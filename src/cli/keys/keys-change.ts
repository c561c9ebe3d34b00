/** `ledgerstone keys suspend`, `resume`, `revoke` and `change`: of one key, or of each in a file, all or none. */

import { type KeyStatus, type StoredKey, statusOf } from '../../core/objects/api-key.ts';
import { pathNames } from '../../core/registry.ts';
import { readPermissions, readRights } from '../../records/auth/key-grant.ts';
import { rights } from '../../records/auth/rights.ts';
import type { KeyChange } from '../../store/promises/keys.ts';
import type { Store } from '../../store/promises/store.ts';
import { foundKey } from '../found.ts';
import type { Command } from '../help.ts';
import { readEach } from '../import/table-file.ts';
import { Mistake } from '../mistake.ts';
import { count, print, printLines } from '../output.ts';
import { withStore } from '../store.ts';
import { wrongOption } from './key-grant.ts';
import { words } from './key-scope.ts';
import { keyJson } from './key-view.ts';
import { keyFinder, readKeyTable } from './keys-file.ts';

export interface ManyOptions {
  readonly many?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

interface ChangeOptions extends ManyOptions {
  readonly allow?: readonly string[];
  readonly disallow?: readonly string[];
  readonly permission?: readonly string[];
}

interface Kind {
  readonly name: string;
  readonly description: string;
  readonly does: string;
  /** The change of a key; throws a `Mistake` if it is impossible. */
  readonly change: (key: StoredKey, options: ChangeOptions) => KeyChange;
  /** Keys of these kinds stay as they are. */
  readonly never: readonly KeyStatus[];
  /** The result for one key, or for several, and its consequences. */
  readonly done: readonly [verb: string, one: string, several: string, means: string];
}

const REFUSED = 'refused everywhere within a second';
const ENDED: readonly KeyStatus[] = ['expired', 'revoked'];

export function addChanges(keys: Command): void {
  add(keys, {
    name: 'suspend',
    description: 'Suspend a key until it is resumed; it is refused everywhere within a second',
    does: 'Disable a key while you investigate',
    change: ({ unique_identifier }) => ({ unique_identifier, does: 'suspend' }),
    never: ENDED,
    done: ['Suspended', 'it is', 'they are', REFUSED],
  });
  add(keys, {
    name: 'resume',
    description: 'Make a suspended key work again, with the same secret',
    does: 'Make a suspended key work again',
    change: ({ unique_identifier }) => ({ unique_identifier, does: 'resume' }),
    never: ENDED,
    done: ['Resumed', 'it works', 'they work', 'again'],
  });
  add(keys, {
    name: 'revoke',
    description: 'Revoke a key for good; it is refused everywhere within a second',
    does: 'Revoke a key',
    change: ({ unique_identifier }) => ({ unique_identifier, does: 'revoke' }),
    never: [],
    done: ['Revoked', 'it is', 'they are', REFUSED],
  });
  add(keys, {
    name: 'change',
    description: 'Change what a key may do, within a second; its secret stays',
    does: 'Give a key another right',
    change: granted,
    never: ENDED,
    done: ['Changed', 'this holds', 'this holds', 'within a second'],
  })
    .option(
      '--allow <names...>',
      `Add these rights: ${Object.keys(rights).join(', ')}, authoritative:RESOURCE`,
    )
    .option('--disallow <names...>', 'Take these rights away')
    .option('--permission <names...>', 'Let it do this, and no more: read, write, delete');
}

function granted(key: StoredKey, { allow, disallow, permission }: ChangeOptions): KeyChange {
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

function add(keys: Command, kind: Kind): Command {
  const { name, done } = kind;
  return keys
    .command(`${name} [id]`)
    .description(kind.description)
    .option(...MANY)
    .option(...DRY_RUN)
    .option('--json', 'Print the key as one JSON document, or with --many a JSON array')
    .examples(
      [`ledgerstone keys ${name} key_…${name === 'change' ? ' --allow webhooks' : ''}`, kind.does],
      [
        `ledgerstone keys ${name} --many homes.keys.csv${name === 'change' ? ' --allow webhooks' : ''}`,
        'The same for each key in the file that "keys create --many" wrote or read',
      ],
    )
    .action(async (id: string | undefined, options: ChangeOptions, command: Command) => {
      checkWhich(id, options);
      const changed = await withStore(command, {}, async (store) => {
        const wanted = await wantedChanges(store, id, kind, options);
        return options.dryRun ? wanted.length : store.keys.changeAll(wanted);
      });
      if (typeof changed === 'number') return printDryRun(name, changed);
      const shown = changed.map(keyJson);
      const [verb, one, several, means] = done;
      const which = changed.length === 1 ? one : several;
      print(
        options.json,
        id === undefined ? shown : shown[0],
        `${verb} ${id ?? count(changed.length, 'key')}: ${which} ${means}.`,
      );
    });
}

/** Options of each command that takes a file of keys. */
export const MANY = [
  '--many <file>',
  'Do it for each row of a CSV file, all or none: the file that "keys create --many" wrote, or read. A key goes by its column key, or by its name and account',
] as const;
export const DRY_RUN = ['--dry-run', 'Check everything and change nothing'] as const;

/** Throws a `Mistake` unless one key is named or a file, and not both. */
export function checkWhich(id: string | undefined, { many }: ManyOptions): void {
  if ((id === undefined) === (many === undefined))
    throw new Mistake('Name one key, key_…, or a file with --many.');
}

export function printDryRun(verb: string, keys: number): void {
  printLines(`Would ${verb} ${count(keys, 'key')}. Nothing was changed: this was a dry run.`);
}

async function wantedChanges(
  store: Store,
  id: string | undefined,
  { change, never }: Kind,
  options: ChangeOptions,
): Promise<readonly KeyChange[]> {
  const now = Date.now();
  const wanted = (key: StoredKey): KeyChange => {
    const status = statusOf(key, now);
    if (!never.includes(status)) return change(key, options);
    throw new Mistake(
      `${key.unique_identifier} is ${status}, which cannot be undone. Create another key with "ledgerstone keys create".`,
    );
  };
  if (options.many === undefined) return [wanted(await keyOf(store, id ?? ''))];
  const { rows } = readKeyTable(options.many);
  const find = await keyFinder(store);
  return readEach(rows, async (row) => wanted(find(row)));
}

/** The key with that identifier. */
export async function keyOf(store: Store, id: string): Promise<StoredKey> {
  const found = (await store.keys.list()).find((key) => key.unique_identifier === id);
  return foundKey(found, id, store);
}
