/** The errors of the client: types, codes, and a class for each type. */
import {
  type CatalogueEntry,
  catalogue,
  type FaultValues,
  isStaffCode,
  typeOfStatus,
} from '../../src/core/errors.ts';
import type { Resource } from '../../src/core/schema/define.ts';
import { errorSchemas } from '../openapi/schemas/error-schemas.ts';
import { manySchemas } from '../openapi/schemas/many-schemas.ts';
import { pascalCase } from '../openapi/schemas/names.ts';
import { comment, typeText, union } from './type-text.ts';

export function errorsText([example]: readonly Resource[]): string {
  const schemas = {
    ...errorSchemas(''),
    ...(example === undefined ? {} : manySchemas(example, '')),
  };
  const types = ['ErrorType', 'ErrorCode', 'FaultValues', 'Fault', 'RowError', 'Outcome'] as const;
  return [
    "import { LedgerstoneError } from '../error.ts';\n",
    ...types.map((name) => {
      const { description, ...schema } = schemas[name] ?? {};
      return `${comment(String(description))}export type ${name} = ${typeText(schema, 'shown')};\n`;
    }),
    `${comment('The values that a fault has, by its code; other codes have none.')}export interface ErrorValues {
${Object.entries(catalogue)
  .flatMap(([code, { values }]: [string, CatalogueEntry]) =>
    values === undefined || isStaffCode(code) ? [] : `  ${code}: { ${membersOf(values)} };\n`,
  )
  .join('')}}\n`,
    ...classes.map(([type, name]) => {
      const codes = Object.entries(catalogue).filter(
        ([code, { status }]) => typeOfStatus(status) === type && !isStaffCode(code),
      );
      return `${comment(`An error of the type \`${type}\`.`)}export class ${name} extends LedgerstoneError {
  override readonly name: string = '${name}';
  declare readonly type: '${type}';
  declare readonly code: ${union(codes.map(([code]) => `'${code}'`))} | (string & {});
}\n`;
    }),
    `${comment('The class of each type of error.')}export const errorClasses = {
${classes.map(([type, name]) => `  ${type}: ${name},\n`).join('')}} as const;\n`,
  ].join('\n');
}

function membersOf(values: FaultValues): string {
  const typeOf = (value: FaultValues[string]) =>
    typeof value === 'object' ? 'readonly string[]' : typeof value;
  return Object.entries(values)
    .map(([name, value]) => `readonly ${name}: ${typeOf(value)}`)
    .join('; ');
}

const classes = [
  ...new Set(Object.values(catalogue).map(({ status }) => typeOfStatus(status))),
].map((type) => [type, pascalCase(type)] as const);
