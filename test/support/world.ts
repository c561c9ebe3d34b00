/** One account in a service with a location, an event and keys, and what tests do in it. */

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { rights } from '../../src/records/auth/principal.ts';
import { outside } from './at-end.ts';
import { examples, formOf } from './bodies.ts';
import { eventBody, visitorBody } from './sent.ts';
import {
  type Answer,
  type Body,
  joinService,
  type Sent,
  type Service,
  type ServiceOptions,
  startService,
} from './service.ts';
import type { Ground } from './store-world.ts';
import { until } from './until.ts';

export interface World {
  readonly service: Service;
  /** Where its store is, if options say what makes that. */
  readonly ground: Ground & { readonly folder?: string };
  /** Stops the service, and starts it on the same store, with the same account and keys. */
  restart(meanwhile?: () => unknown): Promise<void>;
  readonly account: string;
  readonly location: string;
  readonly event: string;
  readonly parents: Record<'account' | 'location' | 'event', string>;
  /** The secret of a key that may read, and has every right but to correct. */
  readonly officer: string;
  /** Upserts with the required fields filled in; a record of its own where no `as` is given. */
  upsert(path: string, sending?: Sending): Promise<Answer>;
  /** The same by JSON, answered 200: the record. */
  made(path: string, as?: string, json?: Body): Promise<Body>;
  /** The JSON text of the required fields with these members beside them. */
  text(path: string, members: Body | string, external_identifier?: string): string;
  /** Posts JSON, or sends it by another method, and gives the body of the answer, which is 200. */
  ok(path: string, body?: unknown, key?: string, method?: string): Promise<Body>;
  /** The body of a GET by the officer, which is answered 200. */
  read(path: string, key?: string): Promise<Body>;
  /** A visitor of the event as one is sent, and as one is stored. */
  visitor(name: string, more?: object): Body;
  visit(name: string, more?: object, headers?: Sent['headers']): Promise<Body>;
  /** A service at the location. */
  funeral(name: string, more?: object): Promise<Body>;
  place(hold?: object): Promise<Body>;
  release(hold: string): Promise<Body>;
  /** Begins an erasure of these records. */
  begin(records: readonly string[], more?: object): Promise<Body>;
  run(erasure: string, records: readonly string[], more?: object): Promise<Body>;
  /** Erases these records, and gives the erasure as it ends. */
  erase(...records: string[]): Promise<Body>;
  erasure(id: string): Promise<Body>;
}

export interface Sending extends Sent {
  /** Members of a JSON body beside the required ones, which they replace; a text is put in as it is. */
  readonly json?: Body | string;
  /** Fields of a form beside the required ones, as they are. */
  readonly form?: string;
  /** The external_identifier of the record. */
  readonly as?: string;
  /** The query string, with its question position. */
  readonly query?: string;
}

export interface WorldOptions extends Omit<ServiceOptions, 'as'> {
  /** What makes its store, for tests that start the service again or look into files. */
  readonly store?: () => Promise<Ground>;
}

/** A service around the tests of a file or a suite. */
export function served(
  options: ServiceOptions = {},
  prepare?: (service: Service) => Promise<void>,
): Service {
  return around(() => startService(options), prepare).service;
}

/** The service of this process with a new account, around the tests of a file or a suite. */
export function joined(prepare?: (service: Service) => Promise<void>): Service {
  return around(joinService, prepare).service;
}

