/** Entries of the register as they are said, left and asked for. */
import type { NoContact } from '../declares.ts';

/** One value, and what is said of it. */
export type SaidNo = Pick<NoContact, 'account' | 'kind' | 'value' | 'said_by' | 'source'> &
  Partial<NoContact> & { readonly mark?: string };

/** A follow-up that version 1.0 has closed so, and its record. */
export interface Legacy {
  readonly account: string;
  readonly follow_up: string;
  readonly record: string;
}

/** A record that version 1.0 has left: what is said of it first, then of what it is known by, and all hashes. */
export interface LeftNo {
  readonly said: readonly [record: SaidNo, ...known: SaidNo[]];
  readonly marks: readonly string[];
}

export interface NoContactQuery {
  readonly account: string;
  readonly isLifted: boolean;
  readonly kind?: string | undefined;
  readonly before: string;
  readonly limit: number;
}

/** Picks what is said of values of which it was not said before. */
export function unsaid(said: readonly SaidNo[], before: readonly SaidNo[]): readonly SaidNo[] {
  return said.filter(
    ({ kind, value }) => !before.some((one) => one.kind === kind && one.value === value),
  );
}
