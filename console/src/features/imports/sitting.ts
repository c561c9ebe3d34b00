/** The import that a person is at: it stays as it is while they are on other screens. */
import { effect, signal } from '@preact/signals';
import { keep } from '../../parts/staying.ts';
import { belowAccounts } from '../../records/description.ts';
import { session } from '../../service/session.ts';
import type { FixKind } from './fix/kinds.ts';
import type { FileOptions, Look, Outcome, Question } from './service.ts';

export type At = 'choose' | 'reading' | 'question' | 'match' | 'fix' | 'import' | 'done';

export interface Sitting {
  readonly at: At;
  readonly file?: File;
  readonly options: FileOptions;
  readonly question?: Question;
  readonly look?: Look;
  /** The outcome of the last check, or of the import; left out where something was chosen since. */
  readonly outcome?: Outcome | undefined;
  /** The kinds that were there in any check so far: those that are gone are fixed. */
  readonly seen: readonly FixKind[];
  /** The kinds of which the person has said how they are read, or that were ticked for them. */
  readonly decided: readonly string[];
  /** How many checks of cells are under way. */
  readonly judging: number;
  readonly progress?: readonly [done: number, all: number] | undefined;
  readonly error?: unknown;
  /** How many imports were finished here. */
  readonly finished: number;
}

export const sitting = signal<Sitting | undefined>(undefined);

/** Where a file is read and nothing is imported of it: what was chosen and corrected goes with the page. */
const BEGUN: readonly (At | undefined)[] = ['match', 'fix', 'import'];

effect(() => {
  if (BEGUN.includes(sitting.value?.at)) return keep({ isThere: () => true, lasts: true });
});

/** The sitting, which begins where there is none. */
export function useSitting(): Sitting {
  sitting.value ??= {
    at: 'choose',
    options: {
      name: '',
      resource: belowAccounts.find(({ anchor }) => anchor === undefined)?.path ?? '',
      account: session.value?.accounts[0]?.unique_identifier,
      us_phones: true,
    },
    ...{ seen: [], decided: [], judging: 0, finished: 0 },
  };
  return sitting.value;
}

export function put(change: Partial<Sitting>): void {
  if (sitting.value !== undefined) sitting.value = { ...sitting.value, ...change };
}
