/** Remembers the records that rows name. The first of differing rows wins; a sync counts each record as seen. */
import { crc32 } from 'node:zlib';
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError } from '../../core/errors.ts';
import { numberOf } from '../../core/number-of.ts';
import type { Condition, Dated } from '../../store/promises/records.ts';
import type { Draft } from '../../store/promises/store.ts';
import { textOf } from '../../store/records/content.ts';

/** The most rows remembered over all requests; older rows are not compared. */
const REMEMBERED = 200_000;

export interface SeenRecord {
  /** The parent; left out if the row could not be read. */
  readonly parent?: string;
  readonly external_identifier: string;
  /** A checksum of the row's content; `null` if the row is not valid. */
  readonly content: number | null;
}

export interface Sighted {
  /** When the data of its rows was taken; left out: they are of now. */
  readonly dated?: Dated | undefined;
  /** Returns the refusal of a draft if its record is at a place outside the sync. */
  refusal(draft: Draft): ApiError | undefined;
  /**
   * Marks the rows' records as seen, on disk when this resolves. Returns for each row whether it differs from the first
   * row of its record. Later rows are not compared with those of a dry run. Throws `sync_ended`.
   */
  see(
    records: readonly SeenRecord[],
    how?: { readonly dry_run: boolean },
  ): Promise<readonly boolean[]>;
  /** Lets others differ from these rows, because they were refused. */
  disclaim(drafts: readonly Draft[]): Promise<void>;
  /** Called with the error of a row that was refused, and does not say which record it is. */
  readonly unnamed?: (error: Error) => void;
  /** Returns the caller's identifier in a body or a row that could not be read. */
  identifierIn(body: Uint8Array): string | undefined;
}

export function seenRecord(draft: Draft): SeenRecord {
  const { parent, external_identifier } = draft;
  return { parent, external_identifier, content: crc32(textOf(draft)) };
}

/** The conditions of a row, which may be of a sync that says when its data was taken. */
export function conditionOf(
  sync: Pick<Sighted, 'dated'> | undefined,
  only: Condition | undefined,
): Condition | undefined {
  return sync?.dated === undefined ? only : { ...only, dated: sync.dated };
}

export function repeatedRow(): ApiError {
  return new ApiError('row_repeated', { param: 'external_identifier' });
}

/** The rows of one request. */
export type OwnRows = ReturnType<ReturnType<typeof createRowMemory>>;

/** Remembers the last rows of requests: call the result for each request. */
export function createRowMemory() {
  const contents = new BoundedMap<number, number>(REMEMBERED);
  let requests = 0;
  return () => {
    requests += 1;
    const request = requests;
    const keyOf = ({ parent, external_identifier }: Draft) =>
      numberOf(`${request}\0${parent}\0${external_identifier}`);
    return {
      /** Returns whether a draft differs from the first one of its record. */
      differs(draft: Draft): boolean {
        const content = crc32(textOf(draft));
        return contents.getOrInsertComputed(keyOf(draft), () => content) !== content;
      },
      disclaim(drafts: readonly Draft[]): void {
        for (const draft of drafts) contents.delete(keyOf(draft));
      },
    };
  };
}
