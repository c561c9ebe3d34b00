/** Where work in accounts is done: on one server all lie together; a cluster has each at one of its servers. */
import type { Call, Session } from '../wire/session.ts';
import type { Sessions } from '../wire/sessions.ts';

/** Sessions for some work. */
export type Work = Pick<Sessions, 'use' | 'rows'>;

/**
 * The kinds of work: `read` reads committed data, `turns` works in turns of accounts, `drafts` commits drafts, and
 * `shared` commits drafts of accounts that must be at one server: it throws `Moved` if they are not. All but `read` do
 * nothing if an account no longer exists.
 */
export type Access = 'read' | 'locked' | 'drafts' | 'shared';

export interface Placements {
  /** Whether all accounts are on one server, so that each transaction may see everything. */
  readonly together: boolean;
  /** The server of some accounts; where they are at several, one whose statements reach all of them. */
  at(accounts: Iterable<string>, access: Access): Work;
  /**
   * Reads at each of the servers of some accounts, which it gives to `read` with those that are there. Where one is out
   * of reach, what others have read may be `enough`.
   */
  each<T>(
    accounts: Iterable<string>,
    read: (session: Session, own: readonly string[]) => Promise<T>,
    enough?: (done: readonly T[]) => boolean,
  ): Promise<readonly T[]>;
  /** A read of what each server has itself: it waits for no other server, and not behind what asks several. */
  alone<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** One read, at the server that its text says: whichever, that of its account, or one that asks all. */
  read<Row extends readonly unknown[]>(wanted: Call<Row>): Promise<readonly Row[]>;
  /** Finds the server of an account, also of one that is not made yet. */
  locate(account: string): Promise<string>;
  /** Names the server of an account. Drafts of accounts at one server may share a commit; `undefined`: not yet known. */
  serverOf(account: string): string | undefined;
  /** From now on an account is looked up before it is worked in: it may not be where it was. */
  doubt(accounts: Iterable<string>): void;
  close(): Promise<void>;
}

/** `writer` has the sessions that commit drafts. */
export function onOneServer(sessions: Sessions, writer: Sessions): Placements {
  return {
    together: true,
    at: (_, access) => (access === 'read' || access === 'locked' ? sessions : writer),
    each: async (accounts, read) => [await sessions.use((session) => read(session, [...accounts]))],
    alone: (work) => sessions.use(work),
    read: (wanted) => sessions.rows(wanted),
    locate: async () => '',
    serverOf: () => '',
    doubt: () => undefined,
    close: () => writer.close(),
  };
}
