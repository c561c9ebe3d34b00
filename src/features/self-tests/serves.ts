/** Self-tests in the path of requests: deliberate refusals, notes, and the report. */
import { createHash } from 'node:crypto';
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError } from '../../core/errors.ts';
import { present } from '../../core/objects/own-object.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import { presentOne } from '../../core/schema/present/present.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { authorizeAction, type Principal } from '../../records/auth/principal.ts';
import type { Served, ServeParts } from '../../services/served.ts';
import { type CheckResult, type SelfTestRun, selfTest, type statusOf } from './declares.ts';
import { EVENTS, judge, LOCATION, type Observation, type Purpose } from './serves/checks.ts';

const OPEN_MS = 3_600_000;
/** Within this time a run that was opened in another process is known. */
const KNOWN_MS = 2_000;
const MAX_KNOWN = 10_000;
/** Characters of a position that are noted: what a caller sends may be long. */
export const MAX_POSITION = 100;

/** The parts of a request that self-tests look at. */
export interface Passing {
  /** Identifies the request before its body is read. */
  readonly print: string;
  readonly isWrite: boolean;
  readonly isFeed: boolean;
  readonly idempotency_key: string | undefined;
  readonly after: string | undefined;
}

export interface SelfTestReport extends Readonly<Record<'unique_identifier' | 'account', string>> {
  readonly status: ReturnType<typeof statusOf>;
  readonly passed: number;
  readonly checks: readonly CheckResult[];
  readonly expires_at: string;
}

export const serve = (parts: ServeParts) => {
  const service = createSelfTests(parts);
  parts.tests?.push(async (caller, status, forge) => {
    const run = service.known(caller);
    if (run === undefined) return;
    const forged = await forge();
    await service.note(run, { kind: 'notified', forged: false, status });
    await service.note(run, { kind: 'notified', forged: true, status: forged });
  });
  return { service } satisfies Served;
};

