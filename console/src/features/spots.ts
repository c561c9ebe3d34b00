/** Where features show something on screens of others, and what each part of one is given. */
import type { ComponentType } from 'preact';
import type { DescribedResource } from '../records/description.ts';
import type { OfRecord } from '../records/records.ts';

interface OnToday {
  /** Another one whenever the screen was loaded again. */
  readonly page: object;
}

interface OnFeeds {
  /** Only locations of this one; `''`: all. */
  readonly region: string;
  readonly locationName: (id: string) => string;
}

interface OnList {
  readonly resource: DescribedResource;
  /** The filters and the order of the list, and where its page is. */
  readonly params: Readonly<Record<string, string>>;
  readonly isBusy: boolean;
  /** Keeps the menu busy meanwhile, and says what failed. */
  readonly during: (work: () => Promise<void>) => Promise<void>;
}

/** By what a file of a feature exports: `record.tsx`, `today.tsx`, `feeds.tsx`, `list.tsx`. */
export interface Spots {
  /** Above the fields of a record. */
  readonly RecordPanel: OfRecord;
  /** A line below the head of *Today*. */
  readonly TodayNote: OnToday;
  /** Above the panels of *Today*. It asks for what it shows at once, and shows it with them. */
  readonly TodayPanel: { readonly page: object | undefined };
  /** Below what each system has sent. */
  readonly FeedsPanel: OnFeeds;
  /** At the end of the feeds. */
  readonly FeedsFoot: OnFeeds;
  /** Ways to take a list away, in its menu. */
  readonly ListTakeAway: OnList;
}

export type InSpots = {
  readonly [Spot in keyof Spots]: readonly ComponentType<Spots[Spot]>[];
};

/** What keeps a record from being erased: `keeper.ts` of a feature exports it. */
export interface Keeper {
  /** The identifier of what keeps it begins so. */
  readonly prefix: string;
  readonly why: string;
  /** Whether that is why it was left, whatever else was said of it. */
  readonly isFirm: boolean;
  /** The name of the link that leads to it, for whoever has the right. */
  readonly name: string;
  readonly right: string;
  readonly hrefOf: (keeper: string, record: string) => string;
}
