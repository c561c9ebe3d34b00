/** The service's refusals, as people read them once their words are there, which come after the page. */
import { signal } from '@preact/signals';

/** As much of a fault as its words depend on. */
export interface Refusal {
  readonly code: string;
  readonly param?: string | undefined;
  readonly message: string;
  readonly values?: Readonly<Record<string, string | number | readonly string[]>> | undefined;
}

export interface Wording {
  /** `label`: what people call the parameter. */
  readonly refusalText: (refusal: Refusal, label?: string) => string;
  /** What a column of a file can be for. */
  readonly targetLabel: (target: { readonly name: string; readonly label: string }) => string;
}

const wording = signal<Wording | undefined>(undefined);

export function setWording(words: Wording): void {
  wording.value = words;
}

export function refusalText(refusal: Refusal, label?: string): string {
  return wording.value?.refusalText(refusal, label) ?? refusal.message;
}

export function targetLabel(target: Parameters<Wording['targetLabel']>[0]): string {
  return wording.value?.targetLabel(target) ?? target.label;
}
