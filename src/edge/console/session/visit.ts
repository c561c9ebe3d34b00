/** One request of the console: the person, the site, and the session in its answer. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import type { ClientAddressOf } from '../../../core/network/client-address.ts';
import type { Members } from '../../../core/schema/fields/members.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import { rememberBrowser } from '../../../services/staff/known-browsers.ts';
import type { PasskeyRequest } from '../../../services/staff/passkeys.ts';
import type { StaffService } from '../../../services/staff/service.ts';
import type { Newcomer } from '../../../services/staff/sign-in.ts';
import type { BackupBook } from '../../../store/books/backups.ts';
import type { StaffMember } from '../../../store/promises/staff.ts';
import { networksOf } from '../../limits/address.ts';
import type { None, OperationCall, Runnable, Values } from '../../operations/operation.ts';
import type { Site, SiteOf } from '../site.ts';
import { presentSession } from '../views.ts';
import { type CookieName, cookieIn, setCookie, YEAR_S } from './cookie.ts';

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

export class Visit {
  readonly service: StaffService;
  readonly backups: ConsoleParts['backups'];
  readonly #parts: ConsoleParts;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(parts: ConsoleParts, request: FastifyRequest, reply: FastifyReply) {
    this.service = parts.service;
    this.backups = parts.backups;
    this.#parts = parts;
    this.#request = request;
    this.#reply = reply;
  }

  get person() {
    return personOf(this.#request);
  }

  get member(): StaffMember {
    return this.person.member;
  }

  /** Throws `sign_in_insecure`. */
  get site(): Site {
    return this.#parts.siteOf(this.#request);
  }

  /** Throws as `site` does. */
  get newcomer(): Newcomer {
    const { raw } = this.#request;
    const address = this.#parts.clientAddressOf(raw);
    return {
      ...networksOf(address),
      address,
      browser: raw.headers['user-agent'],
      token: this.cookie('session'),
      kept: this.cookie('browser'),
    };
  }

  cookie(which: CookieName): string | undefined {
    return cookieIn(this.#request.headers.cookie, which, this.site);
  }

  /** Notes what an administrator has done with that key or person. */
  administered(
    what: string,
    {
      unique_identifier,
      accounts,
    }: { readonly unique_identifier: string; readonly accounts: readonly string[] },
  ): void {
    const { unique_identifier: by } = this.member;
    const { address } = this.newcomer;
    this.service.observer.administered(what, by, unique_identifier, { address, accounts });
  }

  /** Has the browser store the session that a token opens, and answers with it. */
  async signedIn(token: string): Promise<object> {
    const principal = await this.service.sessions.authenticate(token, false);
    const keeps =
      principal.person && rememberBrowser(this.cookie('browser'), principal.person.member);
    this.setCookie('session', token);
    if (keeps !== undefined) this.setCookie('browser', keeps, YEAR_S);
    return this.session(principal);
  }

  async session(principal: Principal): Promise<object> {
    const { person, scope } = principal;
    if (person === undefined) throw new ApiError('sign_in_needed');
    const accounts = await this.service.accountsAmong(scope.accounts);
    return presentSession(principal, person, accounts, this.service.now());
  }

  setCookie(which: CookieName, value: string, seconds?: number): void {
    setCookie(this.#reply, this.site, which, value, seconds);
  }
}

/** The options for the browser. */
export function presentCeremony({ ceremony, options }: PasskeyRequest): object {
  return { object: 'ceremony', ceremony, options };
}
