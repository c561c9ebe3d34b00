/** Commands on a service elsewhere: their operations are called by HTTP, with an API key of the service. */
import { setTimeout as pause } from 'node:timers/promises';
import { Option } from 'commander';
import { addressFault } from '../../../client/src/address.ts';
import { ApiError, catalogue, type Fault } from '../../core/errors.ts';
import { untrustedFault } from '../../core/network/certificate.ts';
import { anchor } from '../../core/registry.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import { routeOf } from '../../edge/operations/operation.ts';
import type { Account } from '../../store/promises/store.ts';
import type { CommandOperation, OperationRequest, Performer } from '../derived/performer.ts';
import type { Directory } from '../directory.ts';
import { Mistake } from '../mistake.ts';
import { plain } from '../output.ts';

export const KEY_VARIABLE = 'LEDGERSTONE_KEY';

/** How often a request is sent that comes too early, and how long it waits at most. */
const MOST_TRIES = 10;
const MOST_SECONDS = 60;

export function elsewhereOption(name: string): Option {
  const says = `The address of a service to work on, with an API key of it in ${KEY_VARIABLE}, in place of a store`;
  return new Option(`--${name} <url>`, says);
}

export function plainHttpOption(): Option {
  return new Option(
    '--plain-http',
    'Send the API key and the records without encryption to another machine, such as in an encrypted network',
  );
}

/** The option with the address: its name, and whether that may be plain HTTP. */
interface Named {
  readonly option: string;
  readonly plainHttp: boolean;
}

/** Performs operations at an address: each is a request with the key. */
export function serviceAt(address: string, named: Named): Performer {
  const perform = callerAt(address, named);
  return { directory: directoryAt(address, perform), perform, here: undefined };
}

/** The service was not reached, or did not answer to the end: what was asked may be asked again. */
export class NotReached extends Mistake {}

/** A request as it is sent, with its answer as it arrives. Throws `NotReached`, and the `ApiError` that it answers. */
export type AskService = (
  method: string,
  path: string,
  sent: {
    readonly query?: readonly (readonly [string, string])[];
    readonly type?: string | undefined;
    readonly accept?: string;
    readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
    readonly signal?: AbortSignal;
  },
) => Promise<Response>;

/** Throws a `Mistake` for an address to which no key may be sent. */
export function checkAddress(address: string, { option, plainHttp }: Named): void {
  const fault = addressFault(address, `--${option}`, plainHttp);
  if (fault !== undefined) throw new Mistake(fault);
}

/** Asks a service elsewhere, again where the key sends more than it may at once. */
export function askAt(address: string, { option, plainHttp }: Named): AskService {
  const { [KEY_VARIABLE]: key } = process.env;
  checkAddress(address, { option, plainHttp });
  if (!key) throw new Mistake(`Set ${KEY_VARIABLE} to an API key of the service.`);
  const base = new URL(address);
  return async (method, path, { query = [], type, accept = 'application/json', body, signal }) => {
    const target = new URL(base.pathname.replace(/\/$/, '') + path, base);
    for (const [name, value] of query) target.searchParams.append(name, value);
    const send = () =>
      fetch(target, {
        method,
        // What is sent is for the service alone, and so is the key.
        redirect: 'manual',
        headers: {
          Accept: accept,
          Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
          ...(type === undefined ? {} : { 'Content-Type': type }),
        },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      }).catch((error: Error) => {
        signal?.throwIfAborted();
        const why = error.cause instanceof Error ? error.cause : error;
        throw new NotReached(
          `${base.origin} was not reached: ${untrustedFault(why) ?? why.message}`,
        );
      });
    let answer = await send();
    // Nothing was done yet.
    for (let tries = 1; answer.status === 429 && tries < MOST_TRIES; tries += 1) {
      const seconds = Number(answer.headers.get('Retry-After')) || 1;
      await answer.body?.cancel();
      await pause(Math.min(seconds, MOST_SECONDS) * 1_000, undefined, signal && { signal });
      answer = await send();
    }
    const to = answer.headers.get('Location');
    if (answer.status >= 300 && answer.status < 400 && to !== null) {
      await answer.body?.cancel();
      const origin = URL.parse(to, target)?.origin ?? 'no address';
      throw new Mistake(
        `${base.origin} leads on to ${origin === base.origin ? 'another path' : origin}, and nothing was sent there. Name the address of the service itself with --${option}.`,
      );
    }
    if (answer.ok) return answer;
    const shown = await answer
      .text()
      .then(parseStored)
      .catch(() => undefined);
    throw errorIn(shown) ?? new Mistake(`${base.origin} answered ${answer.status}.`);
  };
}