function around(
  start: () => Promise<Service>,
  prepare: (service: Service) => Promise<void> = async () => {},
  end: () => Promise<void> | undefined = () => undefined,
) {
  let service: Service | undefined;
  before(async () => {
    service = await start();
    await prepare(service);
  });
  after(async () => {
    await service?.stop();
    await end();
  });
  const proxy = new Proxy({} as Service, {
    get: (_, name) => Reflect.get(started(service), name),
    // What spreads it copies its members.
    ownKeys: () => Reflect.ownKeys(started(service)),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
  const replace = (by: Service): void => {
    service = by;
  };
  return { service: proxy, replace };
}

/**
 * A world around the tests of a file or a suite: an account in the service of this process, or a service of
 * its own where options say how that is. What else they need is made by `prepare`: hooks of a whole file do not
 * wait for each other.
 */
export function world(
  { store, ...options }: WorldOptions = {},
  prepare?: (made: World) => Promise<void>,
): World {
  let parents: World['parents'] | undefined;
  let officer: string | undefined;
  let ground: World['ground'] | undefined;
  let count = 0;

  const isPlain = store === undefined && Object.keys(options).length === 0;
  const start = async (more: Pick<ServiceOptions, 'as'> = {}): Promise<Service> => {
    if (isPlain) return joinService();
    ground ??= await store?.();
    return startService({ ...options, ...more, ...(ground && { ground }) });
  };
  const populate = async (): Promise<void> => {
    const location = await service.location();
    const event = await service.event(location);
    parents = { account: service.account.unique_identifier, location, event };
    const allow = Object.keys(rights).filter((right) => right !== 'pin');
    officer = (await service.newKey({ permissions: ['read'], allow })).secret;
    await prepare?.(made);
  };
  const { service, replace } = around(start, populate, () => ground?.remove());

  const identity = (path: string, external_identifier: string): Body => {
    const { parent } = exampleOf(path);
    return { [`${parent}_unique_identifier`]: made.parents[parent], external_identifier };
  };
  const text: World['text'] = (path, members, external_identifier = 'one') => {
    const least = { ...identity(path, external_identifier), ...leastOf(path) };
    if (typeof members !== 'string') return JSON.stringify({ ...least, ...members });
    return `${JSON.stringify(least).slice(0, -1)},${members}}`;
  };
  const made: World = {
    service,
    get ground() {
      return started(ground);
    },
    async restart(meanwhile) {
      const { account, key } = service;
      await service.stop();
      await meanwhile?.();
      replace(await outside(() => start({ as: { account, key } })));
    },
    get account() {
      return made.parents.account;
    },
    get location() {
      return made.parents.location;
    },
    get event() {
      return made.parents.event;
    },
    get parents() {
      return started(parents);
    },
    get officer() {
      return started(officer);
    },
    text,
    upsert(path, { json = {}, form, as, query = '', ...sent } = {}) {
      count += 1;
      const external_identifier = as ?? `record ${count}`;
      const url = `/v1/${path}/upsert${query}`;
      if (form === undefined) return service.json(url, text(path, json, external_identifier), sent);
      const least = formOf({ ...identity(path, external_identifier), ...leastOf(path) });
      return service.form(url, withFields(least, form), sent);
    },
    async made(path, as, json = {}) {
      const answer = await made.upsert(path, as === undefined ? { json } : { json, as });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
    async ok(path, body = {}, key = service.key, method = 'POST') {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await service.send(method, path, { key, headers, body: JSON.stringify(body) });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
    async read(path, key = made.officer) {
      const answer = await service.get(path, { key });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
    visitor: (name, more) =>
      visitorBody(made.event, `id of ${name}`, { visitor_full_name: name, ...more }),
    async visit(name, more, headers) {
      const path = '/v1/event_check_in_records/upsert';
      const answer = await service.json(path, made.visitor(name, more), {
        ...(headers && { headers }),
      });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
    funeral: (name, more) =>
      made.ok('/v1/events/upsert', eventBody(made.location, name, { event_name: name, ...more })),
    place: (hold) =>
      made.ok('/v1/holds', { account: made.account, matter: 'Case', ...hold }, made.officer),
    release: (hold) => made.ok(`/v1/holds/${hold}/release`, { reason: 'closed' }, made.officer),
    begin: (records, more) =>
      made.ok('/v1/erasures', { account: made.account, records, ...more }, made.officer),
    async run(erasure, records, more) {
      let ran = await made.ok(`/v1/erasures/${erasure}/run`, { records, ...more }, made.officer);
      // A busy disk may let it go on after the answer.
      await until(async () => {
        if (ran.status === 'running') ran = await made.erasure(erasure);
        return ran.status !== 'running';
      });
      return ran;
    },
    erase: async (...records) => made.run((await made.begin(records)).unique_identifier, records),
    erasure: (id) => made.read(`/v1/erasures/${id}`),
  };
  return made;
}

/** What became of the record of a write. */
export const outcomeOf = ({ headers }: Answer): string | null => headers.get('ledgerstone-outcome');

/** Fails unless the answer is refused with that status, code and parameter. */
export function refused(
  { status, body, text }: Answer,
  ...wanted: readonly [status: number, code?: string, param?: string]
): void {
  const found = [status, body?.error?.code, body?.error?.param];
  assert.deepEqual(found.slice(0, wanted.length), wanted, text);
}

/** The required fields of a resource, without those that identify the record. */
export function leastOf(path: string): Body {
  const { external_identifier: _, ...least } = exampleOf(path).least;
  return least;
}

/** The required fields but those that the others name. */
function withFields(least: string, form: string): string {
  const nameOf = (field: string): string | undefined => field.split(/=|\[|%5B/)[0];
  const names = new Set(form.split('&').map(nameOf));
  const kept = least.split('&').filter((field) => !names.has(nameOf(field)));
  return [...kept, form].filter((part) => part !== '').join('&');
}

function exampleOf(path: string): (typeof examples)[number] {
  const example = examples.find((one) => one.path === path);
  assert.ok(example !== undefined, path);
  return example;
}

function started<T>(value: T | undefined): T {
  assert.ok(value !== undefined, 'The world is made before the first test.');
  return value;
}
