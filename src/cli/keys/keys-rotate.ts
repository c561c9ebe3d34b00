/** `ledgerstone keys rotate`: replaces a key with a new one, and ends the old one. */
import { presentTime } from '../../core/schema/present/present.ts';
import { MAX_OVERLAP_MS, rotateKey } from '../../records/auth/rotate-key.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { print } from '../output.ts';
import { withStore } from '../store.ts';
import { readDuration, readMoment } from '../time.ts';
import { keyJson, newKeyLines } from './key-view.ts';
import { keyOf } from './keys-change.ts';

interface Options {
  readonly overlap: string;
  readonly expires?: string;
  readonly json?: true;
}

export function addRotate(keys: Command): void {
  keys
    .command('rotate <key>')
    .description('Create a key like this one, and let the old one expire after the overlap')
    .option(
      '--overlap <duration>',
      'How long the old key keeps working: 24h, 30m, at most 90d, or 0 to stop it at once',
      '24h',
    )
    .option('--expires <when>', 'When the new key expires; by default, when the old one would have')
    .option('--json', 'Print JSON')
    .examples(
      ['ledgerstone keys rotate key_…', 'Change to a new key within a day'],
      ['ledgerstone keys rotate key_… --overlap 0', 'Replace a leaked key at once'],
    )
    .action(async (which: string, options: Options, command: Command) => {
      const now = Date.now();
      const overlap = readDuration(options.overlap, '--overlap');
      if (overlap > MAX_OVERLAP_MS) throw new Mistake('--overlap must be at most 90d.');
      const expires_at = options.expires && readMoment(options.expires, '--expires', now);
      const times = { now, overlap, expires_at: expires_at || undefined };
      const { key, secret, replaces } = await withStore(command, { acts: true }, async (store) =>
        rotateKey(store.keys, await keyOf(store, which), times),
      );
      const ends = presentTime(replaces.expires_at);
      print(
        options.json,
        { ...keyJson({ ...key, secret }), replaces: { ...replaces, expires_at: ends } },
        ...newKeyLines(key, secret),
        '',
        `The old key, ${replaces.unique_identifier}, expires at ${ends}.`,
      );
    });
}
