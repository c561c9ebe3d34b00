/** More records than requests would bring in a day, put into PostgreSQL's table by SQL. */
import { Client } from 'pg';

const SLICE = 250_000;

/**
 * Copies a check-in that is there until there are so many, all but their
 * identifiers alike, whatever columns the table has. Gives the bytes that a
 * record takes with its indexes.
 */
export async function fillCheckIns(
  url: string,
  present: number,
  records: number,
  onProgress: (done: number) => void,
): Promise<number> {
  const client = new Client(url);
  await client.connect();
  try {
    for (let from = present; from < records; from += SLICE) {
      const last = Math.min(from + SLICE, records) - 1;
      await client.query(
        `INSERT INTO event_check_in_record
         SELECT copy.*
         FROM (SELECT record FROM event_check_in_record AS record LIMIT 1) AS first (record),
           generate_series(${from}, ${last}) AS number,
           LATERAL jsonb_populate_record(record, jsonb_build_object(
             'unique_identifier', left((record).unique_identifier, 8)
               || lpad(number::text, length((record).unique_identifier) - 8, '0'),
             'external_identifier', 'earlier-' || number)) AS copy`,
      );
      onProgress(last + 1);
    }
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT pg_total_relation_size('event_check_in_record') AS bytes`,
    );
    return Number(rows[0]?.bytes) / Math.max(present, records);
  } finally {
    await client.end();
  }
}
