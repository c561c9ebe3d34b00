/** Statements that find what the people of records are known by, for each resource that has follow-ups. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { statements } from '../../../store/books/tables.ts';
import { keyColumn, tableOf } from '../../../store/names.ts';

function perShape<T>(make: (shape: RecordShape) => T): (shape: RecordShape) => T {
  const made = new WeakMap<RecordShape, T>();
  return (shape) => made.getOrInsertComputed(shape, make);
}

/** The columns of phone numbers and email addresses in the table of a resource. */
const contactsOf = perShape(({ searched = [], keys }) =>
  searched.flatMap(({ path, as }) => {
    const key = keys.find((one) => one.path.join('.') === path.join('.'));
    return as === 'words' || key === undefined ? [] : [{ as, column: `its.${keyColumn(key)}` }];
  }),
);

export const contactsFrom = (shape: RecordShape, texts: readonly (string | number | null)[]) =>
  contactsOf(shape).flatMap(({ as }, at) => (texts[at] ? [{ as, text: String(texts[at]) }] : []));

/** Finds those of resource $2 in account $1 that are not closed, after record $3, with what its person is known by. */
export const openWith = perShape((shape) => {
  const text = (limit: string, join: string) => `SELECT ${[
    ...['one.anchor', 'one.reason', 'one.due_at', 'one.record'],
    ...contactsOf(shape).map(({ column }) => column),
  ]} FROM follow_up AS one ${join} AND its.unique_identifier = one.record
    WHERE one.of_account = $1 AND one.resource = $2 AND one.state <> 'closed'
      AND one.gone_at IS NULL AND one.record > $3 ORDER BY one.record LIMIT ${limit}`;
  const its = tableOf(shape);
  return statements({
    open: {
      sqlite: ({ limit }) =>
        text(
          limit('$4'),
          `JOIN "account" AS home ON home.unique_identifier = one.of_account
            JOIN ${its} AS its ON its.account = home.number`,
        ),
      postgres: ({ limit }) =>
        text(limit('$4'), `JOIN ${its} AS its ON its.account = one.of_account`),
    },
  }).open;
});

/** Finds records among $2 of account $1, with what their persons are known by. */
export const known = perShape((shape) => {
  const text = (join: string, where: string) =>
    `SELECT ${[
      'its.unique_identifier',
      ...contactsOf(shape).map(({ column }) => column),
    ]} FROM ${tableOf(shape)} AS its${join} WHERE ${where}`;
  const these = 'its.unique_identifier';
  return statements({
    known: {
      sqlite: ({ among }) =>
        text(
          ' JOIN "account" AS home ON home.number = its.account',
          `home.unique_identifier = $1 AND ${among(these, '$2')}`,
        ),
      postgres: ({ among }) => text('', `its.account = $1 AND ${among(these, '$2')}`),
    },
  }).known;
});
