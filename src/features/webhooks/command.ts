/** `ledgerstone webhooks`: endpoints that are notified of changes, while a service may be running. */
import { Option } from 'commander';
import { addressFault } from '../../../client/src/address.ts';
import { failureOf, type Listening, listen } from '../../../client/src/listen.ts';
import { readSealerOf } from '../../app/files.ts';
import { addFeature } from '../../cli/derived/whole.ts';
import type { At } from '../../cli/derived.ts';
import { createConcerned, foundKey } from '../../cli/found.ts';
import { type Command, optionsOf } from '../../cli/help.ts';
import { Mistake } from '../../cli/mistake.ts';
import { align, printLines, say, whenUnread } from '../../cli/output.ts';
import { KEY_VARIABLE, plainHttpOption } from '../../cli/service/elsewhere.ts';
import { withKeyOfDev } from '../../cli/service/secret-key.ts';
import { shortOption } from '../../cli/service/settings.ts';
import { stopSignal } from '../../cli/service/until-stopped.ts';
import { type Finds, type SaysRestored, sealerOf } from '../../cli/store.ts';
import { readDuration } from '../../cli/time.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import { resources } from '../../core/registry.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import { SettingsError } from '../../core/settings-error.ts';
import { operatorOf, type Principal, principalOf } from '../../records/auth/principal.ts';
import { createRegions } from '../../records/auth/region.ts';
import type { Store } from '../../store/promises/store.ts';
import type { WebhookEndpoint, WebhookStatus } from './declares.ts';
import * as feature from './operations.ts';
import { count, named, secretsFault } from './serves/sender.ts';

const SECRET = 'The secret is shown only this once.';

export function add(program: Command): void {
  const webhooks = addFeature(program, {
    ...feature,
    name: 'webhooks',
    service: 'webhooks',
    options: [shortOption('secret_key_file'), shortOption('webhook_allow')],
    // The key that is named decides what an endpoint receives.
    callerOf: async (store, command, accounts) => {
      const { key } = command.opts<{ key?: string }>();
      return key === undefined ? operatorOf(await accounts()) : validKey(store, key);
    },
    but: {
      create: {
        options: optionsOf({
          '--key <id>':
            'The key that decides what the endpoint receives; it needs the right "webhooks"; with --url, the key of the call',
        }),
        examples: {
          '--key key_… --url https://example.com/hook --notification "event.*"':
            'Send every change of an event',
        },
        // On a store, nothing else says whose changes they are.
        lacks: ({ here, options }) =>
          here !== undefined && options.key === undefined ? ['--key is required.'] : [],
        prints: ({ unique_identifier: id, secret }) => [
          `Endpoint: ${id}`,
          `Secret: ${secret}`,
          SECRET,
        ],
      },
      change: {
        flags: { status: false },
        examples: { 'whk_… --payload full': 'Send whole records' },
        prints: (_, id) => `Changed ${id}.`,
      },
      test: {
        prints: ({ delivered, error, status_code, duration_ms }) => {
          if (!delivered) process.exitCode = 1;
          return [`${error ?? `The endpoint answered ${status_code}.`} (${duration_ms} ms)`];
        },
      },
      replay: {
        examples: { 'whk_… --since 2026-11-20T00:00:00Z': 'Send everything since then again' },
        prints: ({ position }) => `Sending again everything after ${position ?? 'the beginning'}.`,
      },
      deliveries: {
        most: 100,
        examples: { 'whk_… --status failed': 'See which deliveries failed, and why' },
      },
      rotate: {
        flags: { expires_in: false },
        options: [
          new Option(
            '--overlap <duration>',
            'How long to sign with the old secret, too: 0s, 12h, at most 7d',
          ).default('1d'),
        ],
        members: ({ overlap }) => ({
          expires_in: Math.round(readDuration(String(overlap), '--overlap') / 1000),
        }),
        examples: { 'whk_… --overlap 0s': 'If the old secret has leaked' },
        prints: ({ secret }) => [`Secret: ${secret}`, SECRET],
      },
      resend: {
        prints: ({ change }) => `Sending ${change} again.`,
      },
    },
    more: {
      'pause <id>': {
        ...setting('paused'),
        says: 'Send nothing until the endpoint is enabled again; nothing is lost',
        examples: { 'whk_…': 'While the receiving system is down' },
      },
      'enable <id>': {
        ...setting('enabled'),
        says: 'Resume a paused or disabled endpoint where it stopped',
        options: optionsOf({
          '--key <id>':
            'The key that decides what it receives from now on, if its own no longer works',
        }),
        examples: { 'whk_…': 'When the receiving system works again' },
        runs: enabled,
      },
    },
  });
  addListen(webhooks);
}

function setting(status: 'paused' | 'enabled') {
  const others = ['url', 'description', 'notifications', 'locations', 'payload', 'status'];
  return {
    of: 'update_webhook_endpoint',
    members: () => ({ status }),
    flags: Object.fromEntries(others.map((name) => [name, false as const])),
    prints: (_: unknown, id: string) => `${id} is ${status}.`,
  };
}

/** Resumes an endpoint, unless the service could not start with its secrets, or the key that it sees by has ended. */
async function enabled({ call, command, here, id, options }: At): Promise<object> {
  const key = options.key as string | undefined;
  if (here !== undefined) {
    const caller = operatorOf(await createConcerned(here.store)({ id }));
    const before = await here.services.webhooks?.find(caller, id);
    // One whose secrets cannot be read would prevent the service from starting.
    const fault = before && secretsFault([before], sealerOf(command), Date.now());
    if (fault !== undefined) throw new SettingsError(fault);
    // One whose key has ended would be paused again at once.
    const seesBy = key ?? before?.key;
    if (seesBy !== undefined && seesBy !== before?.account) await validKey(here.store, seesBy);
  }
  return call('update_webhook_endpoint');
}

