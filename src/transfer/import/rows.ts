/** Files as rows: each the body of an upsert, or why there is none. */
import { ApiError, Faults } from '../../errors.ts';
import type { Resource } from '../../schema/define.ts';
import { parseJsonBody, stringify } from '../../schema/json/json.ts';
import { readLines } from '../../schema/lines.ts';
import { parseUpsert } from '../../schema/parse.ts';
import { isObject, type Json, type JsonObject, setMember } from '../../schema/values.ts';
import { cellReader } from '../../tables/inert.ts';
import { BodyWriter, type Empty } from './body.ts';
import { asUtf8 } from './bytes.ts';
import { type CellRules, readCell } from './cell.ts';
import { MAX_ROW_BYTES } from './csv.ts';
import type { RowFault } from './fault-words.ts';
import { type Joined, joinedCell } from './mapping.ts';
import type { SourceRow, SourceTable } from './table.ts';
import type { FieldTarget } from './target.ts';

/** A row of a file. */
export interface ImportRow {
  readonly number: number;
  /** JSON text, where there is no fault. */
  readonly body: string;
  /** All that is wrong with it. */
  readonly faults?: readonly RowFault[];
  /** As it was read, to be written again where it is rejected. */
  readonly cells: readonly string[];
}

export type Constants = readonly (readonly [target: FieldTarget, value: string])[];

export interface TableRules extends CellRules {
  readonly targets: readonly (FieldTarget | undefined)[];
  readonly joined: readonly Joined[];
  readonly constants: Constants;
  readonly empty: Empty;
}

/** The rows of a table. */
export async function* tableRows(
  table: SourceTable,
  resource: Resource,
  rules: TableRules,
): AsyncGenerator<ImportRow[]> {
  const { targets, joined, constants, empty } = rules;
  const width = targets.length;
  const writer = new BodyWriter([...targets, ...constants.map(([target]) => target)], empty);
  const fixed = constants.map(([, value]) => value);
  const asItWas = cellReader(table.header);
  for await (const rows of table.rows()) {
    yield rows.map((row) => {
      const { number, cells } = row;
      const fault = row.fault ?? widthFault(row, width);
      if (fault !== undefined)
        return { number, cells, body: '', faults: [{ message: sentence(fault) }] };
      const values: string[] = [];
      const faults: RowFault[] = [];
      for (const [at, target] of targets.entries()) {
        const cell = asItWas(joinedCell(cells, at, joined));
        const read = target === undefined ? { value: '' } : readCell(target, cell, rules);
        if ('fault' in read) {
          const param = target?.name ?? '';
          faults.push({ param, message: `${param} ${read.fault}.` });
        }
        values.push('fault' in read ? '' : read.value);
      }
      const body = writer.write([...values, ...fixed]);
      if (faults.length === 0) return { number, cells, body };
      return { number, cells, body: '', faults: [...faults, ...others(resource, body, faults)] };
    });
  }
}

/** What is wrong with the rest of a row, of which some cells cannot be read. */
function others(
  resource: Resource,
  body: string,
  unread: readonly RowFault[],
): readonly RowFault[] {
  try {
    const sent = Buffer.from(body);
    parseUpsert(resource, { encoding: 'json', body: sent, query: '', unknown: 'refuse' });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.faults.filter(
      ({ param = '' }) => !unread.some((one) => isWithin(one.param ?? '', param)),
    );
  }
}

/** Whether one is the other, or a member of it. */
export function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
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
          faults: [{ message: `The line is larger than ${MAX_ROW_BYTES} bytes.` }],
        };
      }
      const cells = [Buffer.from(bytes).toString().trimEnd()];
      const faults = new Faults();
      const value = parseJsonBody(bytes, faults);
      const [first] = faults.named;
      if (first !== undefined || !isObject(value)) {
        const message = first?.message ?? 'The line is no JSON object.';
        return { number, cells, body: '', faults: [{ message }] };
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
