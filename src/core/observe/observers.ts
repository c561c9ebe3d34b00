/** Observers to which the rooms report their work, so that rooms and metrics need not know each other. */
import type { ReadFigures } from './metrics/figures.ts';
import type { Timing } from './timing.ts';

/** A request as its metrics need it. `undefined` means not known when it was answered. */
export interface CountedRequest {
  readonly route: {
    readonly config?:
      | { readonly needs?: { readonly resource: { readonly name: string } } | undefined }
      | undefined;
  };
  readonly timing: Timing | undefined;
  /** How long the response was delayed, if it was. */
  readonly heldMs?: number | undefined;
  readonly done:
    | {
        readonly outcome?: string;
        readonly code?: string;
        /** The counts of a bulk request, by outcome or code. */
        readonly rows?: { readonly counts: ReadonlyMap<string, number> } | undefined;
      }
    | undefined;
}

export interface RequestObserver {
  requestAnswered(
    request: CountedRequest,
    reply: { readonly statusCode: number; readonly elapsedTime: number },
  ): void;
  /** Bytes that are not a request were answered with an error. */
  refused(code: string, status: number): void;
}

/** What the rooms report. */
export interface Observer {
  /** Says how figures are read, at each scrape. */
  show(figures: ReadFigures): void;
  /** How many drafts the store was given at once, reported when it is done with them, committed or not. */
  committed(drafts: number, durationMs: number): void;
  /** A piece of the log was moved into the records. */
  checkpointed(durationMs: number): void;
  /** A retention rule has removed a record of that resource. */
  aged(resource: string): void;
  /** A connection was refused, or closed to make room. */
  connectionRefused(reason: string): void;
  authenticationFailed(): void;
  signedIn(method: string, outcome: string): void;
  /** A notification of a webhook was tried. */
  notified(endpoint: string, outcome: string): void;
}

/** About the continuous backup folder. */
export interface MomentsNotices {
  /** Nothing is written; reported when it begins, and now and then while it lasts. */
  failed(folder: string, why: string): void;
  /** It is written again. */
  resumed(folder: string): void;
  /** A whole backup was written, leaving out this many changes that are damaged in the store. */
  wrote(file: string, bytes: number, left_out: number): void;
}

/** About the journal of erasures. */
export interface JournalNotices {
  /** A copy cannot be read, written or trusted; reported when it begins, and now and then while it lasts. */
  failed(why: string): void;
  resumed(path: string): void;
  /** The store was set back: that many lines said what it had to erase again, or allow. */
  applied(lines: number): void;
  /** The last line of a copy was cut off, and is dropped: what it said was never reported as done. */
  cut(path: string): void;
}

/** Notices for the operator about the place of a store. */
export interface StoreNotices {
  /** No store was found, and a new one was made. */
  made(place: string): void;
  /** The path no longer leads to the open file: requests are refused until it does. */
  lost(path: string): void;
  found(): void;
  /** A change of that account cannot be read: what is stored of it is not what was written. */
  damaged(change: string, account: string): void;
  /** The store is read and not written to, for that reason. */
  readOnly(why: string): void;
}

/** The facts about the TLS certificate that an operator needs. */
export interface TlsNotices {
  /** A certificate is in use from now on, which ends at that time (milliseconds since 1970). */
  certificateRead(until: number): void;
  /** The files do not fit, for that reason: the certificate before goes on. */
  certificateRefused(reason: string): void;
}

/** The network address that a person comes from, and the accounts that it concerns. */
export interface StaffPlace {
  readonly address: string | undefined;
  readonly accounts: readonly string[];
}

export interface SignInObserver {
  /** A sign-in attempt by that method; `staff` is who, where that is known. */
  signedIn(
    method: string,
    outcome: 'succeeded' | 'failed' | 'limited',
    staff?: string,
    where?: StaffPlace,
  ): void;
}

export interface StaffObserver extends SignInObserver {
  /** A key or a person's rights were changed: by whom, and which or whose. */
  administered(what: string, by: string, target: string, where?: StaffPlace): void;
}
