/** One connection to the server. */
import { Buffer } from 'node:buffer';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Client, type ClientConfig } from 'pg';
import { type Bound, Bundle, type Texts } from './bundle.ts';
import { asLost, isStatementError, UNREACHED, Uncertain } from './failure.ts';
import { type Limits, setSession, setTransaction } from './settings.ts';

/** A statement that is sent once and then named; `name` is its own among all statements. */
export interface Statement<Row extends readonly unknown[] = readonly never[]> {
  readonly name?: string;
  readonly text: string;
  /** Whether tables are called as one server calls them. */
  readonly named?: true;
  /** For the types alone. */
  readonly row?: Row;
}

/** A statement with its values. */
export interface Call<Row extends readonly unknown[] = readonly never[]> {
  readonly statement: Statement<Row>;
  readonly values: readonly unknown[];
}

/** Makes a call with the tables as a server calls them. */
export type Naming = <Row extends readonly unknown[]>(call: Call<Row>) => Call<Row>;

/** Where the work that has a session finds the rows of its accounts. */
export interface TablePlace {
  /** Done with all that is sent. */
  readonly name: Naming;
  /** For what is sent of one account. */
  nameOf(account: string): Naming;
  /** Groups accounts that lie together. */
  groups(accounts: readonly string[]): readonly (readonly [Naming, readonly string[]])[];
  /** Whether the rows are there, and stay there until the transaction ends. */
  hold(session: Session): Promise<boolean>;
  /** Whether they are: what was sent before has seen them, then. */
  isHere(session: Session): Promise<boolean>;
}

const asItIs: Naming = (call) => call;
/** All tables are on the server, by their names. */
const everything: TablePlace = {
  name: asItIs,
  nameOf: () => asItIs,
  groups: (accounts) => [[asItIs, accounts]],
  hold: async () => true,
  isHere: async () => true,
};

export interface Result<Row> {
  readonly rows: readonly Row[];
  /** The server's command tag: `COMMIT`, `ROLLBACK`, … */
  readonly command: string;
  readonly count: number;
}

/**
 * The server's warnings about a commit: that it has given up waiting for its standby; and, of Citus, that the server
 * with the records did not answer the commit.
 */
const DOUBTS = new Set(['SyncRepWaitForLSN', 'FinishRemoteTransactionCommit']);

/** The frame of a statement on its own, where each transaction has to bring what it relies on. */
const OPEN: Statement = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED' };
const SHUT: Statement = { text: 'COMMIT' };

/** The greatest age of plans of statements. */
const PLANS_MS = 5_000;

export class Session {
  readonly #client: Client;
  readonly #plans = { since: performance.now(), uses: 0, most: 1 };
  /** The names of the statements of bundles that the server knows. */
  readonly #prepared = new Set<string>();
  /** Set by who lets work have the session. */
  place = everything;
  sent = 0;
  /** The server's last warning that it does not reach another one of its cluster. */
  unreached = '';
  #broken = false;
  /** The beginning of each transaction, where a pooler is before the server; `undefined`: the session has it. */
  #carried: Statement | undefined;
  #isWithin = false;
  /** Whether the server has warned that what it committed may not be where it should be. */
  #unwaited = false;

  private constructor(client: Client) {
    this.#client = client;
    // A query under way is rejected by itself; between queries the next one has to know.
    client.on('error', () => {
      this.#broken = true;
    });
    client.on('notice', ({ routine, message }) => {
      // Messages are translated; the routine is not.
      if (routine !== undefined && DOUBTS.has(routine)) this.#unwaited = true;
      if (routine === UNREACHED) this.unreached = message ?? '';
    });
  }

  /** Rejects with the server's error, or with `Lost`, also where the server is silent for `withinMs`. */
  static async connect(config: ClientConfig, withinMs: number): Promise<Session> {
    const client = new Client(config);
    const session = new Session(client);
    try {
      session.#listen(withinMs);
      await client.connect();
      session.answerWithin(0);
      return session;
    } catch (error) {
      session.destroy();
      throw asLost(error);
    }
  }

  get usable(): boolean {
    return !this.#broken;
  }

  /** Whether the connection is encrypted, and its server has proved by a certificate who it is. */
  get isVerified(): boolean {
    const { authorized } = this.#socket as Partial<TLSSocket>;
    return authorized === true;
  }

