/** Statements that go to the server as one message, and are one transaction there. */
import { type Connection, Query } from 'pg';
import { type Bound, messages } from './messages.ts';

/** The rows of one statement, each value as the server writes it. */
export type Texts = readonly (readonly (string | null)[])[];

/**
 * What is sent between two `Sync` messages is one transaction, and the answer to
 * the second one says that it was committed (PostgreSQL's protocol, extended
 * query). The driver sends one after each statement; this sends one for all, and
 * everything by one write. The statements must be prepared, by their names.
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
