/** Connects to a server, if the store can keep its promises on it. */
import type { ClientConfig } from 'pg';
import { StoreUnusable } from '../../promises/store.ts';
import type { Address, Patience } from './address.ts';
import { asUnusable, isLost, isUnprepared, Lost, whyNot } from './failure.ts';
import { call, Session, type Statement } from './session.ts';
import type { Limits } from './settings.ts';

/** The oldest version that is supported, as the server numbers it. */
const OLDEST = 150_000;

/** How much the server shows of the name of a session. */
const LONGEST_NAME = 63;

/** Lets the name of the session say, too, which store of the database it works on, where that is not the usual one. */
const look = `SELECT current_setting('server_version_num')::int, current_setting('server_version'),
    current_setting('server_encoding'), current_setting('fsync'), current_schema(),
    CASE WHEN current_schema() <> 'public' THEN set_config('application_name',
      left(current_setting('application_name') || ' ' || current_schema(), ${LONGEST_NAME}), false) END`;

/** How long no connection is tried after one has failed. */
const RESPITE_MS = 100;

/**
 * Shared by everything that opens sessions on one server. For a moment after an attempt has failed, others fail at once
 * without trying, so that none repeats a wait that has just ended without a session. `name` is what errors call the server.
 */
export function sessionOpener(address: Address, name?: string): () => Promise<Session> {
  let failed: { readonly error: unknown; readonly at: number } | undefined;
  return async () => {
    if (failed !== undefined && performance.now() - failed.at < RESPITE_MS) throw failed.error;
    try {
      const session = await openSession(address);
      failed = undefined;
      return session;
    } catch (cause) {
      const named = name !== undefined && isLost(cause);
      const error = named ? new Lost(`${name}: ${whyNot(cause)}`, { cause }) : cause;
      failed = { error, at: performance.now() };
      throw error;
    }
  };
}

/** Rejects with the server's error, with `Lost`, or with a `StoreUnusable` that says what is wrong with the server. */
export async function openSession({ servers, patience, limits }: Address): Promise<Session> {
  const faults: string[] = [];
  for (const { name, config } of servers) {
    try {
      return await openAt(config, patience, limits);
    } catch (error) {
      if (servers.length === 1 || !isLost(error)) throw error;
      faults.push(`${name}: ${whyNot(error)}`);
    }
  }
  throw new Lost(faults.join('; '));
}

async function openAt(config: ClientConfig, patience: Patience, limits: Limits): Promise<Session> {
  const session = await Session.connect(config, patience.connectMs);
  try {
    session.answerWithin(patience.connectMs);
    await session.rely(limits);
    await checkServer(session);
    session.answerWithin(0);
    return session;
  } catch (error) {
    session.destroy();
    throw error;
  }
}

async function checkServer(session: Session): Promise<void> {
  const [row] =
    await session.query<
      readonly [
        version: number,
        words: string,
        encoding: string,
        fsync: string,
        schema: string | null,
      ]
    >(look);
  if (row === undefined) throw new TypeError('The server tells nothing of itself.');
  const [version, words, encoding, fsync, schema] = row;
  if (version < OLDEST) {
    throw new StoreUnusable(`The server is PostgreSQL ${words}: use 15 or a later version.`);
  }
  if (encoding !== 'UTF8') {
    throw new StoreUnusable(
      `The database has the encoding ${encoding}, which cannot hold every text: create one with ENCODING 'UTF8'.`,
    );
  }
  if (fsync !== 'on') {
    throw new StoreUnusable(
      'The server has fsync off, so a crash could lose records that were answered as stored: turn it on.',
    );
  }
  if (schema === null) {
    throw new StoreUnusable(
      'No schema in the search_path exists for this user: name one that does.',
    );
  }
}

/**
 * Throws `StoreUnusable` where a pooler before the server does not keep prepared statements, or the server is out of
 * reach.
 */
export async function checkPooler(address: Address): Promise<void> {
  try {
    await using preparing = await openSession(address);
    await using taking = await openSession(address);
    for (const session of [preparing, taking]) session.answerWithin(address.patience.connectMs);
    await exchange(preparing, taking).catch((error) => {
      // A pooler without a second session proves nothing: it does not exchange them either.
      if (isUnprepared(error)) throw error;
    });
  } catch (error) {
    throw asUnusable(error, address.place);
  }
}

/** How many times sessions are exchanged: a pooler may assign them round-robin. */
const ROUNDS = 3;

const named: Statement = { name: 'ledgerstone_kept', text: 'SELECT 1' };

/**
 * Runs one prepared statement again and again, while a transaction of another connection takes the session of the
 * server in which it was prepared.
 */
async function exchange(preparing: Session, taking: Session): Promise<void> {
  await preparing.run(call(named));
  for (let round = 0; round < ROUNDS; round++) {
    await taking.query('BEGIN');
    await preparing.run(call(named));
    await taking.query('ROLLBACK');
  }
}