function callerAt(address: string, named: Named): Performer['perform'] {
  const ask = askAt(address, named);
  return async (operation, { id: unique_identifier, inPath, query, body }) => {
    const { method, url } = routeOf(operation);
    const inIt: Readonly<Record<string, string>> = { unique_identifier, ...inPath };
    const path = url.replace(/:(\w+)/g, (_, name) => encodeURIComponent(inIt[name] ?? ''));
    const isSent = operation.body !== undefined;
    const answer = await ask(method, path, {
      query,
      ...(isSent && { type: 'application/json', body: JSON.stringify(body) }),
    });
    const isLines = answer.headers.get('Content-Type')?.startsWith('application/x-ndjson');
    const shown = await answer
      .text()
      .then((text) => (isLines ? text.split('\n').filter(Boolean) : parseStored(text)))
      .catch(() => undefined);
    if (shown !== undefined) return shown;
    throw new Mistake(`${URL.parse(address)?.origin} answered ${answer.status}.`);
  };
}

/** The error in an answer, or in a line of one. */
export function errorIn(shown: unknown): Error | undefined {
  const { error } = (shown ?? {}) as { readonly error?: Fault & { errors?: readonly Fault[] } };
  if (error === undefined) return undefined;
  const faults = error.errors ?? [error];
  const areKnown = faults.every(({ code }) => Object.hasOwn(catalogue, code));
  return areKnown ? new ApiError(faults) : new Mistake(plain(String(error.message)));
}

/** The names of what the key sees. */
function directoryAt(place: string, perform: Performer['perform']): Directory {
  const list = () => accountsOf(perform);
  return {
    place,
    accounts: {
      list,
      find: async (id) => (await list()).find(({ unique_identifier }) => unique_identifier === id),
    },
    async locations(called, accounts) {
      const { path, prefix, parentParam = '' } = anchor;
      if (called.startsWith(prefix)) return [{ unique_identifier: called, account: '' }];
      const found = accounts.map(async ({ unique_identifier: account }) => {
        const query = Object.entries({ [parentParam]: account, external_identifier: called });
        const { data } = await read<{ readonly unique_identifier: string }>(perform, path, query);
        return data.map(({ unique_identifier }) => ({ unique_identifier, account }));
      });
      return (await Promise.all(found)).flat();
    },
    // The API has no names of people and keys.
    who: async (by) => by,
  };
}

interface Page<Entry> {
  readonly data: readonly Entry[];
  readonly has_more: boolean;
}

async function read<Entry>(
  perform: Performer['perform'],
  path: string,
  query: OperationRequest['query'],
): Promise<Page<Entry>> {
  const request = { id: '', inPath: {}, query, body: {}, about: {} };
  const operation: CommandOperation = { name: `list_${path}`, route: `GET /v1/${path}` };
  return (await perform(operation, request)) as Page<Entry>;
}

async function accountsOf(perform: Performer['perform']): Promise<readonly Account[]> {
  const all: Account[] = [];
  for (;;) {
    const last = all.at(-1)?.unique_identifier;
    const after = last === undefined ? [] : [['starting_after', last] as const];
    const page = await read<Account>(perform, 'accounts', [['limit', '100'], ...after]);
    // Closed accounts are not shown.
    all.push(...page.data.map((one) => ({ ...one, closed_at: null })));
    if (!page.has_more) return all;
  }
}
