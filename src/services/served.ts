/** The parts that features give to the program that serves. */
import type { EachAccounts } from '../core/each-account.ts';
import type { StoredKey } from '../core/objects/api-key.ts';
import type { Log } from '../core/observe/log.ts';
import type { Metrics } from '../core/observe/metrics/metrics.ts';
import type { Outbound } from '../core/outbound/outbound.ts';
import type { BackgroundPace } from '../core/pace.ts';
import type { Resource } from '../core/schema/define.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import type { Principal } from '../records/auth/principal.ts';
import type { Regions } from '../records/auth/region.ts';
import type { Feed } from '../records/changes/feed.ts';
import type { ErasureNote } from '../store/books/erasing/notes.ts';
import type { Store } from '../store/promises/store.ts';
import type { Follower } from './followers.ts';
import type { JobSubject, Jobs } from './jobs.ts';
import type { Task } from './upkeep.ts';

export interface ServeParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  /** The time that is believed, by which stored times are judged. */
  readonly now: () => number;
  /** The clock of the machine, for what others compare with theirs; by default the same. */
  readonly machine?: () => number;
  /** Whether there is a key to know removed records by. */
  readonly isKeyed?: boolean;
  /** Encrypts secrets. */
  readonly sealer?: Sealer | undefined;
  readonly outbound?: Outbound;
  /** Whether the clock can be trusted for removing what is old. */
  readonly trustsClock?: () => Promise<boolean>;
  /** Whether the clock is believed, so that a stored time beyond what can be set now is known to be wrong. */
  readonly knowsTime?: () => boolean;
  readonly pace?: BackgroundPace;
  readonly figure?: Metrics['figure'] | undefined;
  /** Makes what goes through accounts in the background. */
  readonly each?: EachAccounts;
  /** Watches of tests of webhook endpoints, to which features add theirs. */
  readonly tests?: TestWatch[];
}

/** Is told the status of a test before its caller; `forge` sends one that is signed wrongly, and gives its status. */
type TestWatch = (
  caller: Principal,
  status: number | null,
  forge: () => Promise<number | null>,
) => Promise<void>;

/** Parts for a feature that works on its own while others are served. */
export interface Serving extends Pick<Required<ServeParts>, 'pace'> {
  readonly regions: Regions;
  readonly feed: Pick<Feed, 'next' | 'reached'>;
  readonly log: Log;
  readonly notified: Metrics['notified'] | undefined;
}

export interface Served {
  readonly service: object;
  /** Follows the log of changes. */
  readonly follows?: Follower;
  /** Runs while the clock can be trusted. */
  readonly upkeep?: readonly Task[];
  /** Done by the first of several processes on a machine. */
  readonly jobs?: readonly Pick<Jobs<JobSubject>, 'close' | 'kind' | 'resume' | 'watched'>[];
  /** Who must be notified of erasures, beside API keys. */
  readonly consumers?: Consumers;
  readonly files?: FilesKept;
  /** Finds what works by one of these keys, and stops when it ends. */
  readonly usesOf?: (keys: readonly StoredKey[]) => Promise<readonly KeyUse[]>;
  readonly start?: (serving: Serving) => void;
  readonly close?: () => Promise<void>;
}

interface KeyUse {
  readonly key: string;
  readonly unique_identifier: string;
}

/** Consumers of the changes of accounts, which may have copies of what is erased. */
export interface Consumers {
  /** Begins their unique identifiers. */
  readonly prefix: string;
  /** The unique identifiers of those that may have received records of these resources. */
  of(account: string, resources: ReadonlySet<string>): Promise<readonly string[]>;
  /** Returns `undefined` if it does not receive the erased records. */
  standing(note: ErasureNote): Promise<ConsumerState | undefined>;
}

export type ConsumerState = Pick<ErasureNote, 'state' | 'last_at'>;

/** Files of people, or parts of them, that are kept for a while: erasures look there, too. */
export interface FilesKept {
  /** Counts files and the rows in them that mention somebody; removes those rows only with `cuts`. */
  rows(
    account: string,
    mentions: (text: string) => boolean,
    how: { readonly cuts: boolean },
  ): Promise<{ readonly files: number; readonly rows: number }>;
  /** The unique identifiers of what is named after somebody. */
  named(account: string, mentions: (text: string) => boolean): Promise<readonly string[]>;
}
