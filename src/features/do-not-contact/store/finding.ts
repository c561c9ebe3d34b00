/** Conditions by which entries are found, along their indexes. */
import type { Dialect } from '../../../store/books/dialects.ts';

const STANDS = 'lifted_at IS NULL AND (until IS NULL OR until > ';

/** Finds entries with one of values $2, and those with one of hashes $3, that stand at $4. */
export const standing = (
  { among, by }: Dialect,
  what: string,
  where: string,
): readonly string[] => [
  `SELECT ${what} FROM no_contact${by('no_contact_standing')}
    WHERE ${where} AND ${among('value', '$2')} AND ${STANDS}$4)`,
  `SELECT ${what} FROM no_contact${by('no_contact_hashed')}
    WHERE ${where} AND ${among('mark', '$3')} AND value IS NULL AND ${STANDS}$4)`,
];

/** Finds records among $2 of account $1 that were ever entered, also if that was lifted. */
export const entered = ({ among, by }: Dialect): string =>
  [
    ['no_contact_standing', 'IS NULL'],
    ['no_contact_was', 'IS NOT NULL'],
  ]
    .map(
      ([index = '', lifted]) => `SELECT value FROM no_contact${by(index)}
    WHERE account = $1 AND ${among('value', '$2')} AND kind = 'record' AND lifted_at ${lifted}`,
    )
    .join(' UNION ALL ');

/** Whether hashes of follow-up $2 of account $1 were never entered. */
export const unentered = ({ by }: Dialect): string =>
  `NOT EXISTS (SELECT 1 FROM no_contact${by('no_contact_said')}
    WHERE account = $1 AND follow_up = $2 AND kind = 'unknown')`;

/** Finds a row unless one of values $2 or hashes $3 of account $1 stands at $4. */
export const allows = (dialect: Dialect): string => {
  const [value, mark] = standing(dialect, '1', 'account = $1');
  return `SELECT 1 WHERE NOT EXISTS (${value}) AND NOT EXISTS (${mark})`;
};

/** Rows of version 1.0, in order, after one. Entries lie with their accounts, so they are asked for apart. */
export const legacy = ({ limit }: Dialect): string =>
  `SELECT of_account, mark, follow_up, record FROM do_not_contact
    WHERE (of_account, mark, follow_up) > ($1, $2, $3)
    ORDER BY of_account, mark, follow_up LIMIT ${limit('$4')}`;
