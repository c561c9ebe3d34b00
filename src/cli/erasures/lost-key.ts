/** `ledgerstone erasures accept-lost-key`: goes on without the key of SECRET_KEY_FILE, once it is lost for good. */
import { agreed } from '../confirm.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { count, print, say } from '../output.ts';
import { shortOption } from '../service/settings.ts';
import { sealerOf, withStore } from '../store.ts';

export function addErasuresLostKey(erasures: Command): void {
  erasures
    .command('accept-lost-key')
    .description(
      'Go on without a key of SECRET_KEY_FILE that is lost for good: say what is lost with it, and let erased records be made again that only it would recognize',
    )
    .addOption(shortOption('secret_key_file'))
    .option('-y, --yes', 'Do not ask for confirmation')
    .option('--json', 'Print one JSON document')
    .examples({
      'ledgerstone erasures accept-lost-key --secret-key-file new-key':
        'After the disk with the only copy of the key is lost',
    })
    .addHelpText('after', `\nWith the key are lost:\n${LOST.map((one) => `- ${one}`).join('\n')}`)
    .action(accept);
}

/** The things that the key protects, apart from the records that are counted. */
const LOST = [
  'The secrets of webhook endpoints: "ledgerstone webhooks rotate" makes new ones, and "webhooks pause" stops an endpoint until then. The service does not start before.',
  'What you said of a person in erasures that are not done: look for the person again, with "ledgerstone erasures create".',
  'The proof of certificates and of audit entries from before: nobody can check them any more.',
  'The proof of lines of the journal of erasures: those that the store has stay; a restore of a backup that lacks them is told --without-erasures, and who was erased since is to be erased again.',
  'Which refused requests named an identifier, from before: "requests list" finds them by other filters.',
];

async function accept(
  { yes, json }: { readonly yes?: true; readonly json?: true },
  command: Command,
): Promise<void> {
  // A file that cannot be read is a mistake here, not a lost key.
  const isKeyed = sealerOf(command) !== undefined;
  await withStore(command, { acts: true }, async ({ erasing }) => {
    const lost = await erasing.countLost();
    if (lost === 0)
      throw new Mistake(
        'No key is lost that erased records need: nothing was done. Webhook endpoints whose secrets cannot be read are named when the service starts.',
      );
    const what = `${count(lost, 'record')} will be accepted when they are sent again, though they were erased`;
    if (!yes) {
      say('With the key are lost:', ...LOST.map((one) => `- ${one}`));
      if (!(await agreed(`${what}. Is the key lost for good?`, '--yes to go on without the key')))
        throw new Mistake('Nothing was done. Put the key into SECRET_KEY_FILE.');
    }
    const given_up = await erasing.giveUpLost();
    print(
      json,
      { given_up, lost: LOST },
      `${count(given_up, 'erased record')} will be stored again if their source still sends them: tell the people who run those systems.`,
      ...LOST,
      isKeyed
        ? 'The service starts now. Keep a copy of the new key apart from the store.'
        : 'Nobody can be erased until SECRET_KEY_FILE names a new key.',
    );
  });
}
