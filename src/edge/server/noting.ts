/** Records every answered request in the log of requests: refusals, and counts of what was done. */
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../core/errors.ts';
import type { ClientAddressOf } from '../../core/network/client-address.ts';
import type { AuditRecorder } from '../../services/audit/recorder.ts';
import {
  type IdentifierFingerprints,
  identifierInForm,
  identifierInJson,
} from '../../services/requests/fingerprints.ts';
import { maskRecordPath, UNDECLARED } from '../../services/requests/names.ts';
import type { Recorder } from '../../services/requests/recorder.ts';
import { createFaultSummary, type FaultSummary } from '../../services/requests/row-summary.ts';
import { MANY } from '../request/body.ts';
import { type Done, pathOf, queryOf } from '../request/request.ts';

/** The outcome of what wrote nothing, and of what was refused. */
const READ = 'read';
const REFUSED = 'refused';

interface NotingParts {
  readonly recorder: Recorder;
  readonly audit: Pick<AuditRecorder, 'note' | 'reads'>;
  readonly clientAddressOf: ClientAddressOf;
  readonly now: () => number;
  /** The part of an unknown path that may be recorded. */
  readonly pathMask: (path: string) => string;
  /** Not said: requests are not found by identifiers. */
  readonly fingerprints: IdentifierFingerprints | undefined;
}

export function createNoting(parts: NotingParts) {
  const { recorder, audit, clientAddressOf, now, pathMask, fingerprints } = parts;
  const loggedPath = ({ is404, url, route, params }: FastifyRequest): string => {
    if (is404 || route.url === undefined) return pathMask(pathOf(url));
    const { needs } = route.config;
    const { unique_identifier } = (params ?? {}) as { readonly unique_identifier?: string };
    return needs === undefined || unique_identifier === undefined
      ? route.url
      : maskRecordPath(route.url, unique_identifier, needs.resource);
  };

  const refuse = ({ request, statusCode }: FastifyReply, summarized: FaultSummary): void => {
    const { principal, unauthenticated, done } = request;
    const key = principal?.key ?? unauthenticated?.key?.unique_identifier ?? null;
    if (!recorder.takes(key)) {
      recorder.dropped(key);
      return;
    }
    const faults = summarized.list();
    const rows = done?.rows;
    recorder.refused({
      request_id: request.id,
      time: now(),
      key,
      account: onlyAccountOf(request) ?? null,
      authentication: unauthenticated?.why ?? null,
      address: clientAddressOf(request.raw) ?? null,
      method: request.method,
      path: loggedPath(request),
      status: statusCode,
      code: done?.code ?? faults[0]?.code ?? REFUSED,
      faults,
      rows: rows ? { numbered: rows.numbered, counts: Object.fromEntries(rows.counts) } : null,
      ...namesOf(request, fingerprints),
    });
  };

  const count = (request: FastifyRequest, refused: boolean): void => {
    const { principal, unauthenticated, done, route } = request;
    const key = principal?.key ?? unauthenticated?.key?.unique_identifier;
    if (key === undefined) return;
    const resource = route.config?.needs?.resource.name ?? '';
    const add = ({ account, anchor }: Partial<Done>, outcome: string, times = 1): void => {
      const at = { account: account ?? onlyAccountOf(request) ?? '', anchor: anchor ?? '' };
      recorder.done({ ...at, key, resource, outcome }, times);
    };
    const anchor = refused ? onlyOne(principal?.scope.anchors) : undefined;
    const rows = done?.rows;
    if (rows === undefined) {
      const place = { account: done?.account, anchor: done?.anchor ?? anchor };
      return void add(place, refused ? REFUSED : (done?.outcome ?? READ));
    }
    for (const place of rows.places) add(place, place.outcome, place.count);
    if (rows.refused > 0) add({ anchor }, REFUSED, rows.refused);
  };

  /** Decides what a person was shown or has done from the response, whatever the request says. */
  const seen = (request: FastifyRequest): void => {
    const { auditedAs, confirms, person, ...config } = request.route?.config ?? {};
    const { unique_identifier, above, account, what, shown } = request.done;
    // Places say nothing of people.
    const isShown = shown === true && config.needs?.resource.anchor !== true;
    const action = config.audits ?? (isShown ? 'read' : undefined);
    if (action === undefined || confirms === true) return;
    if (!audit.reads && action !== 'administer') return;
    // A page follows the changes by itself: without their records it is shown nothing of people.
    if (person === 'follows' && shown !== true) return;
    audit.note({
      ...callerIn(request, clientAddressOf),
      ...(account === undefined ? {} : { account }),
      action,
      resource: request.route.config.needs?.resource.name ?? null,
      record: unique_identifier ?? above ?? null,
      what: what ?? auditedAs ?? null,
    });
  };

  return {
    /** A person sees records in a stream. */
    seen(request: FastifyRequest): void {
      request.done = { ...request.done, shown: true };
      if (request.principal?.person !== undefined) seen(request);
      request.done = { ...request.done, audited: true };
    },
    /** `faults` are those of what was refused. */
    answered(request: FastifyRequest, reply: FastifyReply, faults: FaultSummary | undefined): void {
      if (request.route?.config?.open === true) return;
      count(request, faults !== undefined);
      const isPerson = request.principal?.person !== undefined;
      if (isPerson && faults === undefined && request.done.audited !== true) seen(request);
      if (faults !== undefined) refuse(reply, faults);
    },
    /** Bytes that are not a request were refused. */
    unreadable(request_id: string, code: ErrorCode, status: number, socket: Socket): void {
      if (!recorder.takes(null)) {
        recorder.dropped(null);
        return;
      }
      recorder.refused({
        request_id,
        time: now(),
        key: null,
        account: null,
        authentication: null,
        address: clientAddressOf({ socket, headers: {} }) ?? null,
        method: UNDECLARED,
        path: UNDECLARED,
        status,
        code,
        faults: [],
        rows: null,
      });
    },
  };
}

