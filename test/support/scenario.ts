/** Scenarios: one request each, the rule of the decisions or the specification that it checks, and what must come of it. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { examples, formOf } from './bodies.ts';
import {
  type Answer,
  type Body,
  joinService,
  type Sent,
  type Service,
  type ServiceOptions,
  startService,
} from './service.ts';

/** A service with a location and an event, for upserts of every resource. */
export interface Scene {
  readonly service: Service;
  readonly parents: Record<'account' | 'location' | 'event', string>;
  /** Upserts with the required fields filled in; a record of its own where no `as` is given. */
  upsert(path: string, sending?: Sending): Promise<Answer>;
  /** The JSON text of the required fields with these members beside them. */
  text(path: string, members: Body | string, external_identifier?: string): string;
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

/** The required fields of a resource, without those that identify the record. */
export function leastOf(path: string): Body {
  const { external_identifier: _, ...least } = exampleOf(path).least;
  return least;
}

/** Every way to name the scene's own parents, by what the parent is. */
export function waysTo({ parents }: Scene, parent: string): Record<string, string>[] {
  const { account, location, event } = parents;
  const ofAccount = { account_unique_identifier: account };
  const ofLocation = [
    { location_unique_identifier: location },
    { location_external_identifier: 'chapel', ...ofAccount },
  ];
  if (parent === 'account') return [ofAccount];
  if (parent === 'location') return ofLocation;
  return [
    { event_unique_identifier: event },
    ...ofLocation.map((names) => ({ event_external_identifier: 'service', ...names })),
  ];
}

/** What an answer holds beside the required fields, identifiers and times: parameters by their names. */
export function optionalsOf(path: string, body: Body): Body {
  const {
    public_data,
    object: _object,
    unique_identifier: _id,
    external_identifier: _,
    ...own
  } = body;
  const { inserted_at: _in, updated_at: _up, location_unique_identifier: _home, ...flat } = own;
  const optionals: Body = { ...flat, ...public_data };
  delete optionals.account_unique_identifier;
  for (const name of Object.keys(leastOf(path))) delete optionals[name];
  return optionals;
}

/** The faults that an answer names, as pairs of param and code. */
export function faultsOf({ body }: Answer): readonly (readonly [string | undefined, string])[] {
  return (body?.error?.errors ?? []).map((fault: Body) => [fault.param, fault.code]);
}

/**
 * Sets up a scene around the tests of a file or a suite: an account in the service of this process, or a service of
 * its own where options say how that is. What else they need is
 * made by `prepare`: hooks of a whole file do not wait for each other.
 */
export function scene(
  options: ServiceOptions = {},
  prepare?: (stage: Scene) => Promise<void>,
): Scene {
  let service: Service | undefined;
  let parents: Scene['parents'] | undefined;
  let count = 0;

  before(async () => {
    const isPlain = Object.keys(options).length === 0;
    service = await (isPlain ? joinService() : startService(options));
    const location = await service.location();
    const event = await service.event(location);
    parents = { account: service.account.unique_identifier, location, event };
    await prepare?.(stage);
  });
  after(() => service?.stop());

  const identity = (path: string, external_identifier: string): Body => {
    const { parent } = exampleOf(path);
    return { [`${parent}_unique_identifier`]: started(parents)[parent], external_identifier };
  };
  const text: Scene['text'] = (path, members, external_identifier = 'one') => {
    const least = { ...identity(path, external_identifier), ...leastOf(path) };
    if (typeof members !== 'string') return JSON.stringify({ ...least, ...members });
    return `${JSON.stringify(least).slice(0, -1)},${members}}`;
  };
  const stage: Scene = {
    get service() {
      return started(service);
    },
    get parents() {
      return started(parents);
    },
    text,
    upsert(path, { json = {}, form, as, query = '', ...sent } = {}) {
      count += 1;
      const external_identifier = as ?? `record ${count}`;
      const url = `/v1/${path}/upsert${query}`;
      if (form === undefined) {
        return started(service).json(url, text(path, json, external_identifier), sent);
      }
      const least = formOf({ ...identity(path, external_identifier), ...leastOf(path) });
      return started(service).form(url, withFields(least, form), sent);
    },
  };
  return stage;
}

/** The required fields but those that the others name. */
function withFields(least: string, form: string): string {
  const nameOf = (field: string): string | undefined => field.split(/=|\[|%5B/)[0];
  const names = new Set(form.split('&').map(nameOf));
  const kept = least.split('&').filter((field) => !names.has(nameOf(field)));
  return [...kept, form].filter((part) => part !== '').join('&');
}

export interface Scenario extends Sending {
  /** The rule of the decisions or the specification. */
  readonly rule: string;
  /** The path name of the resource. */
  readonly on: string;
  /** What the record holds before, sent by JSON beside the required fields. */
  readonly stored?: Body;
  /** 200 where neither this nor `faults` is given. */
  readonly status?: number;
  readonly outcome?: 'created' | 'updated' | 'unchanged';
  /** All that the answer holds beside the required fields. */
  readonly gives?: Body;
  /** Members that the answer holds, whatever else it may. */
  readonly contains?: Body;
  /** All faults, as pairs of param and code, in their order; the status is then 400. */
  readonly faults?: readonly (readonly [string | undefined, string])[];
  /** What the message says. */
  readonly says?: RegExp;
  /** Texts that the answer's own text must hold, and must not. */
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
}

/** A test for each scenario. A refused request must have left what was stored as it was. */
export function play(stage: Scene, scenarios: readonly Scenario[]): void {
  for (const [index, scenario] of scenarios.entries()) {
    it(scenario.rule, async () => {
      const { on, stored, as = `${scenario.rule} ${index}` } = scenario;
      const before = stored && (await stage.upsert(on, { json: stored, as }));
      if (before !== undefined) assert.equal(before.status, 200, before.text);
      const answer = await stage.upsert(on, { ...scenario, as });
      check(scenario, answer);
      if (before === undefined || answer.status === 200) return;
      const since = await stage.upsert(on, { as, json: leastIn(on, before.body) });
      assert.equal(since.headers.get('ledgerstone-outcome'), 'unchanged');
      assert.deepEqual(since.body, before.body);
    });
  }
}

function check(scenario: Scenario, answer: Answer): void {
  const { faults, status = faults === undefined ? 200 : 400 } = scenario;
  assert.equal(answer.status, status, answer.text);
  if (faults !== undefined) assert.deepEqual(faultsOf(answer), faults, answer.text);
  if (scenario.says !== undefined) assert.match(answer.body.error.message, scenario.says);
  if (scenario.outcome !== undefined)
    assert.equal(answer.headers.get('ledgerstone-outcome'), scenario.outcome);
  if (scenario.gives !== undefined)
    assert.deepEqual(optionalsOf(scenario.on, answer.body), scenario.gives);
  if (scenario.contains !== undefined)
    assert.partialDeepStrictEqual(answer.body, scenario.contains);
  for (const part of scenario.has ?? []) assert.ok(answer.text.includes(part), answer.text);
  for (const part of scenario.lacks ?? []) assert.ok(!answer.text.includes(part), answer.text);
}

/** The required fields as an answer has them. */
function leastIn(path: string, body: Body): Body {
  const held = { ...body, ...body.public_data };
  return Object.fromEntries(Object.keys(leastOf(path)).map((name) => [name, held[name]]));
}

function exampleOf(path: string): (typeof examples)[number] {
  const example = examples.find((one) => one.path === path);
  assert.ok(example !== undefined, path);
  return example;
}

function started<T>(value: T | undefined): T {
  assert.ok(value !== undefined, 'The scene is set up before the first test.');
  return value;
}
