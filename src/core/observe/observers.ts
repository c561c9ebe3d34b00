/** Observers to which the rooms report their work, so that rooms and metrics need not know each other. */
import type { ReadFigures } from './metrics/figures.ts';
import type { Timing } from './timing.ts';

/** The outcome of a request, as far as it is known. */
export interface RequestOutcome {
  readonly unique_identifier?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly rows?: { readonly counts: ReadonlyMap<string, number> } | undefined;
}

/** The parts of an answer that metrics and the log need. */
export type ObservedReply = Readonly<Record<'statusCode' | 'elapsedTime', number>>;

/** A request as its metrics need it. `undefined` means not known when it was answered. */
export interface CountedRequest {
  readonly route: {
    readonly config?:
      | { readonly needs?: { readonly resource: { readonly name: string } } | undefined }
      | undefined;
  };
  readonly timing: Timing | undefined;
  readonly delayedMs?: number | undefined;
  readonly done: RequestOutcome | undefined;
}

export interface RequestObserver {
  requestAnswered(request: CountedRequest, reply: ObservedReply): void;
  /** Bytes that are not a request were answered with an error. */
  refused(code: string, status: number): void;
}

/** Observers of the parts of the service. */
export interface Observer {
  /** Says how figures are read, at each scrape. */
  show(figures: ReadFigures): void;
  /** How many drafts the store was given at once, reported when it is done with them, committed or not. */
  committed(drafts: number, durationMs: number): void;
  checkpointed(durationMs: number): void;
  connectionRefused(reason: string): void;
  authenticationFailed(): void;
  signedIn(method: string, outcome: string): void;
  notified(endpoint: string, outcome: string): void;
  /** Background work goes through accounts: its failures are counted from now on. */
  accountsWatched(work: string): void;
  /** Background work failed for one account. */
  accountFailed(work: string): void;
}

/** The network address that a person comes from, and the accounts that it concerns. */
export interface StaffPlace {
  readonly address: string | undefined;
  readonly accounts: readonly string[];
}

export interface SignInObserver {
  /** A sign-in attempt by that method from that address; `people` are who it may be, as far as known; `reason`: why it failed, for the operator. */
  signedIn(
    method: string,
    outcome: 'succeeded' | 'failed' | 'limited',
    people: readonly (
      | { readonly unique_identifier: string; readonly accounts: readonly string[] }
      | undefined
    )[],
    address?: string,
    reason?: string,
  ): void;
}

export interface StaffObserver extends SignInObserver {
  /** A key or a person's rights were changed: by whom, and which or whose. */
  administered(what: string, by: string, target: string, where?: StaffPlace): void;
}
