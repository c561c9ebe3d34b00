/** The service's refusals, in English. Each language replaces this file by one of its own. */

/** As much of a fault as its words depend on. */
export interface Refusal {
  readonly code: string;
  readonly param?: string | undefined;
  readonly message: string;
}

/** `label`: what people call the parameter. */
export function refusalText({ param, message }: Refusal, label?: string): string {
  return param === undefined || label === undefined ? message : message.replace(param, () => label);
}

/** A whole sentence: why a row of a file was refused, how a file was read, what an erasure does not reach. */
export function sentenceText(text: string): string {
  return text;
}

/** The file of refused rows. */
export function refusedFile(text: string): string {
  return text;
}

/** What a column of a file can be for. */
export function targetLabel({ label }: { readonly name: string; readonly label: string }): string {
  return label;
}
