/** The log of changes: `api.changes`. */
import { ConnectionError } from './error.ts';
import type { Change, ChangedRecords, ChangeListParams } from './generated/changes.d.ts';
import { isPassing } from './retry.ts';
import { requirePlain } from './said.ts';
import type { Send } from './send.ts';
import type { RequestOptions } from './settings.ts';
import { wait } from './wait.ts';

export interface ChangePage<T> {
  readonly data: readonly T[];
  /** Whether there is more to read already. */
  readonly has_more: boolean;
  /** Send it as `starting_after` next, even if `data` is empty; null for an empty log. */
  readonly position: string | null;
}

export interface ChangeExpand<E> {
  /** `record`: the record as it is now, as `record_now`. */
  readonly expand?: readonly E[] | undefined;
}

/** A change, and what `expand` adds to it: `resource` tells which record `record_now` is. */
export type ListedChange<E> = 'record' extends E
  ? { [Resource in keyof ChangedRecords]: WithRecord<Resource> }[keyof ChangedRecords]
  : Omit<Change, 'record_now'>;

interface WithRecord<Resource extends keyof ChangedRecords>
  extends Omit<Change, 'resource' | 'record_now'> {
  resource: Resource;
  /** The record as it is now; null where it is not there any more. */
  record_now: ChangedRecords[Resource] | null;
}

/** How long the service keeps a request that has nothing to be told. */
const WAIT_SECONDS = 30;
/** Between two looks at a log that is empty. */
const EMPTY_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Beside a `wait`, for the answer to arrive. */
const ANSWER_MS = 30_000;

/** Changes, from the page asked for to the last one. Each iteration starts again from there. */
export class ChangePages<T> implements AsyncIterable<ChangePage<T>> {
  readonly #load: (position?: string) => Promise<ChangePage<T>>;

  constructor(load: (position?: string) => Promise<ChangePage<T>>) {
    this.#load = load;
  }

  /** The page that was asked for, alone. */
  page(): Promise<ChangePage<T>> {
    return this.#load();
  }

  /** Page after page: store the `position` of each together with what you made of it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ChangePage<T>, void, undefined> {
    for (let page = await this.#load(); ; ) {
      yield page;
      if (!page.has_more || page.position === null) return;
      page = await this.#load(page.position);
    }
  }
}

export class Changes {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Pages of changes after `starting_after`, in order. */
  list<const E extends 'record' = never>(
    params: ChangeListParams & ChangeExpand<E> = {},
    options: RequestOptions = {},
  ): ChangePages<ListedChange<E>> {
    const timeout = params.wait ? params.wait * 1000 + ANSWER_MS : undefined;
    return new ChangePages((position) => {
      const query = position === undefined ? params : { ...params, starting_after: position };
      return this.#send({
        method: 'GET',
        path: '/v1/changes',
        query,
        timeout,
        options,
      }) as Promise<ChangePage<ListedChange<E>>>;
    });
  }

  /**
   * Follows changes from now on, or after `starting_after`, without end. A page comes as soon as there is a change;
   * if the service cannot be reached, the request is repeated until it answers; before the first answer, what does not pass
   * by itself is thrown. Store the `position` of each page together
   * with what you made of it. Stop with `break` or with the `signal`. Throws `changes_expired` or `changes_rewound` if the
   * log does not go on from there: then copy everything again.
   */
  async *follow<const E extends 'record' = never>(
    params: Omit<ChangeListParams, 'wait'> & ChangeExpand<E> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<ChangePage<ListedChange<E>>, void, undefined> {
    requirePlain(params, 'The query');
    let starting_after = params.starting_after ?? 'now';
    let hasAnswered = false;
    for (let failures = 0; ; ) {
      try {
        const query = {
          ...params,
          starting_after,
          wait: starting_after === 'now' ? 0 : WAIT_SECONDS,
        };
        const page = await this.list<E>(query, options).page();
        failures = 0;
        hasAnswered = true;
        starting_after = page.position ?? starting_after;
        if (page.data.length > 0) yield page;
        else if (page.position === null) await wait(EMPTY_MS, options.signal);
      } catch (error) {
        // Without a network, a name is as unknown as one that does not exist.
        const isAway = hasAnswered && error instanceof ConnectionError;
        if (!isAway && !isPassing(error)) throw error;
        failures += 1;
        await wait(Math.min(1000 * 2 ** failures, LONGEST_PAUSE_MS), options.signal);
      }
    }
  }
}
