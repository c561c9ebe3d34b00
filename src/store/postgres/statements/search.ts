/** The SQL of the search index. Statements work in account $1, unless they say otherwise. */
import { ROOT_TABLE } from '../../names.ts';
import { OWN, prepared, unnest } from './prepare.ts';

/** Accounts whose last commit has not reached the index, with its position; all with a commit where $1. */
export const behind = prepared<readonly [account: string, position: number]>`SELECT account,
  position FROM (
    SELECT owner.account, mark.position AS reached, mark.building,
      (SELECT max(position) FROM "commit" WHERE commit.account = owner.account) AS position
    FROM "${ROOT_TABLE}" AS owner LEFT JOIN "search_mark" AS mark ON mark.account = owner.account
  ) AS each
  WHERE position IS NOT NULL
    AND ($1 OR reached IS DISTINCT FROM position OR building IS NOT NULL)`;

export const mark = prepared<readonly unknown[]>`SELECT position, place, token, building, terms
  FROM "search_mark" WHERE account = ${OWN}`;
export const insertMark = prepared`INSERT INTO "search_mark" (account, position, place, token,
  building, terms)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account) DO NOTHING`;
/** Takes the new mark, then the one that must be there. */
export const moveMark = prepared`UPDATE "search_mark"
  SET position = $2, place = $3, token = $4, building = $5, terms = $6
  WHERE account = ${OWN} AND position = $7 AND place = $8 AND token = $9
    AND building IS NOT DISTINCT FROM $10::text AND terms = $11`;

export const forget = prepared`DELETE FROM "search_mark" WHERE account = ${OWN}`;

export const known = prepared<readonly [record: string, terms: string]>`SELECT record, terms
  FROM "search_record" WHERE account = ${OWN} AND record = ANY ($2::text[])`;
export const put = prepared`INSERT INTO "search_record" (account, record, terms)
  SELECT $1, record, terms FROM ${unnest('put', ['record', 'terms'], 2)}
  ON CONFLICT (account, record) DO UPDATE SET terms = excluded.terms`;
export const remove = prepared`DELETE FROM "search_record" WHERE account = ${OWN}
  AND record = ANY ($2::text[])`;
export const addTerms = prepared`INSERT INTO "search_term" (account, term, record, anchor)
  SELECT $1, term, record, anchor FROM ${unnest('added', ['term', 'record', 'anchor'], 2)}
  ON CONFLICT (account, term, record) DO NOTHING`;
export const removeTerms = prepared`DELETE FROM "search_term" AS search_term
  USING ${unnest('old', ['term', 'record'], 2)}
  WHERE account = ${OWN} AND search_term.term = old.term AND search_term.record = old.record`;

/** How many terms from $1 to $2 there are in all accounts: each account is looked up by itself. */
export const cut = prepared<readonly [count: number]>`SELECT coalesce(sum((
    SELECT count(*) FROM "search_term"
    WHERE search_term.account = owner.account AND term >= $1 AND term < $2)), 0)::bigint
  FROM "${ROOT_TABLE}" AS owner`;

/** Some of what is there, no more than $2. */
export const clearTerms = prepared`DELETE FROM "search_term" WHERE account = ${OWN}
  AND (term, record) IN (
    SELECT term, record FROM "search_term" WHERE account = ${OWN} LIMIT $2)`;
export const clearRecords = prepared`DELETE FROM "search_record" WHERE account = ${OWN} AND record IN (
    SELECT record FROM "search_record" WHERE account = ${OWN} LIMIT $2)`;

/**
 * Records with terms from $2 to $3, under anchors $4 where these are given, whose terms are like all of $5:
 * of the first $6 terms no more than $7. Then `NULL` where all of these terms were looked at and may not be all.
 */
export const search = prepared<readonly [record: string | null]>`WITH ranged AS MATERIALIZED (
    SELECT term, record, anchor FROM "search_term"
    WHERE account = ${OWN} AND term >= $2 AND term < $3 ORDER BY account, term LIMIT $6),
  taken AS MATERIALIZED (
    SELECT record FROM ranged
    WHERE ($4::text[] IS NULL OR anchor = ANY ($4::text[])) AND term LIKE ALL ($5::text[])
    LIMIT $7)
  SELECT record FROM taken
  UNION ALL
  SELECT NULL WHERE CASE WHEN (SELECT count(*) FROM taken) < $7
    THEN (SELECT count(*) FROM ranged) >= $6 ELSE false END`;

/**
 * Records with terms from one of $2 to the one of $3 at its place, under anchors $4 where these are given, whose
 * terms are like all of $5: of each of these ranges the first $6 terms, and no more than $7 in all.
 */
export const searchNear = prepared<readonly [record: string]>`SELECT record
  FROM ${unnest('near', ['start', 'until'], 2)} CROSS JOIN LATERAL (
    SELECT term, record, anchor FROM "search_term"
    WHERE account = ${OWN} AND term >= near.start AND term < near.until ORDER BY account, term LIMIT $6) AS ranged
  WHERE ($4::text[] IS NULL OR anchor = ANY ($4::text[])) AND term LIKE ALL ($5::text[])
  LIMIT $7`;

/** The clock of the server, in milliseconds since 1970. */
export const serverTime = prepared<readonly [now: number]>`SELECT (extract(epoch
  FROM clock_timestamp()) * 1000)::bigint`;
/** Lets process $1 feed until $2, unless another one may from the time $3 until no later than $4. */
export const takeLease = prepared`INSERT INTO search_feeder (single, holder, until)
  VALUES (true, $1, $2)
  ON CONFLICT (single) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE search_feeder.holder = excluded.holder OR search_feeder.until NOT BETWEEN $3 AND $4`;
