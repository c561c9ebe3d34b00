/** `ledgerstone keys rotate`: makes a key like another one, which ends. */
import type { Command } from 'commander';
import { issueKey } from '../auth/issue-key.ts';
import type { Store } from '../store/store.ts';
import { foundKey } from './found.ts';
import { examples } from './help.ts';
import { newKeyJson, printNewKey, statusOf } from './key-view.ts';
import { Mistake } from './mistake.ts';
import { printJson, printLines } from './output.ts';
import { withStore } from './store.ts';
import { isoTime, readDuration, readMoment } from './time.ts';

interface Options {
  readonly overlap: string;
  readonly expires?: string;
  readonly json?: true;
}

const CREATE = 'make a new key with "ledgerstone keys create"';

export function addRotate(keys: Command): void {
  keys
    .command('rotate <id>')
    .description('Create a key like this one, and let the old one expire after the overlap')
    .option(
      '--overlap <duration>',
      'How long the old key keeps working: 24h, 30m, or 0 to stop it at once',
      '24h',
    )
    .option('--expires <when>', 'When the new key expires; by default, when the old one would have')
    .option('--json', 'Print the new key as one JSON document')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone keys rotate key_…', 'Change to a new key within a day'],
        ['ledgerstone keys rotate key_… --overlap 0', 'Replace a leaked key at once'],
      ),
    )
    .action(async (id: string, options: Options, command: Command) => {
      const { issued, ends } = await withStore(command, {}, (store) => rotate(store, id, options));
      if (options.json) {
        const replaces = { unique_identifier: id, expires_at: isoTime(ends) };
        return printJson({ ...newKeyJson(issued.key, issued.secret), replaces });
      }
      printNewKey(issued.key, issued.secret);
      printLines('', `The old key, ${id}, expires at ${isoTime(ends)}.`);
    });
}

async function rotate(store: Store, id: string, { overlap, expires }: Options) {
  const now = Date.now();
  const end = now + readDuration(overlap, '--overlap');
  const old = foundKey(
    (await store.keys.list()).find((key) => key.unique_identifier === id),
    id,
    store,
  );
  const status = statusOf(old, now);
  if (status !== 'active') {
    const instead = status === 'suspended' ? `"ledgerstone keys resume ${id}" first` : CREATE;
    throw new Mistake(`${id} is ${status}: ${instead}.`);
  }
  const expires_at = expires === undefined ? old.expires_at : readMoment(expires, '--expires', now);
  const issued = await issueKey(store.keys, old.livemode, { ...old, expires_at });
  const ended = foundKey(await store.keys.expire(id, end), id, store);
  return { issued, ends: ended.expires_at ?? end };
}
