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
  readonly #atOnce: number;
  /** The rows of each statement, when all of it is committed. Rejects as the driver's own queries do. */
  readonly answered = Promise.withResolvers<readonly Texts[]>();
  readonly #results: Texts[] = [];
  #rows: (readonly (string | null)[])[] = [];

  /** The first `atOnce` are executed before others are prepared. */
  constructor(bound: readonly Bound[], atOnce: number) {
    super('');
    this.#bound = bound;
    this.#atOnce = atOnce;
  }

  override submit = (connection: Connection): void => {
    if (connection.stream.writable) connection.stream.write(messages(this.#bound, this.#atOnce));
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
 * and one `Sync` at the end. The first ones are executed at once: preparing others
 * looks at tables, and a transaction that has done so cannot be told its isolation any more; and values are read as
 * settings say. The others are executed when all that they are to write is there: the server takes no lock while it waits for
 * the rest of a message, from a slow network or a process that was stopped.
 */
function messages(bound: readonly Bound[], atOnce: number): Buffer {
  const others = bound.slice(atOnce);
  return Buffer.concat([
    ...bound
      .slice(0, atOnce)
      .flatMap((one) => [...prepare(one), bind(one, ''), serialize.execute()]),
    ...others.flatMap(prepare),
    ...others.map((one, at) => bind(one, `p${at}`)),
    ...others.map((_, at) => serialize.execute({ portal: `p${at}` })),
    serialize.sync(),
  ]);
}

function prepare({ name, text }: Bound): Buffer[] {
  if (text === undefined) return [];
  return [serialize.close({ type: 'S', name }), serialize.parse({ name, text })];
}

function bind({ name: statement, values }: Bound, portal: string): Buffer {
  return serialize.bind({ portal, statement, values: [...values] });
}