  /**
   * Sends a statement without waiting for those before it: what is sent in one tick of the event loop takes one round
   * trip. Rejects with the server's error, or with `Lost`.
   */
  async run<Row extends readonly unknown[]>(wanted: Call<Row>): Promise<Result<Row>> {
    this.sent += 1;
    const one = this.place.name(wanted);
    if (this.#carried === undefined) return this.#send(one);
    const [, word] = /^(BEGIN|COMMIT|ROLLBACK)\b/.exec(one.statement.text) ?? [];
    const isWithin = this.#isWithin;
    if (word !== undefined) this.#isWithin = word === 'BEGIN';
    if (word === 'BEGIN') {
      const setting = this.#send<readonly unknown[]>(call(this.#carried));
      const [began] = await allOf([this.#send<readonly unknown[]>(one), setting]);
      return began as Result<Row>;
    }
    if (word !== undefined || isWithin) return this.#send(one);
    const all = [call(OPEN), call(this.#carried), one, call(SHUT)];
    const [, , done] = await allOf(all.map((each) => this.#send<readonly unknown[]>(each)));
    return done as Result<Row>;
  }

  async #send<Row extends readonly unknown[]>({
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

  /**
   * Does prepared statements, a whole transaction, in one round trip. Rejects with the server's error, and then nothing
   * was done; or with `Lost` or `Uncertain`, and then the outcome is unknown.
   */
  async bundle(calls: readonly Call<readonly unknown[]>[]): Promise<readonly Texts[]> {
    const names: string[] = [];
    const [first, ...others] = calls;
    const carried = this.#carried === undefined ? [] : [call(this.#carried)];
    try {
      const all = first === undefined ? [] : [first, ...carried, ...others];
      const bundle = new Bundle(
        all.map((one) => this.#bind(this.place.name(one), names)),
        1 + carried.length,
      );
      this.#client.query(bundle);
      const answer = await bundle.answered.promise;
      for (const name of names) this.#prepared.add(name);
      this.assertWaited();
      return answer.toSpliced(1, carried.length);
    } catch (error) {
      if (isStatementError(error)) this.query('ROLLBACK').catch(() => undefined);
      else if (!(error instanceof Uncertain)) this.#broken = true;
      throw asLost(error);
    }
  }

  /** The name is not that of the driver, who keeps no books on this one; `names` gets those that are to be prepared. */
  #bind({ statement: { name, text }, values }: Call<readonly unknown[]>, names: string[]): Bound {
    if (name === undefined) throw new TypeError('A statement of a bundle has no name.');
    const own = `${name}_bundled`;
    const bound = { name: own, values: values.map(onWire) };
    if (this.#prepared.has(own) || names.includes(own)) return bound;
    names.push(own);
    return { ...bound, text };
  }

  /** Throws `Uncertain` where the server has warned of a commit since. */
  assertWaited(): void {
    if (!this.#unwaited) return;
    this.#unwaited = false;
    throw new Uncertain(new Error('the server warns that a commit may be lost'));
  }

  /** Has what it does go by what we rely on. */
  async rely(limits: Limits): Promise<void> {
    const { processID } = this.#client as unknown as { readonly processID: number | null };
    const isPooled = await this.value<boolean>(setSession(limits, processID ?? 0));
    this.#carried = isPooled === true ? setTransaction(limits) : undefined;
  }

  /** From now on the connection is given up after this much silence, in milliseconds; 0: never. */
  answerWithin(withinMs: number): void {
    this.#socket.setTimeout(withinMs);
  }

  async rows<Row extends readonly unknown[]>(call: Call<Row>): Promise<readonly Row[]> {
    return (await this.run(call)).rows;
  }

  /** The rows of one of the accounts that the work is in. */
  rowsOf<Row extends readonly unknown[]>(account: string, call: Call<Row>) {
    return this.rows(this.place.nameOf(account)(call));
  }

  /**
   * Lets the server plan its statements again: those that it planned for tables
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
    this.query('DISCARD PLANS').catch(() => undefined);
  }

  /** Runs SQL that is not prepared, for the first value of its first row. */
  async value<T>(text: string, ...values: readonly unknown[]): Promise<T | undefined> {
    return (await this.query<readonly [T]>(text, ...values))[0]?.[0];
  }

  /** Runs SQL that is not prepared, for its rows; without values it may be several statements. */
  query<Row extends readonly unknown[]>(
    text: string,
    ...values: readonly unknown[]
  ): Promise<readonly Row[]> {
    return this.rows(call<Row>({ text }, ...values));
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    if (this.#broken) this.destroy();
    else await this.#client.end().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Drops a connection that may never answer. */
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

  /** With encryption the driver continues on another socket over the first. */
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

/** The results when all are done; the first error, of which others may be the consequence. */
async function allOf<T>(all: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

function onWire(value: unknown): string | Buffer | null {
  if (value === null || typeof value === 'string' || value instanceof Buffer) return value;
  if (typeof value === 'number') return String(value);
  throw new TypeError('A statement of a bundle takes texts, numbers and bytes.');
}

/** If this process itself was suspended, what the server sent meanwhile is read first. */
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
