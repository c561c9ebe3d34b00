/**
 * Where accounts are: a server of a cluster, and what the parts of the tables that hold them are
 * called there. Statements that name these parts are planned as on one server.
 */
import { quoteName } from '../../names.ts';
import { prepared } from '../statements/prepare.ts';
import { HELD, HERE, SETTING } from '../statements/together.ts';
import { Moved } from '../wire/failure.ts';
import {
  call,
  type Naming,
  type Session,
  type Statement,
  type TablePlace,
} from '../wire/session.ts';
import { numberArray } from '../wire/values.ts';

/** Citus takes this lock before it moves or splits a part, to the end: who has it in `SHARE` mode is waited for. */
const holding = 'pg_catalog.lock_shard_metadata(5, ';

/** Whether the part $1 is on this server, as SQL. */
const isHere = (
  part: string,
) => `EXISTS (SELECT FROM pg_catalog.pg_dist_placement WHERE shardid = ${part}
  AND groupid = (SELECT groupid FROM pg_catalog.pg_dist_local_group LIMIT 1))`;

const hold = prepared`SELECT ${holding}$1::bigint[])`;
const countHere = prepared<readonly [count: number]>`SELECT count(*)::int
  FROM unnest($1::bigint[]) AS part (id) WHERE ${isHere('part.id')}`;

export type Placement = ReturnType<typeof createPlacement>;

/**
 * `server` is as the cluster calls it, `host:port`; `part` identifies the part of the table of accounts; `names` are those
 * of the parts, by table.
 */
export function createPlacement(server: string, part: number, names: ReadonlyMap<string, string>) {
  const known = new WeakMap<Statement<readonly unknown[]>, Statement<readonly unknown[]>>();

  function nameIn(statement: Statement<readonly unknown[]>): Statement<readonly unknown[]> {
    const { name, text } = statement;
    const named = text
      .replace(/"((?:[^"]|"")+)"/g, (quoted: string, table: string) => {
        const part = names.get(table.replaceAll('""', '"'));
        return part === undefined ? quoted : quoteName(part);
      })
      .replaceAll(SETTING, `${SETTING}_${part}`)
      .replaceAll(HELD, `, ${holding}'{${part}}')`)
      .replaceAll(HERE, `WHERE ${isHere(`${part}`)}`);
    if (named === text) return statement;
    const own = name === undefined ? {} : { name: `${name}_${part}` };
    return { ...statement, ...own, text: named, named: true };
  }

  const name: Naming = (one) => {
    const { statement, values } = one;
    if (statement.named) return one;
    const named = known.get(statement) ?? nameIn(statement);
    known.set(statement, named);
    return { statement: named as typeof statement, values };
  };

  return { server, part, name };
}

/** The placements of some accounts at one server. */
export function createPlaced(of: ReadonlyMap<string, Placement>): TablePlace {
  const [first, ...others] = new Set(of.values());
  const name: Naming = others.length > 0 || first === undefined ? (one) => one : first.name;
  const parts = [...new Set([...of.values()].map(({ part }) => part))].sort();

  async function isHere(session: Session): Promise<boolean> {
    const [row] = await session.rows(call(countHere, numberArray(parts)));
    return row?.[0] === parts.length;
  }

  function at(account: string): Placement {
    const placement = of.get(account);
    if (placement === undefined) throw new Moved();
    return placement;
  }

  return {
    name,
    isHere,
    nameOf: (account) => at(account).name,
    groups(accounts) {
      const groups = Map.groupBy(accounts, (account) => at(account));
      return [...groups]
        .sort(([one], [other]) => one.part - other.part)
        .map(([{ name }, own]) => [name, own]);
    },
    async hold(session) {
      const holding = session.run(call(hold, numberArray(parts)));
      const [, here] = await Promise.all([holding, isHere(session)]);
      return here;
    },
  };
}
