/** Who may be contacted, as a feature's register has it, for what acts on records: it is asked, and told, in commits of others. */
import type { RecordShape, SearchedField } from '../../core/schema/shape.ts';
import type { StoredRecord } from '../promises/stored.ts';
import type { BookWrite, FindSaid } from './tables.ts';

/** A phone number or an email address, as it stands somewhere. */
export interface Contact {
  readonly as: Exclude<SearchedField['as'], 'words'>;
  readonly text: string;
}

/** By what somebody is known: values, the record among them, and hashes. */
export interface ContactSigns {
  readonly values: readonly string[];
  readonly marks: readonly string[];
}

type Known = Pick<StoredRecord, 'account' | 'unique_identifier' | 'document' | 'version'>;

export interface ContactRegister {
  /** Whether anybody of these accounts is in the register. */
  some(accounts: readonly string[]): Promise<boolean>;
  /** Finds records whose person is in the register. */
  readonly said: FindSaid;
  /** Finds those of some records of an account, by what they are known by. */
  saidOf(
    account: string,
    ones: readonly { readonly record: string; readonly contacts: readonly Contact[] }[],
  ): Promise<ReadonlySet<string>>;
  signsOf(shape: RecordShape, record: Pick<Known, 'unique_identifier' | 'document'>): ContactSigns;
  /** Finds where entries with one of these signs come from: the follow-up that was closed so, or `null`. */
  saying(account: string, signs: ContactSigns): Promise<readonly (string | null)[]>;
  /** Begin a commit: it is not done while one of these is in the register, and what enters it waits. */
  guarding(account: string, signs?: ContactSigns): readonly BookWrite[];
  /** Nobody is to contact the person in that record: a follow-up was closed so. */
  refusing(
    shape: RecordShape,
    record: Known,
    said: { readonly follow_up: string; readonly by: string; readonly at: number },
  ): readonly BookWrite[];
  /**
   * Enters a person who refuses calls, or to be contacted at all, on their own record, unless that was erased: in a commit of its
   * own, which may be done again. What the document `known` said the same of stays as it is, also where that was lifted.
   */
  hear(
    shape: RecordShape,
    record: Known,
    said: {
      readonly by: string;
      readonly channels: readonly 'calls'[] | null;
      readonly known: string | null;
    },
  ): Promise<void>;
  /** They may be contacted again, as far as that follow-up said so. */
  lifting(
    account: string,
    follow_up: string,
    lifted: { readonly by: string; readonly at: number; readonly because: string | null },
  ): readonly BookWrite[];
}

/** Says no to nobody: there is no register. */
export const noRegister: ContactRegister = {
  some: async () => false,
  said: async () => new Set(),
  saidOf: async () => new Set(),
  signsOf: () => ({ values: [], marks: [] }),
  saying: async () => [],
  guarding: () => [],
  refusing: () => [],
  hear: async () => {},
  lifting: () => [],
};
