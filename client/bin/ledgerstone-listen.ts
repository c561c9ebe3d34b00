#!/usr/bin/env node
/** `npx ledgerstone-listen`: forwards the notifications of a service to a program on this machine. */
import { parseArgs } from 'node:util';
import { failureOf, listen } from '../src/listen.ts';

const USAGE = `Usage: LEDGERSTONE_KEY=sk_test_… npx ledgerstone-listen --service URL --forward URL

Follows the changes of a service, and sends each one to your program as a signed webhook.

  --service URL            the address of the service, such as https://records.example.com
  --forward URL            your program, such as http://localhost:3000/webhooks
  --notification NAME      event.created, "event.*" or "*.deleted"; repeat it for several; by default everything
  --account acct_…         the account, if the key has several
  --full                   send the record with the change
  --secret whsec_…         sign with this secret; by default a new one is printed
  --json                   print JSON, one object a line
  --help                   this text

The API key is read from LEDGERSTONE_KEY, so that it is not in the list of processes. It needs to read, and no more.
`;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopping.abort());
}
process.stdout.once('error', () => stopping.abort());

try {
  const { values } = parseArgs({
    options: {
      service: { type: 'string' },
      forward: { type: 'string' },
      notification: { type: 'string', multiple: true },
      account: { type: 'string' },
      full: { type: 'boolean' },
      secret: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { service, forward, help, ...options } = values;
  const { LEDGERSTONE_KEY: key = '' } = process.env;
  if (help) process.stdout.write(USAGE);
  else if (service === undefined || forward === undefined)
    fail(`Send --service and --forward.\n\n${USAGE}`);
  else if (key === '') fail('Set LEDGERSTONE_KEY to an API key that may read.');
  else {
    const print = {
      out: (line: string) => void process.stdout.write(`${line}\n`),
      error: (line: string) => void process.stderr.write(`${line}\n`),
    };
    await listen({ key, service, forward, ...options }, print, stopping.signal);
  }
} catch (error) {
  const says = failureOf(error);
  if (says === undefined) throw error;
  fail(says);
}

function fail(says: string): void {
  process.stderr.write(`${says.trimEnd()}\n`);
  process.exitCode = 1;
}
