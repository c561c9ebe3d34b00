/** The SQL that takes imports of an account away, each statement by its name. */
import { prepared } from './prepare.ts';

/** Texts of a JSON array, as text: what makes JSON is not let into changes where every server has a copy. */
const INTO = `EXISTS (SELECT FROM json_array_elements_text(accounts::json) AS one (account) WHERE account = $1)`;

/** The rejected rows of imports into account $1. */
export const forgetRejected = prepared(
  `UPDATE import_run SET rejected = NULL WHERE rejected IS NOT NULL AND ${INTO}`,
);

/** Imports into account $1 alone. */
export const forgetRuns = prepared(
  `DELETE FROM import_run WHERE json_array_length(accounts::json) = 1 AND ${INTO}`,
);
