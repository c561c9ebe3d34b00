/** Puts the names of the parts that lie at a server into statements. */
import { quoteName } from '../../names.ts';

/** A quoted name where a table stands, or before one of its columns. A column may be called as a table is, such as `sync`. */
const QUOTED_TABLE =
  /(?<=\b(?:FROM|JOIN|INTO|UPDATE|USING|ONLY|TABLE)\s+)"((?:[^"]|"")+)"|"((?:[^"]|"")+)"(?=\.)/g;

/** The statement with the names of parts in the place of those of tables. */
export function withParts(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(QUOTED_TABLE, (quoted: string, read = '', qualified = read) => {
    const part = names.get(qualified.replaceAll('""', '"'));
    return part === undefined ? quoted : quoteName(part);
  });
}
