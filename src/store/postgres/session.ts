/** One connection to the server. */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { asLost, isStatementError } from './failure.ts';

/** A statement that is sent once and then named; `name` is its own among all statements. */
export interface Statement<Row extends readonly unknown[] = readonly never[]> {
  readonly name?: string;
  readonly text: string;
  /** Only for the types. */
  readonly row?: Row;
}

/** A statement with its values. */
export interface Call<Row extends readonly unknown[] = readonly never[]> {
  readonly statement: Statement<Row>;
  readonly values: readonly unknown[];
}

export interface Result<Row> {
  readonly rows: readonly Row[];
  /** What the server says that it did: `COMMIT`, `ROLLBACK`, … */
  readonly command: string;
  readonly count: number;
}

/** How old the plans of statements become at the most. */
const PLANS_MS = 5_000;

export class Session {
  readonly #client: Client;
  readonly #plans = { since: performance.now(), uses: 0, most: 1 };
  #broken = false;

  private constructor(client: Client) {
    this.#client = client;
    // Whoever waits for an answer is told; between answers only the next one needs to know.
    client.on('error', () => {
      this.#broken = true;
    });
  }

  /** Rejects with the server's error, or with `Lost`, also where the server is silent for `withinMs`. */
  static async connect(config: ClientConfig, withinMs: number): Promise<Session> {
    const client = new Client(config);
    const session = new Session(client);
    try {
      session.#listen(withinMs);
      await client.connect();
      session.wantAnswers(0);
      return session;
    } catch (error) {
      session.destroy();
      throw asLost(error);
    }
  }

  get usable(): boolean {
    return !this.#broken;
  }

  /** The server's number for this session. */
  get process(): number {
    return (this.#client as unknown as { processID: number }).processID;
  }

  /**
   * Sends a statement without waiting for those before it: what is asked for in
   * one turn of the event loop takes one round trip. Rejects with the server's
   * error, or with `Lost`.
   */
  async run<Row extends readonly unknown[]>({
    statement,
    values,
  }: Call<Row>): Promise<Result<Row>> {
    try {
      const { name, text } = statement;
      const result = await this.#client.query<Row & unknown[]>({
        ...(name === undefined ? {} : { name }),
        text,
        values: values as unknown[],
        rowMode: 'array',
      });
      return { rows: result.rows, command: result.command, count: result.rowCount ?? 0 };
    } catch (error) {
      if (!isStatementError(error)) this.#broken = true;
      throw asLost(error);
    }
  }

  /** From now on the connection is given up when nothing is heard on it for so long; 0: it is not. */
  wantAnswers(withinMs: number): void {
    this.#socket.setTimeout(withinMs);
  }

  async rows<Row extends readonly unknown[]>(call: Call<Row>): Promise<readonly Row[]> {
    return (await this.run(call)).rows;
  }

  /**
   * Lets the server plan its statements anew: those that it planned for tables
   * that were empty are not good for full ones, and by itself it notices late.
   * To be called with each use; now and then it does so, the sooner the newer
   * the session is, since tables that others have filled are met with good plans.
   */
  renewPlans(): void {
    const plans = this.#plans;
    plans.uses += 1;
    if (plans.uses < plans.most && performance.now() - plans.since < PLANS_MS) return;
    plans.most = 2 * plans.uses;
    plans.since = performance.now();
    this.run(call({ text: 'DISCARD PLANS' })).catch(() => undefined);
  }

  /** Runs statements that have no values, as they stand in a file. */
  async script(text: string): Promise<void> {
    await this.#client.query(text);
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    if (this.#broken) this.destroy();
    else await this.#client.end().catch(() => undefined);
  }

  /** Lets go at once of a connection that may never answer. */
  destroy(): void {
    this.#broken = true;
    this.#socket.destroy();
  }

  get #connection(): EventEmitter & { readonly stream: Socket } {
    return (this.#client as unknown as { connection: EventEmitter & { stream: Socket } })
      .connection;
  }

  get #socket(): Socket {
    return this.#connection.stream;
  }

  /** With encryption the connection goes on as another socket over the first. */
  #listen(withinMs: number): void {
    const listen = (socket: Socket): void => {
      socket.setTimeout(withinMs);
      socket.on('timeout', () => giveUp(socket));
    };
    const first = this.#socket;
    listen(first);
    this.#connection.once('sslconnect', () => {
      first.setTimeout(0);
      listen(this.#socket);
    });
  }
}

/** Where this process itself has stood still, what was sent meanwhile is there to be read, and is read first. */
function giveUp(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy(new Error('timeout'));
  });
}

export function call<Row extends readonly unknown[]>(
  statement: Statement<Row>,
  ...values: readonly unknown[]
): Call<Row> {
  return { statement, values };
}
