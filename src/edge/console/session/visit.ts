/** One request of the console: the person, the site, and the session in its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import type { ClientAddressOf } from '../../../core/network/client-address.ts';
import { networksOf } from '../../../core/network/networks.ts';
import type { Members } from '../../../core/schema/fields/members.ts';
import { presentTime } from '../../../core/schema/present/present.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import { rememberBrowser } from '../../../services/staff/guessing.ts';
import type { PasskeyRequest } from '../../../services/staff/passkeys.ts';
import type { StaffService } from '../../../services/staff/service.ts';
import { endOf, IDLE_MS, RECENT_MS } from '../../../services/staff/sessions.ts';
import type { Newcomer } from '../../../services/staff/sign-in.ts';
import type { BackupBook } from '../../../store/books/backups.ts';
import type { StaffMember } from '../../../store/promises/staff.ts';
import type { None, OperationCall, Runnable, Values } from '../../operations/operation.ts';
import { cookieNamed } from '../../request/request.ts';
import { presentStaff } from '../members.ts';
import type { Site, SiteOf } from '../site.ts';
import type { Administration } from './administrator.ts';

const COOKIES = {
  session: { name: 'ledgerstone_session', sameSite: 'Strict' },
  /** Binds a sign-in at a provider to the browser that began it, which comes back from another site. */
  binder: { name: 'ledgerstone_sign_in', sameSite: 'Lax' },
  /** With it a browser remembers sign-ins. */
  browser: { name: 'ledgerstone_browser', sameSite: 'Strict' },
} as const;
type CookieName = keyof typeof COOKIES;
type Secured = Pick<Site, 'secure'>;

/** Browsers take such a name only over HTTPS, from this host, for all of its paths: no other site and no intermediary can set it. */
const SECURE = '__Host-';
const YEAR_S = 365 * 24 * 60 * 60;

export interface ConsoleParts {
  readonly service: StaffService;
  readonly siteOf: SiteOf;
  readonly clientAddressOf: ClientAddressOf;
  readonly backups: Pick<BackupBook, 'last'>;
}

/** An operation that only people have, or those who are about to sign in. */
export type ConsoleOperation = Runnable<Visit>;

/** An operation whose `run` gets values of the types that `body` declares. */
export function consoleOperation<Body extends Members = None>(
  declared: Omit<ConsoleOperation, 'body' | 'run'> & {
    readonly body?: Body;
    readonly run?: (
      visit: Visit,
      call: OperationCall<Values<None, Body>>,
    ) => object | Promise<object>;
  },
): ConsoleOperation {
  const empty = declared.route.startsWith('POST ') ? { body: {} } : {};
  // `params` reads by these very members.
  return { ...empty, ...declared } as unknown as ConsoleOperation;
}

/** Who is signed in. Throws `sign_in_needed`. */
export function personOf({ principal }: FastifyRequest): NonNullable<Principal['person']> {
  if (principal?.person === undefined) throw new ApiError('sign_in_needed');
  return principal.person;
}

export type Visit = ReturnType<typeof createVisit>;

export function createVisit(parts: ConsoleParts, request: FastifyRequest, reply: FastifyReply) {
  const { service, backups } = parts;
  const cookie = (which: CookieName) => cookieIn(request.headers.cookie, which, visit.site);
  const visit = {
    service,
    backups,
    cookie,
    get person() {
      return personOf(request);
    },
    get member(): StaffMember {
      return visit.person.member;
    },
    /** Throws `sign_in_insecure`. */
    get site(): Site {
      return parts.siteOf(request);
    },
    /** Throws as `site` does. */
    get newcomer(): Newcomer {
      const address = parts.clientAddressOf(request.raw);
      return {
        ...networksOf(address),
        address,
        browser: request.raw.headers['user-agent'],
        token: cookie('session'),
        cookie: cookie('browser'),
      };
    },
    /** Notes what an administrator has done with that key or person. */
    administered: ((what, { unique_identifier, accounts }) => {
      const { address } = visit.newcomer;
      const by = visit.member.unique_identifier;
      service.observer.administered(what, by, unique_identifier, { address, accounts });
    }) satisfies Administration['administered'],
    /** Has the browser store the session that a token opens, and answers with it. */
    async signedIn(token: string): Promise<object> {
      const principal = await service.authenticate(token, false);
      const keeps = principal.person && rememberBrowser(cookie('browser'), principal.person.member);
      visit.setCookie('session', token);
      if (keeps !== undefined) visit.setCookie('browser', keeps, YEAR_S);
      return visit.session(principal);
    },
    /** The signed-in person, as the page needs them. */
    async session({ person, scope, permissions, allow }: Principal): Promise<object> {
      if (person === undefined) throw new ApiError('sign_in_needed');
      const { member, session } = person;
      const accounts = await service.accountsAmong(scope.accounts);
      return {
        object: 'console_session',
        unique_identifier: session.unique_identifier,
        method: session.method,
        signed_in_at: presentTime(session.inserted_at),
        recent_until: presentTime(session.proved_at + RECENT_MS),
        idle_after_seconds: IDLE_MS / 1000,
        ends_at: presentTime(endOf(session)),
        staff: presentStaff(member, service.now()),
        accounts: accounts
          .filter(({ unique_identifier }) => scope.accounts.has(unique_identifier))
          .map(({ unique_identifier, name, livemode }) => ({ unique_identifier, name, livemode })),
        locations: member.anchors,
        permissions,
        allow: [...allow],
        may_administer: member.role === 'administrator',
      };
    },
    /** Without an age the browser forgets it when it is closed; the session itself ends by the clock here. */
    setCookie(which: CookieName, value: string, seconds?: number): void {
      const { site } = visit;
      const where = site.secure ? 'Path=/; Secure' : 'Path=/console';
      const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
      const how = `${where}; HttpOnly; SameSite=${COOKIES[which].sameSite}${age}`;
      reply.header('Set-Cookie', `${nameOf(which, site)}=${value}; ${how}`);
    },
  };
  return visit;
}

export function presentCeremony({ ceremony, options }: PasskeyRequest): object {
  return { object: 'ceremony', ceremony, options };
}

/** The value from the `Cookie` header; over HTTPS only one that was set over HTTPS. */
export function cookieIn(cookie: string | undefined, which: CookieName, site: Secured) {
  return cookieNamed(nameOf(which, site), cookie);
}

function nameOf(which: CookieName, { secure }: Secured): string {
  return `${secure ? SECURE : ''}${COOKIES[which].name}`;
}
