/** Remembers what an account has chosen for a file, for the next one with the same columns, and what it calls its locations. */
import { createHash } from 'node:crypto';
import type { Resource } from '../../../core/schema/define.ts';
import { isZoneName } from '../../../core/schema/fields/kinds/time-zone.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { ImportRun } from '../declares/import-run.ts';
import { type Mapping, mapColumns } from './mapping.ts';
import type { Chosen } from './places.ts';
import type { Empty } from './rows.ts';
import type { DateOrder } from './table/dates.ts';
import { folded } from './table/headings.ts';
import type { SourceTable } from './table/table.ts';
import type { Remedies } from './words.ts';

/** By the identifier of a location, the area code of its phone numbers. */
export type AreaCodes = Readonly<Record<string, string>>;

/** The choices for a file that may be the same for the next one. */
export interface Choices {
  readonly map?: Mapping | undefined;
  /** By the name of a parameter its value in every row. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly dates?: DateOrder | undefined;
  readonly time_zone?: string | undefined;
  readonly us_phones?: boolean | undefined;
  /** How names are written; left out, as they are taken, but nobody has said so. */
  readonly names?: 'last_first' | 'as_written' | undefined;
  /** Whether words beside a phone number are left out or kept; left out, the number is refused. */
  readonly phone_words?: 'leave_out' | 'keep' | undefined;
  readonly area_code?: string | undefined;
  readonly short_years?: boolean | undefined;
  /** Whether `3:00p` is a time; left out, it is. */
  readonly short_times?: boolean | undefined;
  readonly empty?: Empty | undefined;
  /** By the identifier of a location the area code of its numbers, as it was said for rows there. */
  readonly area_codes?: AreaCodes | undefined;
  /** The choices for names that mean no location, or several. */
  readonly chosen?: Chosen | undefined;
}

/** An earlier import of a file with the same columns, and what was chosen for it. */
export interface Like {
  readonly import: string;
  readonly name: string;
  readonly choices: Choices;
}

/** Earlier imports that are looked at for one into the same accounts. */
const LOOKED_AT = 20;
/** In place of an import: no choices of earlier files are used. */
export const NO_LIKE = 'none';
/** In place of an area code: what was said before for locations of these rows is taken back. */
export const NO_AREA = 'none';
/** Imports whose names of locations count. */
const PLACES_OF = 50;

/** A hash of columns that does not depend on their order, nor on how their names are written. */
export function headingsOf(resource: Resource, header: readonly string[]): string {
  const names = header.filter((name) => !name.startsWith('_')).map(folded);
  const all = JSON.stringify([resource.path, ...names.sort()]);
  return createHash('sha256').update(all).digest('hex');
}

interface Remembering {
  readonly accounts: ReadonlySet<string>;
  /** Whether the caller sees an import; those of all accounts see all. */
  readonly sees?: (run: ImportRun) => boolean;
  /** The import whose choices are wanted; else the latest of a file with the same columns. */
  readonly wanted?: string | undefined;
}

/** Finds what was chosen for files with the same columns. */
export function memoryOf(
  { imports }: Pick<Store, 'imports'>,
  { accounts, sees = () => true, wanted }: Remembering,
) {
  const likeOf = async (run: ImportRun): Promise<Like | undefined> => {
    const kept = await imports.remembered(run.unique_identifier);
    if (kept === undefined) return undefined;
    const name = run.files[0]?.name.split('/').at(-1) ?? '';
    const { area_code, time_zone, ...others } = JSON.parse(kept) as Choices;
    // Some names of zones were taken once and are refused now: people choose again.
    const choices = time_zone && isZoneName(time_zone) ? { time_zone, ...others } : others;
    // What was taken back is no choice.
    const isSaid = area_code !== undefined && area_code !== NO_AREA;
    return {
      import: run.unique_identifier,
      name,
      choices: isSaid ? { area_code, ...choices } : choices,
    };
  };
  const isOwn = (run: ImportRun): boolean =>
    run.accounts.some((one) => accounts.has(one)) && sees(run);
  const read = async (): Promise<readonly Like[]> => {
    const all: Like[] = [];
    for (const account of accounts)
      for (const id of (await imports.withMemory(account)).slice(-PLACES_OF)) {
        const run = await imports.find(id);
        const like = run !== undefined && isOwn(run) ? await likeOf(run) : undefined;
        if (like !== undefined) all.push(like);
      }
    return all;
  };
  let known: Promise<readonly Like[]> | undefined;
  const kept = (): Promise<readonly Like[]> => {
    known ??= read();
    return known;
  };
  return {
    async like(resource: Resource, header: readonly string[]): Promise<Like | undefined> {
      if (wanted !== undefined) {
        const run = await imports.find(wanted);
        return run !== undefined && isOwn(run) ? likeOf(run) : undefined;
      }
      const runs = await imports.alike(headingsOf(resource, header), LOOKED_AT);
      const own = runs.find((run) => isOwn(run) && run.status === 'finished');
      return own && likeOf(own);
    },
    /** By location the area code of its phone numbers, as it was said for any import so far. */
    async areaCodes(): Promise<AreaCodes> {
      const all: Record<string, string> = {};
      for (const { choices } of await kept()) Object.assign(all, choices.area_codes);
      return Object.fromEntries(Object.entries(all).filter(([, code]) => code !== NO_AREA));
    },
    /** By what files of these accounts call a location in any import so far, its identifier. */
    async chosen(): Promise<Chosen> {
      const all: Record<string, string> = {};
      for (const { choices } of await kept()) Object.assign(all, choices.chosen);
      return all;
    },
  };
}