/** The marks by which its records are found, and whether they are of all that were refused. */
function namesOf(request: FastifyRequest, fingerprints: IdentifierFingerprints | undefined) {
  const { route, done } = request;
  const { needs, bodies } = route.config ?? {};
  if (needs === undefined || needs.action === 'read')
    return fingerprints && { marks: identifiersIn(request).map(fingerprints.of) };
  const found = fingerprints === undefined ? [] : identifiersIn(request);
  const isOne = done?.rows === undefined && bodies !== MANY;
  const unnamed = found.length === 0 || (isOne ? false : (done?.rows?.unnamed ?? true));
  return { marks: found.map((one) => fingerprints?.of(one) ?? ''), unnamed };
}

/** The caller's own identifiers of what was refused. */
function identifiersIn(request: FastifyRequest): readonly string[] {
  const { done, route, body } = request;
  if (route.config?.needs === undefined) return [];
  if (done?.rows !== undefined) return [...done.rows.identifiers];
  const sent =
    body instanceof Uint8Array
      ? (identifierInJson(body) ?? identifierInForm(Buffer.from(body).toString()))
      : undefined;
  const found = sent ?? identifierInForm(queryOf(request));
  return found === undefined ? [] : [found];
}

export function callerIn(request: FastifyRequest, clientAddressOf: ClientAddressOf) {
  return {
    by: request.principal?.key ?? null,
    account: onlyAccountOf(request) ?? null,
    address: clientAddressOf(request.raw) ?? null,
    request_id: request.id,
  };
}

/** That of the key, where it has one alone. */
function onlyAccountOf({ principal, unauthenticated }: FastifyRequest): string | undefined {
  return onlyOne(principal?.scope.accounts ?? unauthenticated?.key?.accounts);
}

function onlyOne(ids: Iterable<string> | undefined): string | undefined {
  const [only, other] = ids ?? [];
  return other === undefined ? only : undefined;
}

/** From here on, a line of the log has more detail. */
const SLOW_MS = 1_000;
const MAX_NAMES = 20;

/** The durations of the stages of a slow request, and the names in its query, for the log; `undefined`: it was not slow. */
export function slownessOf({ timing, route, url }: FastifyRequest, elapsedMs: number) {
  if (elapsedMs < SLOW_MS) return undefined;
  const { paramMask } = route.config ?? {};
  const query = new Set<string>();
  const [, text = ''] = url.split('?', 2);
  for (const name of new URLSearchParams(text).keys()) {
    if (query.size === MAX_NAMES) break;
    // A nested parameter is written with dots: inserted_at[gte] is inserted_at.gte.
    query.add(paramMask?.(name.replaceAll(']', '').replaceAll('[', '.')) ?? UNDECLARED);
  }
  return { stages: timing.stages(), query: [...query] };
}

/** Why a request or its rows were refused, as it may be logged: no values, and no names of callers; `undefined`: it was not. */
export function faultsOf({ done, route }: FastifyRequest): FaultSummary | undefined {
  if (done?.rows !== undefined && done.rows.refused > 0) return done.rows.faults;
  if (done?.code === undefined) return undefined;
  const { paramMask = () => UNDECLARED } = route.config ?? {};
  const summary = createFaultSummary(paramMask);
  for (const fault of done.faults ?? []) {
    const row = done.code === 'batch_refused' ? rowIn(fault.param) : undefined;
    if (row === undefined) summary.add(fault);
    else summary.add({ ...fault, param: row.param }, row.index);
  }
  return summary;
}

/** The faults of an atomic batch begin with the index of their row. */
function rowIn(param = '') {
  const [, index, rest] = /^(\d+)(?:\.(.*))?$/s.exec(param) ?? [];
  return index === undefined ? undefined : { index: Number(index), param: rest };
}