/** Who sees for an endpoint: a key that works, or a `Mistake`. */
async function validKey(store: Store, id: string): Promise<Principal> {
  const found = await store.keys.find(id);
  const key = foundKey('key' in found ? found.key : undefined, id, store);
  if (found.is !== 'valid') throw new Mistake(`${id} is ${found.is}. Name another key with --key.`);
  return principalOf(await createRegions(store, resources, Date.now).within(key));
}

type ListenOptions = Omit<Listening, 'key'> & { readonly plainHttp?: true };

function addListen(webhooks: Command): void {
  webhooks
    .command('listen')
    // It calls a service and opens no store, so it has no option of every command.
    .configureHelp({})
    .description(
      `Follow the changes of a service with the API key in ${KEY_VARIABLE}, and forward each one to a program on this machine`,
    )
    .requiredOption(
      '--forward <url>',
      'The URL of the program, such as http://localhost:3000/webhooks',
    )
    .option('--service <url>', 'The address of the service', 'http://127.0.0.1:8080')
    .addOption(plainHttpOption())
    .option('--account <id>', 'The account, if the key has several')
    .option(
      '--notification <names...>',
      'What to send, such as event.created, "event.*" or "*.deleted"; by default everything',
    )
    .option('--full', 'Send the record with the change')
    .option('--json', 'Print JSON, one object a line')
    .option('--secret <secret>', 'Sign with this secret, whsec_…; by default a new one is printed')
    .examples({
      [`${KEY_VARIABLE}=sk_test_… ledgerstone webhooks listen --forward http://localhost:3000/webhooks`]:
        'Receive webhooks while you write the program for them',
    })
    .action(async ({ plainHttp, ...options }: ListenOptions) => {
      const fault = addressFault(options.service, '--service', plainHttp === true);
      if (fault !== undefined) throw new Mistake(fault);
      const key = process.env[KEY_VARIABLE];
      if (!key) throw new Mistake(`Set ${KEY_VARIABLE} to an API key that may read.`);
      const print = {
        out: (line: string) => printLines(line),
        error: (line: string) => say(line),
      };
      await listen({ ...options, key }, print, stopSignal(whenUnread)).catch((error: unknown) => {
        const says = failureOf(error);
        throw says === undefined ? error : new Mistake(says);
      });
    });
}

const findings = findingsOf('webhooks');

const NOT_ENABLED: Readonly<Record<Exclude<WebhookStatus, 'enabled'>, string>> = {
  failing:
    'Their receivers do not answer or refuse: "ledgerstone webhooks deliveries" shows why. They are disabled after 1,440 tries without a success, which takes five days at the least.',
  disabled:
    'Nothing is sent there. Tell who receives there, then run "ledgerstone webhooks enable".',
  paused: 'Nothing is sent there until you run "ledgerstone webhooks enable".',
};

/** Endpoints that get nothing, for `doctor`. */
export const finds: Finds = async (store, settings) => {
  const endpoints = await store.webhooks.list();
  if (endpoints.length === 0) return [];
  const read = () => readSealerOf(withKeyOfDev(settings));
  // A file that cannot be read is reported among the files.
  const fault = faultOf(endpoints, read, () => undefined);
  const sealed = fault === undefined ? [] : [findings.bad(fault)];
  const found = [...sealed, ...statusFindings(endpoints)];
  return found.length > 0 ? found : [findings.good(`${count(endpoints.length)}; all are enabled.`)];
};

function statusFindings(endpoints: readonly WebhookEndpoint[]): readonly Finding[] {
  return Object.entries(NOT_ENABLED).flatMap(([status, what]): Finding[] => {
    const alike = endpoints.filter((endpoint) => endpoint.status === status);
    if (alike.length === 0) return [];
    const says = `${count(alike.length)} ${alike.length === 1 ? 'is' : 'are'} ${status}: ${named(alike)}. ${what}`;
    return [findings.warning(says)];
  });
}

/** Lines that `restore` prints about endpoints, which are paused, and of SECRET_KEY_FILE, if they need it. */
export const restored: SaysRestored = async (store, command) => {
  const endpoints = await store.webhooks.list();
  const used = endpoints.filter(({ status }) => status !== 'disabled');
  const fault = faultOf(used, () => sealerOf(command));
  const rows = endpoints
    .filter(({ status }) => status === 'paused')
    .map(({ unique_identifier, settings }) => [unique_identifier, settings.url]);
  return {
    members: {
      webhook_endpoints: endpoints.map(
        ({ unique_identifier, account, settings, status, reason }) => {
          return { unique_identifier, account, url: settings.url, status, disabled_reason: reason };
        },
      ),
      secret_key_fault: fault ?? null,
    },
    lines: [
      ...(rows.length === 0 ? [] : ['', PAUSED, ...align([['ENDPOINT', 'URL'], ...rows])]),
      ...(fault === undefined ? [] : ['', fault]),
    ],
  };
};

const PAUSED =
  'These webhook endpoints are paused: nothing is sent to them. Resume each one once this store is in service: ledgerstone webhooks enable ENDPOINT.';

/** The fault of the key, as far as these endpoints need it; `unreadable` says it of its file. */
function faultOf(
  endpoints: readonly WebhookEndpoint[],
  read: () => Sealer | undefined,
  unreadable = (error: Error): string | undefined => error.message,
): string | undefined {
  if (endpoints.length === 0) return undefined;
  try {
    return secretsFault(endpoints, read(), Date.now());
  } catch (error) {
    if (error instanceof SettingsError) return unreadable(error);
    throw error;
  }
}
