/** Files as rows: each the body of an upsert, or why there is none. */
import { Faults } from '../../errors.ts';
import type { Resource } from '../../schema/define.ts';
import { parseJsonBody, stringify } from '../../schema/json/json.ts';
import { readLines } from '../../schema/lines.ts';
import { isObject, type Json, type JsonObject, setMember } from '../../schema/values.ts';
import { cellReader } from '../../tables/inert.ts';
import { BodyWriter, type Empty } from './body.ts';
import { asUtf8 } from './bytes.ts';
import { type CellRules, readCell } from './cell.ts';
import { MAX_ROW_BYTES } from './csv.ts';
import type { SourceRow, SourceTable } from './table.ts';
import type { FieldTarget } from './target.ts';

/** A row of a file. */
export interface ImportRow {
  readonly number: number;
  /** JSON text, where there is no fault. */
  readonly body: string;
  /** One sentence. */
  readonly fault?: string;
  /** As it was read, to be written again where it is rejected. */
  readonly cells: readonly string[];
}

export type Constants = readonly (readonly [target: FieldTarget, value: string])[];

export interface TableRules extends CellRules {
  readonly targets: readonly (FieldTarget | undefined)[];
  readonly constants: Constants;
  readonly empty: Empty;
}

/** The rows of a table. */
export async function* tableRows(
  table: SourceTable,
  rules: TableRules,
): AsyncGenerator<ImportRow[]> {
  const { targets, constants, empty } = rules;
  const width = targets.length;
  const writer = new BodyWriter([...targets, ...constants.map(([target]) => target)], empty);
  const fixed = constants.map(([, value]) => value);
  const asItWas = cellReader(table.header);
  for await (const rows of table.rows()) {
    yield rows.map((row) => {
      const { number, cells } = row;
      const fault = row.fault ?? widthFault(row, width);
      if (fault !== undefined) return { number, cells, body: '', fault: sentence(fault) };
      const values: string[] = [];
      const faults: string[] = [];
      for (const [at, target] of targets.entries()) {
        const read =
          target === undefined ? { value: '' } : readCell(target, asItWas(cells[at] ?? ''), rules);
        if ('fault' in read) faults.push(`${target?.name} ${read.fault}.`);
        else values.push(read.value);
      }
      if (faults.length > 0) return { number, cells, body: '', fault: faults.join(' ') };
      return { number, cells, body: writer.write([...values, ...fixed]) };
    });
  }
}

function widthFault({ cells }: SourceRow, width: number): string | undefined {
  if (cells.length === width) return undefined;
  return `the row has ${cells.length} cells, and the header ${width}`;
}

/** The rows of a file with an object of JSON in each line. */
export async function* lineRows(
  path: string,
  encoding: string,
  resource: Resource,
  constants: Constants,
): AsyncGenerator<ImportRow[]> {
  const limits = { longest: MAX_ROW_BYTES, together: 256 };
  await using source = asUtf8(path, encoding);
  for await (const lines of readLines(source, limits)) {
    yield lines.map(({ number, bytes }) => {
      if (bytes === undefined) {
        return {
          number,
          cells: [],
          body: '',
          fault: `The line is larger than ${MAX_ROW_BYTES} bytes.`,
        };
      }
      const cells = [Buffer.from(bytes).toString().trimEnd()];
      const faults = new Faults();
      const value = parseJsonBody(bytes, faults);
      const [first] = faults.named;
      if (first !== undefined || !isObject(value)) {
        return { number, cells, body: '', fault: first?.message ?? 'The line is no JSON object.' };
      }
      return { number, cells, body: stringify(withoutGiven(value, resource, constants)) };
    });
  }
}

/** Without what the service gave the record, and with what holds for all rows. */
function withoutGiven(sent: JsonObject, resource: Resource, constants: Constants): JsonObject {
  const own: JsonObject = {};
  for (const name of Object.keys(sent)) {
    if (!name.startsWith('_')) setMember(own, name, sent[name] as Json);
  }
  const namesParent = Object.keys(own).some(
    (name) => name.endsWith('_unique_identifier') && Object.hasOwn(resource.upsert, name),
  );
  for (const [{ name }, value] of constants) {
    if (Object.hasOwn(own, name) || (name.endsWith('_unique_identifier') && namesParent)) continue;
    own[name] = value;
  }
  return own;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
