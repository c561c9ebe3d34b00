/** One request of the console: the person, the site, and the session in its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import type { ClientAddressOf } from '../../../core/network/client-address.ts';
import { networksOf } from '../../../core/network/networks.ts';
import type { Members } from '../../../core/schema/fields/members.ts';
import { presentTime } from '../../../core/schema/present/present.ts';
import type { Credentials } from '../../../records/auth/authenticator.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import { rememberBrowser } from '../../../services/staff/guessing.ts';
import type { PasskeyRequest } from '../../../services/staff/passkeys.ts';
import type { StaffService } from '../../../services/staff/service.ts';
import { endOf, IDLE_MS, RECENT_MS } from '../../../services/staff/sessions.ts';
import type { Newcomer } from '../../../services/staff/sign-in.ts';
import { AWAY_MS } from '../../../services/staff/single-sign-on.ts';
import type { BackupBook } from '../../../store/books/backups.ts';
import type { StaffMember, StaffSession } from '../../../store/promises/staff.ts';
import type { None, OperationCall, Runnable, Values } from '../../operations/operation.ts';
import { cookieNamed } from '../../request/request.ts';
import { presentStaff } from '../members.ts';
import type { Site, SiteOf } from '../site.ts';
import type { Administration } from './administrator.ts';

const COOKIES = {
  session: { name: 'ledgerstone_session', sameSite: 'Strict' },
  /** That somebody has signed in in this browser; it is there when they come back from another site. */
  known: { name: 'ledgerstone_known_sign_in', sameSite: 'Lax' },
  /** That somebody has signed out whom a provider still knows: it is to ask the next person who they are. */
  out: { name: 'ledgerstone_signed_out', sameSite: 'Lax' },
  /** With it a browser remembers sign-ins. */
  browser: { name: 'ledgerstone_browser', sameSite: 'Strict' },
} as const;
type CookieName = keyof typeof COOKIES;

/** The header in which a page names its person, and an answer the person it is for. */
export const WHOSE_PAGE = 'ledgerstone-person';

/** The person whose page asks, as far as it says so: an image element does in its address. */
export function pageOf({ headers, url = '' }: Pick<Credentials, 'headers' | 'url'>) {
  const named = headers[WHOSE_PAGE]?.toString();
  if (named !== undefined || headers['sec-fetch-dest'] !== 'image') return named;
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('person') ?? undefined;
}
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
    /** The person whose page it is, as far as it says so. */
    page: pageOf(request.raw),
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
    /** Has the browser store the session that a token opens. */
    async enter(token: string): Promise<void> {
      visit.setCookie('session', token);
      const kept = await service.ceremonies.browser(cookie('known'));
      visit.setCookie('known', kept, YEAR_S);
      if (cookie('out') !== undefined) visit.setCookie('out', '', 0);
    },
    /** Has the browser forget the session that has ended. */
    leave({ method }: Pick<StaffSession, 'method'>): void {
      visit.setCookie('session', '', 0);
      if (method === 'single_sign_on') visit.setCookie('out', 'yes', YEAR_S);
    },
    /** Signs the person in, and answers with the session. */
    async signedIn(token: string): Promise<object> {
      const principal = await service.authenticate(token, { active: false });
      const keeps = principal.person && rememberBrowser(cookie('browser'), principal.person.member);
      await visit.enter(token);
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
      const { sameSite } = COOKIES[which];
      store(nameOf(which, visit.site), value, sameSite, seconds);
    },
    /** The cookie of a sign-in at a provider, each for itself: it comes back from another site. */
    errand: (name: string) => cookieNamed(errandName(name, visit.site), request.headers.cookie),
    /** Has the browser keep that, and forget the first ones where there are too many; empty, it is over. */
    keepErrand(name: string, kept: string): void {
      store(errandName(name, visit.site), kept, 'Lax', kept === '' ? 0 : AWAY_MS / 1000);
      const all = [...(request.headers.cookie ?? '').matchAll(ERRANDS)];
      let room = ERRANDS_LENGTH - kept.length;
      for (const [, own = '', value = ''] of all.toReversed()) {
        room -= value.length;
        if (room < 0) store(own, '', 'Lax', 0);
      }
    },
  };
  const store = (name: string, value: string, sameSite: 'Lax' | 'Strict', seconds?: number) => {
    const { site } = visit;
    const where = site.secure ? 'Path=/; Secure' : 'Path=/console';
    const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
    const how = `${where}; HttpOnly; SameSite=${sameSite}${age}`;
    reply.header('Set-Cookie', `${name}=${value}; ${how}`);
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

/** By the name of the request; a provider's answer finds its own. */
const errandName = (name: string, { secure }: Secured): string =>
  `${secure ? SECURE : ''}ledgerstone_${name}_sign_in`;
const ERRANDS = /(?:^|; )((?:__Host-)?ledgerstone_[\w-]{12}_sign_in)=([^;]*)/g;
/** Browsers send them with each request, whose headers may have 16 KiB. */
const ERRANDS_LENGTH = 6_000;

function nameOf(which: CookieName, { secure }: Secured): string {
  return `${secure ? SECURE : ''}${COOKIES[which].name}`;
}
