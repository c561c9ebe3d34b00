/** The SQL of self-tests, each statement by its name. */
import { selfTest } from '../../../core/objects/self-test.ts';
import { inserted, selected } from '../rows/own-rows.ts';
import { statements } from '../tables.ts';

/** Runs stored of an account. */
const MAX_RUNS = 20;
const MAX_SIGHTINGS = 500;

const RUN = selected(selfTest);
const OLD = `SELECT unique_identifier FROM self_test WHERE account = $1 AND (inserted_at < $2
  OR unique_identifier NOT IN (SELECT unique_identifier FROM self_test WHERE account = $1
    ORDER BY unique_identifier DESC LIMIT ${MAX_RUNS}))`;

export const selfTestStatements = statements({
  selfTest: `SELECT ${RUN} FROM self_test WHERE unique_identifier = $1`,
  selfTestOf: `SELECT ${RUN} FROM self_test WHERE key = $1 AND expires_at > $2
    ORDER BY unique_identifier DESC LIMIT 1`,
  selfTests: `SELECT ${RUN} FROM self_test WHERE account = $1 ORDER BY unique_identifier DESC`,
  selfTestSeen: `SELECT kind, at, data FROM self_test_sighting WHERE self_test = $1 ORDER BY unique_identifier`,

  openSelfTest: inserted(selfTest),
  /** Ends the tests of key $1 but for $2, at $3. */
  endSelfTests: `UPDATE self_test SET expires_at = $3
    WHERE key = $1 AND unique_identifier <> $2 AND expires_at > $3`,
  /** Drops sightings of account $1 that are older than $2, or too many. */
  dropSightings: `DELETE FROM self_test_sighting WHERE self_test IN (${OLD})`,
  dropSelfTests: `DELETE FROM self_test WHERE unique_identifier IN (${OLD})`,
  /** Takes unique identifier, run, kind, when, and data. */
  noteSighting: `INSERT INTO self_test_sighting (unique_identifier, self_test, kind, at, data)
    SELECT $1, $2, $3, CAST($4 AS bigint), $5
    WHERE (SELECT count(*) FROM self_test_sighting WHERE self_test = $2) < ${MAX_SIGHTINGS}`,
});
