/** Commands of each feature that are performed on a store and by a service elsewhere: `performing.ts` in its folder of `test/features/`. */
import { globSync } from 'node:fs';
import type { programIn } from './cli-program.ts';

export type Answer = Readonly<Record<string, unknown>> & { readonly unique_identifier: string };

/** An account with a location, a service and a visitor, and the ways to a command. */
export interface PerformingGround {
  readonly account: string;
  readonly location: string;
  readonly event: string;
  readonly visitor: string;
  /** A source that has sent. */
  readonly source: string;
  /** The key with all rights that performs what is done elsewhere. */
  readonly key: string;
  /** The folder in which commands run, and the program there. */
  readonly cwd: string;
  readonly at: ReturnType<typeof programIn>;
  /** The options that send a command elsewhere; none where it works on the store. */
  readonly elsewhere: readonly string[];
  /** Performs a command, whose answer is compared; `id` gives its identifier, `all` that of a list. */
  json(...words: string[]): Promise<Answer>;
  id(...words: string[]): Promise<string>;
  all(...words: string[]): Promise<readonly Answer[]>;
  /** Makes a visitor of the service, and gives its identifier. */
  visit(name: string): Promise<string>;
  /** Makes a key that reads and writes, and gives its secret. */
  newSecret(): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: as different as the answers of operations
  send(path: string, body?: object, by?: string): Promise<any>;
}

interface Performing {
  /** Performs each command of the feature that takes `--url`. */
  readonly performs: (on: PerformingGround) => Promise<void>;
  /** Commands that it performs whose answers cannot be alike, each with why. */
  readonly unlike?: Readonly<Record<string, string>>;
}

const FILES = globSync('../features/*/performing.ts', { cwd: import.meta.dirname }).sort();
const all = await Promise.all(FILES.map(async (file) => (await import(file)) as Performing));

export async function performFeatures(on: PerformingGround): Promise<void> {
  for (const { performs } of all) await performs(on);
}

export const unlikeOfFeatures: Readonly<Record<string, string>> = Object.assign(
  {},
  ...all.map(({ unlike }) => unlike),
);
