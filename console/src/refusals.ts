/** The service's refusals, in English. Each language replaces this file by one of its own. */

/** As much of a fault as its words depend on. */
export interface Refusal {
  readonly code: string;
  readonly param?: string | undefined;
  readonly message: string;
  readonly values?: Readonly<Record<string, string | number | readonly string[]>> | undefined;
}

/** `label`: what people call the parameter. */
export function refusalText({ param, message }: Refusal, label?: string): string {
  return param === undefined || label === undefined ? message : message.replace(param, () => label);
}

/** What a column of a file can be for. */
export function targetLabel({ label }: { readonly name: string; readonly label: string }): string {
  return label;
}
