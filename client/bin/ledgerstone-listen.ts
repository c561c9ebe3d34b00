#!/usr/bin/env node
/** `npx ledgerstone-listen`: forwards the notifications of a service to a program on this machine. */
import { parseArgs } from 'node:util';
import { addressFault } from '../src/address.ts';
import { failureOf, listen } from '../src/listen.ts';
import * as print from './print.ts';

const USAGE = `Usage: LEDGERSTONE_KEY=sk_test_… npx ledgerstone-listen --service URL --forward URL

Follows the changes of a service, and sends each one to your program as a signed webhook.

  --service URL            the address of the service, such as https://records.example.com
  --forward URL            your program, such as http://localhost:3000/webhooks
  --notification NAME      event.created, "event.*" or "*.deleted"; repeat it for several; by default everything
  --account acct_…         the account, if the key has several
  --full                   send the record with the change
  --secret whsec_…         sign with this secret; by default a new one is printed
  --json                   print JSON, one object a line
  --plain-http             send the key and the records without encryption to another machine
  --help                   this text

The API key is read from LEDGERSTONE_KEY, so that it is not in the list of processes. It needs to read, and no more.
`;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopping.abort());
}
print.whenUnread(() => stopping.abort());

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
      'plain-http': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { service, forward, help, 'plain-http': plainHttp = false, ...options } = values;
  const { LEDGERSTONE_KEY: key = '' } = process.env;
  if (help) print.out(USAGE);
  else if (service === undefined || forward === undefined)
    fail(`Send --service and --forward.\n\n${USAGE}`);
  else if (addressFault(service, '--service', plainHttp) !== undefined)
    fail(addressFault(service, '--service', plainHttp) ?? '');
  else if (key === '') fail('Set LEDGERSTONE_KEY to an API key that may read.');
  else await listen({ key, service, forward, ...options }, print, stopping.signal);
} catch (error) {
  const says = failureOf(error);
  if (says === undefined) throw error;
  fail(says);
}

function fail(says: string): void {
  print.error(says);
  process.exitCode = 1;
}
