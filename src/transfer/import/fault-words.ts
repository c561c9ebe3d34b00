/** What is wrong with a row, for its `_error`. */

/** As much of a fault as is told. */
export interface RowFault {
  readonly param?: string | undefined;
  readonly message: string;
}

/** Every fault, one after the other, each with the field that it is about. */
export function inWords(faults: readonly RowFault[]): string {
  return faults
    .map(({ param, message }) =>
      param === undefined || message.includes(param) ? message : `${param}: ${message}`,
    )
    .join(' ');
}
