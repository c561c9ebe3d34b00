/** SQL for the database of a store, past whoever serves it. */
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { whenOver } from './at-end.ts';
import type { Body } from './service.ts';

/** Runs each statement in the store or the database at that address, and gives the rows of all. */
export async function ask(url: string, ...statements: readonly string[]): Promise<Body[]> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 });
    try {
      return statements.flatMap((one) => database.prepare(one).all());
    } finally {
      database.close();
    }
  }
  const client = new Client(url);
  await client.connect();
  try {
    const rows: Body[] = [];
    for (const one of statements) rows.push(...(await client.query(one)).rows);
    return rows;
  } finally {
    await client.end();
  }
}

/** A connection to a server, which ends with the test, the suite or the file that makes it. */
export async function connected(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  whenOver(() => client.end());
  return client;
}

/** Makes a letter of what the log keeps of a change of that record, the one that left that version, unreadable. */
export function spoilChange(url: string, record: string, version: number): Promise<Body[]> {
  return ask(
    url,
    url.startsWith('sqlite:')
      ? `UPDATE change SET contents = replace(contents, '{', 'z')
         WHERE changes LIKE '%\t${record}\t%ed\t${version}\t%' AND contents IS NOT NULL`
      : `UPDATE change SET content = replace(content, '{', 'z')
         WHERE record = '${record}' AND version = ${version}`,
  );
}
