/** Damages what a store holds, behind the back of whoever serves it. */
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** Runs SQL in the store at that address: `sqlite` where that is what it is, or else `postgres`. */
export async function spoil(
  url: string,
  { sqlite, postgres }: { readonly sqlite: string; readonly postgres: string },
): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    database.exec(`PRAGMA busy_timeout = 5000; ${sqlite}`);
    database.close();
    return;
  }
  const client = new Client(url);
  await client.connect();
  await client.query(postgres);
  await client.end();
}

/** Makes a letter of what the log keeps of a change of that record, the one that left that version, unreadable. */
export function spoilChange(url: string, record: string, version: number): Promise<void> {
  const [was, is] = ['{', 'z'];
  return spoil(url, {
    sqlite: `UPDATE change SET contents = replace(contents, '${was}', '${is}')
      WHERE changes LIKE '%\t${record}\t%ed\t${version}\t%' AND contents IS NOT NULL`,
    postgres: `UPDATE change SET content = replace(content, '${was}', '${is}')
      WHERE record = '${record}' AND version = ${version}`,
  });
}
