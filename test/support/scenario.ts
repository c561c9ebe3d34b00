/** Scenarios: one request each, the rule of the decisions or the specification that it checks, and what must come of it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Answer, Body } from './service.ts';
import { leastOf, type Sending, type World } from './world.ts';

/** Every way to name the world's own parents, by what the parent is. */
export function waysTo({ parents }: World, parent: string): Record<string, string>[] {
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

export interface Scenario extends Sending {
  /** The rule of the decisions or the specification. */
  readonly rule: string;
  /** The path name of the resource, where it is not that of all that are played together. */
  readonly on?: string;
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

/** Scenarios, behind the path name of the resource that they share. */
type Played =
  | readonly [scenarios: readonly Scenario[]]
  | readonly [path: string, scenarios: readonly Scenario[]];

/** A test for each scenario. A refused request must have left what was stored as it was. */
export function play(stage: World, ...played: Played): void {
  const scenarios = played.at(-1) as readonly Scenario[];
  const path = played.length === 2 ? played[0] : '';
  for (const [index, scenario] of scenarios.entries()) {
    it(scenario.rule, async () => {
      const { on = path, stored, as = `${scenario.rule} ${index}` } = scenario;
      const before = stored && (await stage.upsert(on, { json: stored, as }));
      if (before !== undefined) assert.equal(before.status, 200, before.text);
      const answer = await stage.upsert(on, { ...scenario, as });
      check({ ...scenario, on }, answer);
      if (before === undefined || answer.status === 200) return;
      const since = await stage.upsert(on, { as, json: leastIn(on, before.body) });
      assert.equal(since.headers.get('ledgerstone-outcome'), 'unchanged');
      assert.deepEqual(since.body, before.body);
    });
  }
}

function check(scenario: Scenario & { readonly on: string }, answer: Answer): void {
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
