/** The book of jobs, over the tables of a store. The clock of the store decides whether a process may still work. */
import { type Job, job } from '../../../core/objects/transfer/job.ts';
import { isFree } from '../../believed-time.ts';
import { Book } from '../book.ts';
import { rowReader, selected } from '../rows/own-rows.ts';
import { statements } from '../tables.ts';

/** How long a process may be silent before another one goes on. */
export const LEASE_MS = 15_000;
/** After that, one that nobody takes over is not to be done any more. */
const ABANDONED_MS = 3_600_000;

export type Lease = Pick<Job, 'account' | 'kind' | 'object' | 'owner'>;

const toJob = rowReader(job);
const OWN = 'account = $1 AND kind = $2 AND object = $3 AND owner = $4';

export const sql = statements({
  take: ({ now }) => `INSERT INTO job (account, kind, object, owner, until, began_at, progressed_at)
    VALUES ($1, $2, $3, $4, ${now} + ${LEASE_MS}, ${now}, ${now})
    ON CONFLICT (account, kind, object) DO UPDATE SET owner = excluded.owner, until = excluded.until
    WHERE ${isFree('job.until', 'excluded.began_at', LEASE_MS)}`,
  renew: ({ now }) => `UPDATE job SET until = ${now} + ${LEASE_MS} WHERE ${OWN}`,
  /** Citus takes no clock within CASE. */
  progress: ({ now }) => `UPDATE job SET until = ${now} + ${LEASE_MS}, progressed_at = ${now}
    WHERE ${OWN}`,
  note: 'UPDATE job SET counts = $4 WHERE account = $1 AND kind = $2 AND object = $3',
  release: `UPDATE job SET until = 0 WHERE ${OWN}`,
  end: `DELETE FROM job WHERE ${OWN}`,
  releaseAll: 'UPDATE job SET until = 0',
  purge: ({ now }) => `DELETE FROM job WHERE progressed_at < ${now} - ${ABANDONED_MS}
    AND until < ${now} - ${ABANDONED_MS}`,
  list: `SELECT ${selected(job)} FROM job ORDER BY began_at`,
  of: `SELECT ${selected(job)} FROM job WHERE account = $1 ORDER BY began_at`,
  summary: ({ now }) => `SELECT kind, count(*), max(${now} - progressed_at) FROM job GROUP BY kind`,
});

const named = ({ account, kind, object, owner }: Lease) => [account, kind, object, owner] as const;

export class JobBook extends Book {
  /** Takes a job for some seconds; `false` while a process has it. */
  readonly take = (lease: Lease) => this.did(sql.take, ...named(lease));

  /** Has it for some seconds more; `false` where another process has taken it. */
  readonly renew = (lease: Lease, pieces: number) =>
    this.did(pieces > 0 ? sql.progress : sql.renew, ...named(lease));

  /** Notes how many records it removes. */
  readonly note = (
    { account, kind, object }: Omit<Lease, 'owner'>,
    counts: Readonly<Record<string, number>>,
  ) => this.did(sql.note, account, kind, object, JSON.stringify(counts));

  readonly release = (lease: Lease) => this.did(sql.release, ...named(lease));

  /** Releases all jobs, where no other process works. */
  readonly releaseAll = () => this.did(sql.releaseAll);

  readonly end = (lease: Lease) => this.did(sql.end, ...named(lease));

  /** The oldest first. */
  readonly list = () => this.all(toJob, sql.list);

  /** Jobs of an account. */
  readonly of = (account: string) => this.all(toJob, sql.of, account);

  /** Counts jobs of each kind, and for how many milliseconds one has come no further. */
  readonly summary = () =>
    this.tables.rows<readonly [kind: string, count: number, ms: number]>(sql.summary);

  /** Forgets those that are not to be done any more; there are few. */
  async purge(): Promise<boolean> {
    await this.tables.change(sql.purge);
    return false;
  }
}
