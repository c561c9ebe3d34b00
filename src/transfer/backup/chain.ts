/** A folder of backups with increments: each whole backup and what follows it, by their names. */
import { readdirSync } from 'node:fs';
import { BackupUnusable } from './damaged.ts';
import { momentOf } from './file.ts';

const ENDING = '.ndjson.zst';
const NAME = /^(ledgerstone-\d{8}T\d{6}Z)\+(\d{6})-(\d{13})\.ndjson\.zst$/;

export interface IncrementFile {
  readonly name: string;
  readonly number: number;
  /** In milliseconds since 1970. */
  readonly moment: number;
}

export interface Chain {
  /** The name of the whole backup. */
  readonly base: string;
  readonly moment: number;
  /** By their numbers. */
  readonly increments: readonly IncrementFile[];
}

export function incrementName(base: string, number: number, moment: number): string {
  return `${base.slice(0, -ENDING.length)}+${String(number).padStart(6, '0')}-${moment}${ENDING}`;
}

/** The oldest first. Other files of the folder are left out. */
export function readChains(folder: string): readonly Chain[] {
  const names = readdirSync(folder).toSorted();
  const increments = Map.groupBy(
    names.flatMap((name) => {
      const [, base, number, moment] = NAME.exec(name) ?? [];
      return base === undefined
        ? []
        : [{ base: base + ENDING, name, number: Number(number), moment: Number(moment) }];
    }),
    ({ base }) => base,
  );
  return names.flatMap((base) => {
    const moment = momentOf(base);
    return moment === undefined ? [] : [{ base, moment, increments: increments.get(base) ?? [] }];
  });
}

/** Whether the file is what a follower that was killed has left. */
export function isLeft(name: string): boolean {
  return name.endsWith('.partial') && NAME.test(name.slice(0, -'.partial'.length));
}

/**
 * What shows the last moment up to `at`; `undefined` where nothing goes back there, to
 * the second. Throws `BackupUnusable` where it cannot be told which one is the last,
 * since one is missing.
 */
export function chainAt(folder: string, at: number): Chain | undefined {
  const chain = readChains(folder)
    .filter((one) => lastUpTo(one, at) > 0)
    .toSorted((one, other) => lastUpTo(one, at) - lastUpTo(other, at))
    .at(-1);
  if (chain === undefined) return undefined;
  const { base, increments } = chain;
  const until = increments.findLastIndex(({ moment }) => moment <= at) + 1;
  // The one after them tells whether one between is missing, unless that very moment is meant.
  const looked = increments[until - 1]?.moment === at ? until : until + 1;
  for (const [index, { number }] of increments.slice(0, looked).entries()) {
    if (number === index + 1) continue;
    const fault =
      number <= index
        ? `Two increments of ${base} have the number ${number}`
        : `Increment ${index + 1} of ${base} is missing`;
    throw new BackupUnusable(`${fault}. ${insteadOf(chain, index)}`);
  }
  return { ...chain, increments: increments.slice(0, until) };
}

/** The last moment of a chain up to a time; 0 where it has none. */
function lastUpTo({ moment, increments }: Chain, at: number): number {
  const last = increments.findLast((one) => one.moment <= at);
  // Names of whole backups tell the second in which they were taken.
  return last?.moment ?? (moment + 999 <= at ? moment : 0);
}

/** What to do where the increment at that index cannot be used. */
export function insteadOf({ base, increments }: Chain, index: number): string {
  const before = increments[index - 1];
  return before === undefined
    ? `What was before it is in ${base}: restore that file by its name.`
    : `To restore what was before it, say --at ${new Date(before.moment).toISOString()}.`;
}
