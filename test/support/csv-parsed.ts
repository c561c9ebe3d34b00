/** The cells of a table, read by a parser that is not ours. */
import { parse } from 'csv-parse/sync';

export function csvParsed(text: string): readonly (readonly string[])[] {
  return parse(text, { bom: true, relax_column_count: true }) as string[][];
}
