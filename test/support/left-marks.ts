/** What version 1.0 has left of whom nobody is to contact: hashes, written into a store beside the service. */
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { readSealer } from '../../src/core/sealing/sealer.ts';
import { createMarks } from '../../src/features/do-not-contact/store/signs.ts';
import { ERASED } from '../../src/store/promises/erasing/book.ts';

const INSERT =
  'INSERT INTO do_not_contact (of_account, mark, follow_up, record) VALUES ($1, $2, $3, $4)';

/** Makes the hash of a phone number by the newest key of a file. */
export function marksBy(file: string): (number: string) => string {
  const marks = createMarks(readSealer(file).derived(ERASED));
  return (number) => marks.newest('digits', number).mark ?? '';
}

/** Writes rows: the account, a hash or the record, the follow-up, and the record. */
export async function leftBy(url: string, rows: readonly (readonly string[])[]): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    for (const row of rows) database.prepare(INSERT.replaceAll('$', '?')).run(...row);
    return database.close();
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const row of rows) await client.query(INSERT, [...row]);
  await client.end();
}
