/** The yardstick on PostgreSQL: one-row upserts by pgbench, prepared, one commit each, with nothing in between. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { percentile } from './measure.ts';
import type { BenchPostgres } from './postgres-server.ts';

export interface PgbenchRound {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** How an update treats what is stored: merged into it (RFC 7396), or put in its place. */
export type Manner = 'merged' | 'overwritten';

export interface Pgbench {
  run(
    document: string,
    manner: Manner,
    load: { readonly connections: number; readonly seconds: number; readonly prefix: string },
  ): Promise<PgbenchRound>;
}

/** One table with nothing but its primary key, and the merge as it is usually written. */
const SCHEMA = `
CREATE TABLE bare_record (
  account text COLLATE "C",
  parent text COLLATE "C",
  external_identifier text COLLATE "C",
  document jsonb NOT NULL,
  version bigint NOT NULL DEFAULT 1,
  inserted_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account, parent, external_identifier)
);

CREATE FUNCTION merge_patch(stored jsonb, patch jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  result jsonb := CASE WHEN jsonb_typeof(stored) = 'object' THEN stored ELSE '{}' END;
  name text;
  member jsonb;
BEGIN
  IF jsonb_typeof(patch) <> 'object' THEN RETURN patch; END IF;
  FOR name, member IN SELECT * FROM jsonb_each(patch) LOOP
    IF jsonb_typeof(member) = 'null' THEN
      result := result - name;
    ELSE
      result := result || jsonb_build_object(name, merge_patch(result -> name, member));
    END IF;
  END LOOP;
  RETURN result;
END $$;`;

const UPDATES: Record<Manner, string> = {
  merged: 'merge_patch(bare_record.document, excluded.document)',
  overwritten: 'excluded.document',
};

/** Makes the table with so many records in it, the known ones being the first ten thousand. */
export async function preparePgbench(
  server: BenchPostgres,
  folder: string,
  records: number,
): Promise<Pgbench> {
  const client = new Client(server.url);
  await client.connect();
  await client.query(SCHEMA);
  await client.query(
    `INSERT INTO bare_record (account, parent, external_identifier, document)
     SELECT 'account', 'parent', 'known-' || number,
       '{"visitor_full_name": "A visitor", "visitor_phone_number": "+14155550123"}'
     FROM generate_series(0, ${Math.floor(records) - 1}) AS number`,
  );
  await client.query('VACUUM ANALYZE bare_record');
  await client.end();
  return {
    async run(document, manner, { connections, seconds, prefix }) {
      const own = mkdtempSync(join(folder, 'pgbench-'));
      writeFileSync(join(own, 'script'), scriptOf(document, manner, prefix));
      // Its time, unlike its rate, begins with the connecting, which takes the server some 10 ms for each.
      const time = Math.ceil(seconds + 1 + connections / 100);
      const args = [
        ...['--no-vacuum', '--protocol', 'prepared', '--file', 'script', '--define', 'n=0'],
        ...['--client', `${connections}`, '--jobs', '1', '--time', `${time}`],
        ...['--log', '--log-prefix', 'latency', server.url],
      ];
      const pgbench = promisify(execFile);
      const { stdout, stderr } = await pgbench(join(server.programs, 'pgbench'), args, {
        cwd: own,
      });
      const found = /^tps = ([\d.]+)/m.exec(stdout);
      if (found === null) throw new Error(`pgbench gave no result:\n${stdout}${stderr}`);
      const latencies = latenciesIn(own);
      rmSync(own, { recursive: true });
      return {
        perSecond: Number(found[1]),
        p50Ms: percentile(latencies, 0.5),
        p99Ms: percentile(latencies, 0.99),
      };
    },
  };
}

/** Half new records, half updates of the known ones, as the load on our service. */
function scriptOf(document: string, manner: Manner, prefix: string): string {
  // pgbench takes a colon with a letter after it for a variable, in a text, too.
  const spaced = JSON.stringify(JSON.parse(document), undefined, 1).replace(/\n\s*/g, ' ');
  const upsert = (name: string): string =>
    [
      'INSERT INTO bare_record (account, parent, external_identifier, document)',
      `VALUES ('account', 'parent', ${name}, replace('${spaced.replaceAll("'", "''")}', '@N@', :n::text)::jsonb)`,
      'ON CONFLICT (account, parent, external_identifier) DO UPDATE',
      `SET document = ${UPDATES[manner]}, version = bare_record.version + 1, updated_at = now()`,
      'RETURNING document, version;',
    ].join(' ');
  return [
    '\\set n :n + 1',
    '\\set known (:n * 7919 + :client_id * 104729) % 10000',
    '\\set even :n % 2',
    '\\if :even',
    upsert("'known-' || :known::text"),
    '\\else',
    upsert(`'${prefix}-' || :client_id::text || '-' || :n::text`),
    '\\endif',
    '',
  ].join('\n');
}

/** Milliseconds of each upsert: the third word of a line has microseconds. */
function latenciesIn(folder: string): number[] {
  const logs = readdirSync(folder).filter((name) => name.startsWith('latency'));
  return logs.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => Number(line.split(' ')[2]) / 1000),
  );
}
