/** Statements that go to the server as one message: a whole transaction. */
import { Buffer } from 'node:buffer';
import { type Connection, Query } from 'pg';
import { serialize } from 'pg-protocol/dist/serializer.js';

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
  /** The rows of each statement, when all of it is committed. Rejects as the driver's own queries do. */
  readonly answered = Promise.withResolvers<readonly Texts[]>();
  readonly #results: Texts[] = [];
  #rows: (readonly (string | null)[])[] = [];

  constructor(bound: readonly Bound[]) {
    super('');
    this.#bound = bound;
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
    this.answered.resolve(this.#results);
  }

  handleError(error: Error): void {
    this.answered.reject(error);
  }
}

/** A prepared statement with its values, as they go over the wire: texts, or bytes in the server's binary form. */
export interface Bound {
  readonly name: string;
  /** Its text, if the server has yet to prepare it. */
  readonly text?: string | undefined;
  readonly values: readonly (string | Buffer | null)[];
}

/**
 * A `Bind` and an `Execute` for each, with a `Parse` first if it is not prepared,
 * and one `Sync` at the end. The first is executed at once; the others when all
 * that they are to write is there: the server takes no lock while it waits for
 * the rest of a message, from a slow network or a process that was stopped.
 */
function messages([first, ...others]: readonly Bound[]): Buffer {
  if (first === undefined) return serialize.sync();
  return Buffer.concat([
    ...[first, ...others].flatMap(prepare),
    bind(first, ''),
    serialize.execute(),
    ...others.map((one, at) => bind(one, `p${at}`)),
    ...others.map((_, at) => serialize.execute({ portal: `p${at}` })),
    serialize.sync(),
  ]);
}

/** A message that failed half way may have left one of that name. Closing one that does not exist is not an error. */
function prepare({ name, text }: Bound): Buffer[] {
  if (text === undefined) return [];
  return [serialize.close({ type: 'S', name }), serialize.parse({ name, text })];
}

function bind({ name: statement, values }: Bound, portal: string): Buffer {
  return serialize.bind({ portal, statement, values: [...values] });
}
