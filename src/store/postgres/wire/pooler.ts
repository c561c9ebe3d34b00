/** Finds out whether a pooler before the server keeps prepared statements, before a service depends on it. */
import type { Address } from './address.ts';
import { asUnusable, isNotKept } from './failure.ts';
import { openSession } from './server.ts';
import { call, type Session, type Statement } from './session.ts';

/** How many times sessions are exchanged: a pooler may assign them round-robin. */
const ROUNDS = 3;

const named: Statement = { name: 'ledgerstone_kept', text: 'SELECT 1' };

/**
 * Runs one prepared statement again and again, while a transaction of another connection takes the session of the
 * server in which it was prepared. Throws `StoreUnusable` where the statement is lost, or the server is out of reach.
 */
export async function checkPooler(address: Address): Promise<void> {
  const sessions: Session[] = [];
  const open = async (): Promise<Session> => {
    const session = await openSession(address);
    session.wantAnswers(address.patience.connectMs);
    sessions.push(session);
    return session;
  };
  try {
    const asking = await open();
    const taking = await open();
    await exchange(asking, taking).catch((error) => {
      // A pooler without a second session proves nothing: it does not exchange them either.
      if (isNotKept(error)) throw error;
    });
  } catch (error) {
    throw asUnusable(error, address.place);
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}

async function exchange(asking: Session, taking: Session): Promise<void> {
  await asking.run(call(named));
  for (let round = 0; round < ROUNDS; round++) {
    await taking.run(call({ text: 'BEGIN' }));
    await asking.run(call(named));
    await taking.run(call({ text: 'ROLLBACK' }));
  }
}
