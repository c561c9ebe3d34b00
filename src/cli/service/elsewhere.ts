/** Commands on a service elsewhere: their operations are called by HTTP, with an API key of the service. */
import { Option } from 'commander';
import { ApiError, catalogue, type Fault } from '../../core/errors.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import { routeOf } from '../../edge/operations/operation.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { Mistake } from '../mistake.ts';

export const KEY_VARIABLE = 'LEDGERSTONE_KEY';

export function elsewhereOption(name: string): Option {
  const says = `The address of a service to work on, with an API key of it in ${KEY_VARIABLE}, in place of a store`;
  return new Option(`--${name} <url>`, says);
}

/** The store's part that a command needs, served by a service elsewhere. */
export class StoreNeeded extends Mistake {}

/** Gives that where the store is needed; throws any other error. */
export function orElse<T>(instead: T) {
  return (error: unknown): T => {
    if (error instanceof StoreNeeded) return instead;
    throw error;
  };
}

/** Calls an operation of the service; an answer in lines is given as these. Throws the `ApiError` that it answers. */
export type CallService = (
  operation: { readonly route: string; readonly body?: object | undefined },
  sent: {
    readonly id: string;
    /** Other parts of the path, by their names. */
    readonly inPath?: Readonly<Record<string, string>>;
    readonly query: readonly (readonly [string, string])[];
    readonly body: object;
  },
) => Promise<unknown>;

export function serviceAt(address: string): CallService {
  const { [KEY_VARIABLE]: key } = process.env;
  if (!key) throw new Mistake(`Set ${KEY_VARIABLE} to an API key of the service.`);
  const base = URL.parse(address);
  if (base === null) throw new Mistake(`--url ${JSON.stringify(address)} is no address.`);
  return async (operation, { id: unique_identifier, inPath, query, body }) => {
    const { method, url } = routeOf(operation);
    const named: Readonly<Record<string, string>> = { unique_identifier, ...inPath };
    const path = url.replace(/:(\w+)/g, (_, name) => encodeURIComponent(named[name] ?? ''));
    const target = new URL(base.pathname.replace(/\/$/, '') + path, base);
    for (const [name, value] of query) target.searchParams.append(name, value);
    const answer = await fetch(target, {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
        ...(operation.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(operation.body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      const { message } = error.cause instanceof Error ? error.cause : error;
      throw new Mistake(`${base.origin} was not reached: ${message}`);
    });
    const isLines = answer.headers.get('Content-Type')?.startsWith('application/x-ndjson');
    const shown = await answer
      .text()
      .then((text) => (isLines ? text.split('\n').filter(Boolean) : parseStored(text)))
      .catch(() => undefined);
    if (answer.ok && shown !== undefined) return shown;
    throw errorIn(shown) ?? new Mistake(`${base.origin} answered ${answer.status}.`);
  };
}

function errorIn(shown: unknown): Error | undefined {
  const { error } = (shown ?? {}) as { readonly error?: Fault & { errors?: readonly Fault[] } };
  if (error === undefined) return undefined;
  const faults = error.errors ?? [error];
  const areKnown = faults.every(({ code }) => Object.hasOwn(catalogue, code));
  return areKnown ? new ApiError(faults) : new Mistake(error.message);
}

/** Stands for the store: it has the accounts that the key sees, and all else throws `StoreNeeded`. */
export function storeAt(address: string, call: CallService): Store {
  const known: Readonly<Record<string | symbol, unknown>> = {
    place: address,
    accounts: { list: () => accountsOf(call) },
  };
  return new Proxy(known, {
    get(target, name) {
      if (name in target) return target[name];
      throw new StoreNeeded('This works on the store itself: leave out --url.');
    },
  }) as unknown as Store;
}

async function accountsOf(call: CallService): Promise<readonly Account[]> {
  const all: Account[] = [];
  for (;;) {
    const last = all.at(-1)?.unique_identifier;
    const after = last === undefined ? [] : [['starting_after', last] as const];
    const sent = { id: '', query: [['limit', '100'] as const, ...after], body: {} };
    const page = await call({ route: 'GET /v1/accounts' }, sent);
    const { data, has_more } = page as { readonly data: Account[]; readonly has_more: boolean };
    // Closed accounts are not shown.
    all.push(...data.map((one) => ({ ...one, closed_at: null })));
    if (!has_more) return all;
  }
}
