/** Changes the tables of a store past the program, as somebody with access to its database does. */
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

export async function tamper(url: string, sql: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    database.exec(sql);
    database.close();
    return;
  }
  const client = new Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}