export type Memory = ReturnType<typeof memoryOf>;

/** The choices of an import, as they are kept. */
export function choicesIn(options: Choices): string {
  const { map, set, dates, time_zone, us_phones, names, empty, chosen } = options;
  const { phone_words, area_code, short_years, short_times } = options;
  const readings = { us_phones, names, phone_words, area_code, short_years, short_times };
  return JSON.stringify({ map, set, dates, time_zone, ...readings, empty, chosen });
}

/** The area code that was said, or that none is to be used. */
export function areaCodeIn(said: string | undefined) {
  const hasNoArea = said === NO_AREA;
  if (said !== undefined && !hasNoArea && !/^\d{3}$/.test(said))
    throw new TransferRefused('An area code has three digits, such as 507.');
  return { areaCode: hasNoArea ? undefined : said, hasNoArea };
}

/** The choices, with the area code that was said for numbers of seven digits at each of the locations. */
export function withAreaCodes(choices: string, anchors: ReadonlySet<string>): string {
  const made = JSON.parse(choices) as Choices;
  const { area_code } = made;
  if (area_code === undefined || anchors.size === 0) return choices;
  const area_codes = Object.fromEntries([...anchors].map((one) => [one, area_code]));
  return JSON.stringify({ ...made, area_codes });
}

/** The choices that are left where some are taken back. */
export function without<T extends object>(choices: T, names: readonly string[]): T {
  const left = Object.entries(choices).filter(([name]) => !names.includes(name));
  return Object.fromEntries(left) as T;
}

/** The options with what was chosen before, where nothing is said now. */
export function withChoices<T extends Choices>(
  said: T,
  { choices }: Like,
  header: readonly string[],
  takenBack: readonly string[] = [],
): T {
  const { map = {}, set = {}, area_codes: _, ...others } = without(choices, takenBack);
  const known = Object.entries(map).filter(([column]) => header.includes(column));
  const given = Object.values({ ...Object.fromEntries(known), ...said.map });
  const free = Object.entries(set).filter(([name]) => !given.includes(name));
  const rest = Object.entries(others).filter(([name]) => said[name as keyof Choices] === undefined);
  return {
    ...said,
    ...Object.fromEntries(rest),
    map: { ...Object.fromEntries(known), ...said.map },
    set: { ...Object.fromEntries(free), ...said.set },
    chosen: { ...others.chosen, ...said.chosen },
  };
}

/** Whether choices of before make a difference: without them, a column is another, or something is open. */
export function isOtherwise(
  resource: Resource,
  table: SourceTable,
  said: Choices & { readonly remedies: Remedies },
  now: Choices & { readonly remedies: Remedies; readonly before?: DateOrder | undefined },
): boolean {
  if (now.before !== undefined || isOther(said, now)) return true;
  const [own, remembered] = [said, now].map(({ map = {}, remedies }) => {
    try {
      const { mapping, unknown } = mapColumns(resource, table, map, remedies);
      return JSON.stringify([mapping, unknown]);
    } catch {
      return undefined;
    }
  });
  return own !== remembered;
}

function isOther(said: Choices, now: Choices): boolean {
  const { map: _said, ...before } = JSON.parse(choicesIn(said)) as Choices;
  const { map: _now, ...after } = JSON.parse(choicesIn(now)) as Choices;
  const blank = { set: {}, chosen: {} };
  return (
    JSON.stringify(sorted({ ...blank, ...before })) !==
    JSON.stringify(sorted({ ...blank, ...after }))
  );
}

function sorted(choices: object): unknown {
  return Object.entries(choices).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Forgets choices that mention a person. Returns how many. */
export async function forgetMentions(
  imports: Store['imports'],
  account: string,
  mentions: (text: string) => boolean,
  { cuts }: { readonly cuts: boolean },
): Promise<number> {
  let count = 0;
  for (const id of await imports.withMemory(account)) {
    const kept = await imports.remembered(id);
    if (kept === undefined || !mentions(kept)) continue;
    count += 1;
    if (cuts) await imports.remember(id, '', undefined);
  }
  return count;
}
