/** `ledgerstone webhooks listen`: passes notifications on to a program on this machine, as `ledgerstone-listen` of the client does. */

import { failureOf, type Listening, listen } from '../../../client/src/listen.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { printLines } from '../output.ts';
import { stopSignal } from '../service/stop-signal.ts';

const VARIABLE = 'LEDGERSTONE_KEY';

export function addListen(webhooks: Command): void {
  webhooks
    .command('listen')
    // It calls a service and opens no store, so it has no option of every command.
    .configureHelp({})
    .description(
      `Follow the changes of a service with the API key in ${VARIABLE}, and forward each one to a program on this machine`,
    )
    .requiredOption(
      '--forward <url>',
      'The URL of the program, such as http://localhost:3000/webhooks',
    )
    .option('--service <url>', 'The address of the service', 'http://127.0.0.1:8080')
    .option('--account <id>', 'The account, if the key has several')
    .option(
      '--notification <names...>',
      'What to send, such as event.created, "event.*" or "*.deleted"; by default everything',
    )
    .option('--full', 'Send the record with the change')
    .option('--json', 'Print JSON, one object a line')
    .option('--secret <secret>', 'Sign with this secret, whsec_…; by default a new one is printed')
    .examples({
      [`${VARIABLE}=sk_test_… ledgerstone webhooks listen --forward http://localhost:3000/webhooks`]:
        'Receive webhooks while you write the program for them',
    })
    .action(async (options: Omit<Listening, 'key'>) => {
      const key = process.env[VARIABLE];
      if (!key) throw new Mistake(`Set ${VARIABLE} to an API key that may read.`);
      const print = {
        out: (line: string) => printLines(line),
        error: (line: string) => void process.stderr.write(`${line}\n`),
      };
      await listen({ ...options, key }, print, stopSignal(process.stdout)).catch(
        (error: unknown) => {
          const says = failureOf(error);
          throw says === undefined ? error : new Mistake(says);
        },
      );
    });
}
