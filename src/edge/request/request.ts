/** Our additions to Fastify's requests and routes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type Fault } from '../../core/errors.ts';
import type { AuditAction, AuditFacts } from '../../core/objects/requests/audit-entry.ts';
import type { Timing } from '../../core/observe/timing.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { AuthenticationFailed } from '../../records/auth/authenticator.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { ParamMask } from '../../services/requests/names.ts';
import type { RowSummary } from '../../services/requests/row-summary.ts';
import type { PersonCalls } from '../../services/staff/service.ts';
import type { Permission } from '../../store/promises/keys.ts';
import type { LeastSpeed } from '../fair/least-speed.ts';
import type { MemoryBudget } from '../fair/memory.ts';
import type { KeyLimit } from '../limits/key-limit.ts';
import type { Bodies } from './body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set before the body is read, except on open routes. */
    principal: Principal | undefined;
    unauthenticated: AuthenticationFailed | undefined;
    limit: KeyLimit | undefined;
    /** For how many milliseconds its answer was delayed, if it was. */
    delayedMs: number | undefined;
    timing: Timing;
    /** The route that takes it, as `routeOptions` gives it: Fastify builds that on each access. */
    route: this['routeOptions'];
    /** The result, for the logs: unique identifiers and outcomes; names in faults may be a caller's own. */
    done: Done;
  }
  interface FastifyInstance {
    /** Whether connections are being closed, each after the answer to its last request. */
    draining: boolean;
    memory: MemoryBudget;
    leastSpeed: LeastSpeed;
    /** Authenticates the caller again. Rejects where the key or the session has ended. */
    authenticate: (request: FastifyRequest) => Promise<Principal>;
    /** Notes an error within an answer that has begun, if it is not the caller's. */
    noteFailure: (request: FastifyRequest, error: ApiError) => void;
    /** Records what is about to be done in the audit; rejects where that cannot be recorded. */
    audit: (request: FastifyRequest, facts: AuditFacts) => Promise<void>;
    /** Records what a person sees in a stream that has begun, which may never end. */
    noteSeen: (request: FastifyRequest) => void;
    /** Notes an answer that has begun and cannot end: its client is gone. */
    noteCut: (request: FastifyRequest, reply: FastifyReply) => void;
  }
  interface FastifyContextConfig {
    /** Set on the routes of the console: people call them by their session, and no key does. */
    readonly person?: PersonCalls;
    readonly open?: boolean;
    readonly needs?: { readonly resource: Resource; readonly action: Permission };
    /** The bodies that the path accepts; by default those of one record. */
    readonly bodies?: Bodies | undefined;
    /** Whether it changes nothing, though its method could. */
    readonly reads?: boolean;
    /** Whether it reads the headers of upserts. */
    readonly upserts?: boolean;
    /** Throws `permission_denied` unless the caller has what the operation needs. */
    readonly may?: (principal: Principal) => void;
    /** The audit's name for it when a person does it; left out: it shows nothing of people. */
    readonly audits?: AuditAction | undefined;
    /** The action in the audit, where nothing more is known of it. */
    readonly auditedAs?: string;
    /** Whether the audit has it before it is done. */
    readonly confirms?: boolean;
    /** Which of its parameters may be logged; by default none. */
    readonly paramMask?: ParamMask;
  }
}

export interface Done {
  readonly unique_identifier?: string;
  /** Where the record belongs. */
  readonly account?: string | undefined;
  readonly anchor?: string | null | undefined;
  readonly outcome?: string;
  /** More of it, for the audit. */
  readonly what?: string;
  /** The filters of a list, for the audit. */
  readonly above?: string | undefined;
  /** Whether the audit has it already. */
  readonly audited?: true;
  /** Whether the response has content of records that the log of changes does not have as the caller's doing. */
  readonly shown?: boolean;
  readonly code?: string;
  readonly faults?: readonly Fault[];
  /** The results of its rows, for a bulk request. */
  readonly rows?: RowSummary | undefined;
}

/** The query string as it arrived, without its question mark. */
export function queryOf(request: FastifyRequest): string {
  const start = request.url.indexOf('?');
  return start < 0 ? '' : request.url.slice(start + 1);
}

/** The value of a cookie, from the `Cookie` header. */
export function cookieNamed(name: string, cookie = ''): string | undefined {
  for (const pair of cookie.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** The path as it arrived, without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** When it is looked again whether a caller is there: soon for those nearby, and then as often as this. */
const FIRST_LOOK_MS = 50;
const LOOK_MS = 1_000;

/** Aborted when the caller goes away before the answer is sent. */
export function goneSignal({ raw, request }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const { socket, httpVersion } = request.raw;
  let next: NodeJS.Timeout | undefined;
  // A client that has ended its side may still read, or be gone. If it is gone, its system refuses what is written, and
  // the write after that fails. Every client of HTTP/1.1 passes over such answers (RFC 9110, section 15.2).
  const look = (waitMs = FIRST_LOOK_MS): void => {
    if (httpVersion !== '1.1' || raw.headersSent) return;
    raw.writeContinue();
    next = setTimeout(look, waitMs, LOOK_MS).unref();
  };
  const ended = (): void => look();
  if (socket.readableEnded) look();
  else socket.once('end', ended);
  raw.once('close', () => {
    socket.off('end', ended);
    clearTimeout(next);
    // No answer reaches the caller: the error is for the log of requests.
    if (!raw.writableFinished) gone.abort(new ApiError('request_timeout'));
  });
  return gone.signal;
}

/** Whether the client has ended its side of the connection: it sends nothing more, and may still read. */
export function hasEnded({ raw }: FastifyRequest): boolean {
  return raw.socket.readableEnded;
}

/** Notes it if the client goes before the answer has ended. */
export function watchForCut(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) request.server.noteCut(request, reply);
  });
}

/** The principal of a route that is not open. */
export function callerOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new TypeError('Only open routes have no principal.');
  return request.principal;
}
