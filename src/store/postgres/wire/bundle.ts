/** Statements that go to the server as one message: a whole transaction. */
import { type Connection, Query } from 'pg';
import { type Bound, messages } from './messages.ts';

/** The rows of one statement, each value as the server writes it. */
export type Texts = readonly (readonly (string | null)[])[];

/**
 * The driver sends a `Sync` after each statement and parses each by itself; this
 * sends one for all, and everything by one write. The first statement begins a
 * transaction and the last one commits it: what several servers or a pooler make
 * of messages without `BEGIN` differs.
 */
export class Bundle extends Query {
  readonly #bound: readonly Bound[];
  readonly #answer = Promise.withResolvers<readonly Texts[]>();
  readonly #results: Texts[] = [];
  #rows: (readonly (string | null)[])[] = [];

  constructor(bound: readonly Bound[]) {
    super('');
    this.#bound = bound;
  }

  /** The rows of each statement, when all of it is committed. Rejects as the driver's own queries do. */
  get answer(): Promise<readonly Texts[]> {
    return this.#answer.promise;
  }

  override submit = (connection: Connection): void => {
    if (connection.stream.writable) connection.stream.write(messages(this.#bound));
  };

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {
    this.#results.push(this.#rows);
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.#answer.resolve(this.#results);
  }

  handleError(error: Error): void {
    this.#answer.reject(error);
  }
}
