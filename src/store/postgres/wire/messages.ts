/** The messages that execute prepared statements (PostgreSQL's protocol, message flow, extended query). */
import { Buffer } from 'node:buffer';
import { serialize } from 'pg-protocol/dist/serializer.js';

/** A prepared statement with its values, as they go over the wire: texts, or bytes in the server's binary form. */
export interface Bound {
  /** ASCII. */
  readonly name: string;
  /** Its text, if the server has yet to prepare it. */
  readonly text?: string | undefined;
  readonly values: readonly (string | Buffer | null)[];
}

/**
 * A `Bind` and an `Execute` for each, with a `Parse` first if it is not prepared,
 * and one `Sync` at the end. The first is executed at once; the others when all
 * that they are to write is there: the server takes no lock while it waits for
 * the rest of a message, from a slow network or a process that was stopped.
 */
export function messages([first, ...others]: readonly Bound[]): Buffer {
  if (first === undefined) return serialize.sync();
  return Buffer.concat([
    ...[first, ...others].flatMap(prepare),
    bind(first, ''),
    serialize.execute(),
    ...others.map((one, at) => bind(one, `p${at}`)),
    ...others.map((_, at) => serialize.execute({ portal: `p${at}` })),
    serialize.sync(),
  ]);
}

/** A message that failed half way may have left one of that name. Closing one that does not exist is not an error. */
function prepare({ name, text }: Bound): Buffer[] {
  if (text === undefined) return [];
  return [serialize.close({ type: 'S', name }), serialize.parse({ name, text })];
}

function bind({ name: statement, values }: Bound, portal: string): Buffer {
  return serialize.bind({ portal, statement, values: [...values] });
}
