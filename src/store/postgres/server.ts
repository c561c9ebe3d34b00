/** Connects to a server, if it is one on which promises can be kept. */
import type { ClientConfig } from 'pg';
import { StoreUnusable } from '../store.ts';
import { call, Session, type Statement } from './session.ts';

/** The oldest version that is supported, as the server numbers it. */
const OLDEST = 150_000;

/** Makes the session wait for the disk with each commit, too. */
const look: Statement<
  readonly [
    version: number,
    words: string,
    encoding: string,
    fsync: string,
    schema: string | null,
    commits: string | null,
  ]
> = {
  text: `SELECT current_setting('server_version_num')::int, current_setting('server_version'),
    current_setting('server_encoding'), current_setting('fsync'), current_schema(),
    CASE WHEN current_setting('synchronous_commit') = 'off'
      THEN set_config('synchronous_commit', 'on', false) END`,
};

/** Rejects with the server's error, with `Lost`, or with a `StoreUnusable` that says what is wrong with the server. */
export async function openSession(config: ClientConfig): Promise<Session> {
  const session = await Session.connect(config);
  try {
    await checkServer(session);
    return session;
  } catch (error) {
    session.destroy();
    throw error;
  }
}

async function checkServer(session: Session): Promise<void> {
  const [row] = await session.rows(call(look));
  if (row === undefined) throw new TypeError('The server tells nothing of itself.');
  const [version, words, encoding, fsync, schema] = row;
  if (version < OLDEST) {
    throw new StoreUnusable(`The server is PostgreSQL ${words}: use 15 or a later version.`);
  }
  if (encoding !== 'UTF8') {
    throw new StoreUnusable(
      `The database keeps its texts as ${encoding}, which cannot hold all of them: make one with ENCODING 'UTF8'.`,
    );
  }
  if (fsync !== 'on') {
    throw new StoreUnusable(
      'The server has fsync off, so that a crash would lose what was answered as stored: turn it on.',
    );
  }
  if (schema === null) {
    throw new StoreUnusable(
      'No schema of the search_path is there for this user: name one that is.',
    );
  }
}
