/** What is wrong with a row, for its `_error`. */

export interface Fault {
  readonly param?: string | undefined;
  readonly message: string;
}

/** Every fault, one after the other, each with the field that it is about. */
export function inWords(faults: readonly Fault[]): string {
  return faults
    .map(({ param, message }) =>
      param === undefined || message.includes(param) ? message : `${param}: ${message}`,
    )
    .join(' ');
}