export function createSelfTests({ store, resources, now }: ServeParts) {
  const { selfTests } = store;
  const identify = createIdentifiers(now);
  /** The open runs of keys of test accounts that called lately. */
  const knownRuns = new BoundedMap<string, { run: SelfTestRun | undefined; at: number }>(MAX_KNOWN);
  /** Pending notes, by run: the requests of one are processed one after the other. */
  const pending = new Map<string, Promise<unknown>>();

  /** Throws `permission_denied` unless the key is of one test account, and may write. */
  async function open(principal: Principal): Promise<SelfTestReport> {
    authorizeAction(principal, 'write');
    const [account, another] = principal.scope.accounts;
    if (!isTest(principal) || account === undefined)
      throw new ApiError('permission_denied', {
        message:
          'Self-tests are run with the key of a test account, sk_test_…: ask the operator for one.',
      });
    if (another !== undefined)
      throw new ApiError('permission_denied', {
        message: 'You have several accounts: run the self-test with a key of one.',
      });
    const inserted_at = now();
    const times = { inserted_at, expires_at: inserted_at + OPEN_MS };
    const run = { unique_identifier: identify('slf_'), account, key: principal.key, ...times };
    await selfTests.open(run);
    knownRuns.delete(principal.key);
    return reportOn(run);
  }

  /** Lists those of the caller, newest first, from after that one. */
  async function list(
    principal: Principal,
    after: string | undefined,
    limit: number,
  ): Promise<readonly SelfTestReport[]> {
    authorizeAction(principal, 'read');
    const runs = await selfTests.list([...principal.scope.accounts], after, limit);
    return Promise.all(runs.map(reportOn));
  }

  /** Throws `resource_missing`. */
  async function find(principal: Principal, unique_identifier: string): Promise<SelfTestReport> {
    authorizeAction(principal, 'read');
    const run = await selfTests.find(unique_identifier);
    if (run === undefined || !principal.scope.accounts.has(run.account))
      throw new ApiError('resource_missing', {
        param: 'unique_identifier',
        message: 'There is no self-test with this unique_identifier, or it is no longer kept.',
      });
    return reportOn(run);
  }

  /** The open run of the key; live keys have none, so nothing is looked up for them. */
  async function openOf(principal: Principal): Promise<SelfTestRun | undefined> {
    if (!isTest(principal)) return undefined;
    const { key } = principal;
    const at = now();
    const last = knownRuns.get(key);
    if (last !== undefined && (store.processes === 'one' || Math.abs(at - last.at) < KNOWN_MS))
      return known(principal);
    const run = await selfTests.openOf(key);
    knownRuns.set(key, { run, at });
    return run;
  }

  /** Finds the run from memory, as of the key's last request. */
  function known({ key }: Principal): SelfTestRun | undefined {
    const run = knownRuns.get(key)?.run;
    return run !== undefined && run.expires_at > now() ? run : undefined;
  }

  /** Notes the arrival of a request. Throws the error if it is refused for the test. */
  function arrives(run: SelfTestRun, passing: Passing): Promise<void> {
    return serially(run, async () => {
      const { isFeed, print } = passing;
      const seen = await seenIn(run);
      const at = now();
      const facts = {
        print,
        token: passing.idempotency_key === undefined ? null : printOf(passing.idempotency_key),
        after: passing.after?.slice(0, MAX_POSITION) ?? null,
      };
      const before = seen.find(
        (one) =>
          one.kind === 'provoked' &&
          (one.purpose === 'feed' ? isFeed : !isFeed && one.print === print) &&
          !seen.some((other) => other.kind === 'again' && other.purpose === one.purpose),
      );
      if (before?.kind === 'provoked') {
        const { purpose } = before;
        return write(run, { kind: 'again', ...facts, purpose, waited: at - before.at });
      }
      const purpose = purposeOf(seen, passing);
      if (purpose === undefined) return;
      const seconds = purpose === 'rate_limited' ? 2 : 1;
      await write(run, { kind: 'provoked', ...facts, purpose, seconds });
      throw provoked(purpose === 'rate_limited' ? 429 : 503, seconds);
    });
  }

  function note(run: SelfTestRun, seen: Observation): Promise<void> {
    return serially(run, () => write(run, seen));
  }

  async function write({ unique_identifier }: SelfTestRun, { kind, ...data }: Observation) {
    await selfTests.note(unique_identifier, { kind, at: now(), data: JSON.stringify(data) });
  }

  async function seenIn({
    unique_identifier,
  }: SelfTestRun): Promise<(Observation & { readonly at: number })[]> {
    const sightings = await selfTests.seen(unique_identifier);
    return sightings.map(({ kind, at, data }) => ({ kind, at, ...JSON.parse(data) }));
  }

  async function serially<T>(
    { unique_identifier }: SelfTestRun,
    work: () => Promise<T>,
  ): Promise<T> {
    const before = pending.get(unique_identifier) ?? Promise.resolve();
    const working = before.then(work, work);
    const settled = working.catch(() => undefined);
    pending.set(unique_identifier, settled);
    try {
      return await working;
    } finally {
      if (pending.get(unique_identifier) === settled) pending.delete(unique_identifier);
    }
  }

  async function reportOn(run: SelfTestRun): Promise<SelfTestReport> {
    await pending.get(run.unique_identifier);
    const checks = judge({ seen: await seenIn(run), events: await eventsOf(run) });
    return present(selfTest, { ...run, checks }, 'api', now()) as unknown as SelfTestReport;
  }

  /** The events of the self-test, as they are read. */
  async function eventsOf({ account }: SelfTestRun): Promise<Map<string, JsonObject>> {
    const [place, event] = ['location', 'event'].map((wanted) =>
      resources.find(({ name }) => name === wanted),
    );
    if (place === undefined || event === undefined) return new Map();
    const at = { account, parent: account, external_identifier: LOCATION };
    const location = await store.findPair(place.shape, at);
    if (location === undefined) return new Map();
    const parent = location.unique_identifier;
    const found = await Promise.all(
      EVENTS.map((external_identifier) =>
        store.findPair(event.shape, { account, parent, external_identifier }),
      ),
    );
    const events = new Map<string, JsonObject>();
    for (const record of found) {
      if (record === undefined) continue;
      const { public_data, ...rest } = JSON.parse(presentOne(event, record)) as JsonObject;
      events.set(record.external_identifier ?? '', { ...rest, ...(public_data as JsonObject) });
    }
    return events;
  }

  return { open, list, find, openOf, known, arrives, note };
}

/** Whether it is a key of test accounts. */
export function isTest({ granted, person }: Principal): boolean {
  return person === undefined && !granted.livemode;
}

/** Which refusal a request is for; `undefined`: none. */
function purposeOf(
  seen: readonly Observation[],
  { isWrite, isFeed, idempotency_key }: Passing,
): Purpose | undefined {
  const provoked = seen.filter((one) => one.kind === 'provoked');
  const had = new Set(provoked.map(({ purpose }) => purpose));
  if (isFeed)
    return !had.has('feed') && seen.some(({ kind }) => kind === 'read') ? 'feed' : undefined;
  if (!isWrite) return undefined;
  if (!had.has('rate_limited')) return 'rate_limited';
  if (!had.has('unavailable')) return 'unavailable';
  return idempotency_key !== undefined && !had.has('token') ? 'token' : undefined;
}

/** The error that refuses a request for a test. */
export function provoked(status: 429 | 503, seconds: number): ApiError {
  return new ApiError(status === 429 ? 'rate_limited' : 'service_unavailable', {
    message: `This request was refused for a test. Nothing was saved: send it again in ${seconds} seconds.`,
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Distinguishes texts and bytes without storing them. */
export function printOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('base64url').slice(0, 22);
}
