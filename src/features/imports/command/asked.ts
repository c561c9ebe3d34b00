/** The options of an import as they were typed, and what it says meanwhile. */

import { asking } from '../../../cli/confirm.ts';
import { bytesOf } from '../../../cli/given.ts';
import { Mistake } from '../../../cli/mistake.ts';
import { count, progressLine, say } from '../../../cli/output.ts';
import type { PaceOptions } from '../../../cli/pace.ts';
import { Faults } from '../../../core/errors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { timeZone } from '../../../core/schema/fields/index.ts';
import { isObject, type Json } from '../../../core/schema/values.ts';
import type { Notice } from '../declares/answers.ts';
import type { ImportCounts } from '../declares/import-run.ts';
import { targetNamed } from '../serves/amounts.ts';
import type { Duplicates, Mapped, Mapping } from '../serves/mapping.ts';
import type { ImportOptions } from '../serves/plan.ts';
import type { Mode } from '../serves/run.ts';
import { detailCalled } from '../serves/table/headings.ts';
import type { SyncFlags } from './import-sync.ts';

/** The options of the command. */
export interface ImportFlags
  extends PaceOptions,
    SyncFlags,
    Pick<ImportOptions, 'resource' | 'account' | 'sheet' | 'encoding' | 'delimiter' | 'dates'> {
  readonly map?: string;
  readonly saveMap?: string;
  readonly headerRow?: string;
  readonly timeZone?: string;
  readonly phones?: 'us' | 'e164';
  /** The import whose choices are used. */
  readonly like?: string;
  readonly names?: 'last_first' | 'as_written';
  readonly phoneWords?: 'leave_out' | 'keep' | 'refuse';
  readonly areaCode?: string;
  /** `false`: not, whatever was chosen before. */
  readonly shortYears?: boolean;
  readonly empty: 'keep' | 'remove';
  readonly mode?: Mode;
  readonly maxFailed?: string;
  readonly rejected?: string;
  readonly dryRun?: true;
  readonly fromStart?: true;
  /** The address of the service that imports, in place of a store. */
  readonly url?: string;
  readonly plainHttp?: true;
  /** Where standard input is saved, if that is imported. */
  readonly input?: string;
  /** The name by which people know the only file, if it is read elsewhere. */
  readonly called?: string;
  /** The folder from which files are taken as they come. */
  readonly watch?: string;
  readonly quiet?: string;
}

export const EXIT_CODE = { rejected: 2, too_many_failed: 3, interrupted: 130 } as const;

export function inWordsTwice({ count: times, examples }: Duplicates, isSync: boolean): string {
  const [row, earlier] = examples[0] ?? [];
  return `${count(times, 'row')} ${times === 1 ? 'names' : 'name'} the same record as an earlier one (row ${row} that of row ${earlier}): the later row ${isSync ? 'is rejected if it differs' : 'changes it'}.`;
}

/** Whether a person has not decided it already. */
export function isNews({ what }: Pick<Notice, 'what'>, flags: ImportFlags): boolean {
  const { encoding, names } = flags;
  const decided = {
    ...{ encoding_guessed: encoding, names_reversed: names, years_short: flags.shortYears },
    ...{ phones_with_words: flags.phoneWords, phones_short: flags.areaCode },
  };
  return !(what in decided) || decided[what as keyof typeof decided] === undefined;
}

export function readAreaCode(text: string | undefined): string | undefined {
  if (text === undefined || text === 'none' || /^\d{3}$/.test(text)) return text;
  throw new Mistake(`--area-code must be three digits, or none, not ${JSON.stringify(text)}.`);
}

/** The zone that takes back one that was chosen before. */
const OF_LOCATIONS = 'locations';

/** How cells are read, as far as the options say it, and which choices for earlier files they take back. */
export function readingsOf({
  phones,
  names,
  phoneWords,
  areaCode,
  shortYears,
  timeZone,
}: ImportFlags) {
  const isRefused = phoneWords === 'refuse';
  const isTakenBack = timeZone === OF_LOCATIONS;
  return {
    readings: {
      us_phones: phones === undefined ? undefined : phones === 'us',
      names,
      phone_words: isRefused ? undefined : phoneWords,
      area_code: readAreaCode(areaCode),
      short_years: shortYears,
      time_zone: isTakenBack ? undefined : readZone(timeZone),
    },
    taken_back: [
      ...(isRefused ? (['phone_words'] as const) : []),
      ...(isTakenBack ? (['time_zone'] as const) : []),
    ],
  };
}

export function readMap(path: string): Mapping {
  const text = bytesOf(path).toString();
  let read: Json;
  try {
    read = JSON.parse(text) as Json;
  } catch (error) {
    throw new Mistake(`--map ${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  const isText = (value: unknown) => value === null || typeof value === 'string';
  if (!isObject(read) || !Object.values(read).every(isText))
    throw new Mistake(
      `--map ${path} must be a JSON object that gives for each column the name of a field, or null.`,
    );
  return read as Mapping;
}

export function readSet(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Mistake(`--set must be field=value, not ${JSON.stringify(text)}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

export function readDelimiter(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (/^[\x20-\x7e\t]$/.test(delimiter) && delimiter !== '"') return delimiter;
  throw new Mistake(`--delimiter must be one character, or tab, not ${JSON.stringify(text)}.`);
}

export function readZone(zone: string | undefined): string | undefined {
  if (zone === undefined) return zone;
  const faults = new Faults();
  const read = timeZone().read(zone, '--time-zone', {
    encoding: 'json',
    faults,
    unknown: 'refuse',
  });
  faults.throwIfAny();
  return String(read);
}

export function readWhole(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Mistake(`${option} must be a whole number, not ${JSON.stringify(text)}.`);
}

export function importProgress(total: number) {
  const began = performance.now();
  const line = progressLine();
  let first: number | undefined;
  return {
    show(rows: number, { failed }: ImportCounts): void {
      first ??= rows;
      const before = first;
      line.show(() => {
        const rate = ((rows - before) / (performance.now() - began)) * 1_000;
        const left = rate > 0 ? `, ${Math.ceil((total - rows) / rate)} s left` : '';
        const count = `${rows.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} rows`;
        const rejected = failed > 0 ? `, ${failed.toLocaleString('en-US')} rejected` : '';
        return `${count}${rejected}, ${Math.round(rate).toLocaleString('en-US')}/s${left}`;
      });
    },
    clear: line.clear,
  };
}

export async function askFor(file: string, mapped: Mapped, resource: Resource): Promise<Mapping> {
  using terminal = asking();
  const answers: Record<string, string | null> = {};
  say(`${file} has columns of which nothing says what they are.`);
  for (const { column, nearest } of mapped.unknown) {
    const hint = nearest === undefined ? '' : `, such as ${nearest},`;
    const detail = detailCalled(resource, column);
    const kept = detail === undefined ? '' : ', "detail" to keep it as a detail named so,';
    for (;;) {
      const question = `Which field is ${column}? Type a name${hint}${kept} or press Enter to leave it out: `;
      const typed = (await terminal.ask(question)).trim();
      const answer = typed === 'detail' && detail !== undefined ? detail : typed;
      answers[column] = answer === '' ? null : answer;
      if (answer === '' || targetNamed(resource, answer) !== undefined) break;
    }
  }
  return answers;
}
