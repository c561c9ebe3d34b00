/** Observers to which the rooms report their work, so that rooms and metrics need not know each other. */
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

export interface CommitObserver {
  /** To be called once: `count` returns how many drafts wait for a commit, whenever it is called. */
  queue(count: () => number): void;
  /** How many drafts the store was given at once, reported when it is done with them, committed or not. */
  committed(drafts: number, durationMs: number): void;
}

/** How many bytes a store takes: its records with their indexes, the log that is to go into them, and the index of search. */
export interface StoreSize {
  readonly records: number;
  readonly log: number;
  readonly search: number;
}

/** The state of the machine and the process, queried at each scrape. */
export interface MachineView {
  isReady(): Promise<boolean>;
  /** The space on each disk that it writes to, in bytes, as far as it is known. */
  disks(): Promise<ReadonlyMap<string, { readonly free: number; readonly size: number }>>;
  /** When the certificate in use ends, in milliseconds since 1970. */
  certificateUntil(): number | undefined;
}

export interface MachineObserver {
  /** To be called once. */
  watch(view: MachineView): void;
}

/**
 * For each continuous backup folder, how far it is behind the store and when its whole backup was taken; milliseconds.
 */
export type BackupFolders = () => Promise<
  ReadonlyMap<string, { readonly lag: number; readonly whole_at: number | null }>
>;

export interface StoreObserver {
  /** To be called once: `measure` returns the size whenever it is called. */
  size(measure: () => Promise<StoreSize>): void;
  /** To be called once: `last` returns which moment the last checked backup shows, in milliseconds since 1970. */
  backups(last: () => Promise<number | undefined>): void;
  /** To be called once. */
  moments(folders: BackupFolders): void;
  /** To be called once: `lag` returns for how many milliseconds a copy of the journal of erasures has been behind. */
  journal(lag: () => number): void;
  /** To be called once: `count` returns how many expected feeds are in each state. */
  expectations(count: () => Promise<ReadonlyMap<string, number>>): void;
  /** To be called once: `read` returns how many entries of the audit wait, and the last one that was written. */
  audit(
    read: () => {
      readonly unwritten: number;
      readonly head: { readonly time: number } | undefined;
    },
  ): void;
  /** To be called once: the resources that rules can be about; `count` returns how many rules there are, by status. */
  retention(resources: readonly string[], count: () => Promise<ReadonlyMap<string, number>>): void;
  /** A retention rule has removed a record of that resource. */
  aged(resource: string): void;
  /** To be called once: `count` returns how many holds last. */
  holds(count: () => Promise<number>): void;
  /** To be called once: `read` returns how many erasures have each status, and how many are overdue. */
  erasures(
    read: () => Promise<{
      readonly statuses: ReadonlyMap<string, number>;
      readonly overdue: number;
    }>,
  ): void;
  /** To be called once: `count` returns how often erased records were sent again. */
  sentAgain(count: () => Promise<number>): void;
  /** A piece of the log was moved into the records. */
  checkpointed(durationMs: number): void;
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

/** Who follows the log of changes at this moment. */
export interface FollowersNow {
  readonly count: number;
  /** When the oldest change was done that a follower has yet to receive (milliseconds since 1970), if there is any. */
  readonly since: number | undefined;
}

export interface LogFigures {
  /** Whose changes are stored. */
  readonly commits: number;
  /** When the oldest stored change was done. */
  readonly oldest_at: number | undefined;
}

export interface SearchFigures {
  /** Accounts whose index is being made. */
  readonly building: number;
  /** When the oldest change was done that is not in the index, if there is any. */
  readonly since: number | undefined;
}

export interface ChangeObserver {
  /** To be called once, and so are the others: these functions may be called at any time. */
  followers(read: () => FollowersNow): void;
  log(measure: () => Promise<LogFigures>): void;
  search(measure: () => Promise<SearchFigures>): void;
}

/** How webhooks are at this moment. */
export interface WebhooksNow {
  /** How many endpoints there are, by status. */
  readonly statuses: ReadonlyMap<string, number>;
  /** For each endpoint that this process delivers to, when the oldest change was done that it has yet to take. */
  readonly waiting: Iterable<readonly [endpoint: string, since: number | undefined]>;
}

export interface WebhookObserver {
  /** To be called once: the function may be called at any time. */
  endpoints(read: () => WebhooksNow): void;
  /** A notification was tried. */
  tried(endpoint: string, outcome: string): void;
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

export interface ConnectionObserver {
  /** To be called once: `count` returns how many connections there are, and on how many a key came. */
  connections(count: () => { readonly keyed: number; readonly keyless: number }): void;
  /** A connection was refused, or closed to make room. */
  connectionRefused(reason: string): void;
}

export interface FailureObserver {
  /** To be called once: `count` returns how many answers to failed authentications are being delayed. */
  delayed(count: () => number): void;
  /** An authentication failed. */
  failed(): void;
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
