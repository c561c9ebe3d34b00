/** Expectations of each feature that tests of the whole service check: `expected.ts` in its folder of `test/features/`. */
import { globSync } from 'node:fs';
import type { Listed } from './largest.ts';

/** A request to an operation. */
export interface Call {
  /** The identifier in the path. */
  readonly id?: string;
  /** The rest of the path, where it has more parameters. */
  readonly rest?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The account that operations are called for. */
export interface CallsGround {
  /** Makes a visitor. */
  // biome-ignore lint/suspicious/noExplicitAny: as different as what resources take
  visitor(): Promise<{ readonly id: string; readonly body: any }>;
  /** Sends a request that is to succeed; a text is a file. */
  // biome-ignore lint/suspicious/noExplicitAny: as different as the answers of operations
  does(method: string, path: string, body?: unknown): Promise<any>;
}

export interface Expected {
  /** The roles that have each right of the feature. */
  readonly rights?: Readonly<Record<string, readonly string[]>>;
  /** Rights that people of some locations have as well. */
  readonly limitedRights?: readonly string[];
  /** Operations that answer a key that is limited, each with why that shows nothing beyond its limits. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Messages of the console that are written as in English, by the language; `all`: in each. */
  readonly alike?: Readonly<Record<string, readonly string[]>>;
  /** Classes of rows in the order in which a transaction locks them. */
  readonly locks?: Readonly<Record<string, readonly string[]>>;
  /** The largest entries of each list that it has, or why no caller makes a page of it large. */
  readonly lists?: Readonly<Record<string, Listed | string>>;
  /** Calls that succeed, by the operation's method and route. */
  readonly calls?: (
    ground: CallsGround,
  ) => Readonly<Record<string, () => Promise<readonly Call[]>>>;
}

const FILES = globSync('../features/*/expected.ts', { cwd: import.meta.dirname }).sort();
const all = await Promise.all(
  FILES.map(async (file) => ((await import(file)) as { readonly expected: Expected }).expected),
);

/** Unites a member of what is expected of all features. */
export function expectedOf<K extends 'rights' | 'answers' | 'locks' | 'lists'>(
  name: K,
): NonNullable<Expected[K]> {
  return Object.assign({}, ...all.map((one) => one[name]));
}

/** Messages of features that are written as in English in that language. */
export const alikeIn = (language: string): readonly string[] =>
  all.flatMap(({ alike = {} }) => [...(alike.all ?? []), ...(alike[language] ?? [])]);

export const limitedRights = all.flatMap((one) => one.limitedRights ?? []);

export const expectedCalls = (ground: CallsGround) =>
  Object.assign({}, ...all.map((one) => one.calls?.(ground))) as ReturnType<
    NonNullable<Expected['calls']>
  >;
