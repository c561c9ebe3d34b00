/** More records than requests would bring in a day, put into a table of PostgreSQL by SQL. */
import type { Client } from 'pg';

const SLICE = 250_000;

/**
 * Copies a record that is in the table until there are so many, all but their
 * identifiers alike, whatever columns the table has.
 */
export async function fillTable(
  client: Client,
  table: string,
  present: number,
  records: number,
  onProgress: (done: number) => void,
): Promise<void> {
  for (let from = present; from < records; from += SLICE) {
    const last = Math.min(from + SLICE, records) - 1;
    await client.query(
      `INSERT INTO ${table}
       SELECT copy.*
       FROM (SELECT record FROM ${table} AS record LIMIT 1) AS first (record),
         generate_series(${from}, ${last}) AS number,
         LATERAL jsonb_populate_record(record, jsonb_build_object(
           'unique_identifier', left((record).unique_identifier, 8)
             || lpad(number::text, length((record).unique_identifier) - 8, '0'),
           'external_identifier', 'earlier-' || number)) AS copy`,
    );
    onProgress(last + 1);
  }
}
