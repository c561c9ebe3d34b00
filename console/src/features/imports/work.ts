/** The work of a sitting: a file is looked at, checked, judged again whenever something is said, and imported. */
import { resourceAt } from '../../records/description.ts';
import { targetLabel } from '../../refusals.ts';
import { signedInFor } from '../../service/session.ts';
import { type FixKind, kindsIn, refusedIn, stateOf, withSeen } from './fix/kinds.ts';
import { sentFor } from './for-all.tsx';
import {
  type FileOptions,
  type Look,
  look as lookAt,
  namesParent,
  type Outcome,
  run,
} from './service.ts';
import { put, type Sitting, sitting } from './sitting.ts';

/** What people say of one file alone. */
const UNSAID = {
  encoding: undefined,
  names: undefined,
  phone_words: undefined,
  area_code: undefined,
  short_years: undefined,
  short_times: undefined,
  cells: undefined,
  sheet: undefined,
  delimiter: undefined,
  header_row: undefined,
  chosen: undefined,
  set: undefined,
};

const UNIQUE = '_unique_identifier';

/** Whether a list or a file of refused rows of ours was brought: columns of it are for reading. */
function isOurs(header: readonly string[]): boolean {
  return header.some((column) => column.startsWith('_'));
}

/** The mapping, with the columns that are called as the page calls the fields: lists are saved so, in each language. */
function inOwnWords({ mapping, fields, header }: Look): Look['mapping'] {
  const taken = new Set(Object.values(mapping));
  const mapped = Object.entries(mapping).map(([column, name]) => {
    const own = fields.find(
      (field) => !taken.has(field.name) && targetLabel(field) === column.trim(),
    );
    if (name !== null || own === undefined) return [column, name] as const;
    taken.add(own.name);
    return [column, own.name] as const;
  });
  // A list of ours names what a record belongs to by our identifier, and for people by name.
  const isGiven = isOurs(header) && mapped.some(([, name]) => name?.endsWith(UNIQUE));
  const others = mapped.map(([column, name]) => {
    const isName = name !== null && namesParent(name) && !name.endsWith(UNIQUE);
    return [column, isGiven && isName ? null : name] as const;
  });
  return Object.fromEntries(others);
}

/** What is said now, while something else may be said meanwhile. */
function now(): Sitting {
  if (sitting.value === undefined) throw new TypeError('No sitting has begun.');
  return sitting.value;
}

async function attempt(work: () => Promise<Partial<Sitting>>, otherwise: Partial<Sitting>) {
  put({ error: undefined });
  try {
    const change = await signedInFor(work);
    put({ progress: undefined, ...change });
  } catch (error) {
    put({ ...otherwise, error, progress: undefined });
  }
}

/** Looks at a file; `answers` has what was said of it so far. */
export function chosen(file: File, answers: Partial<FileOptions> = {}): Promise<void> {
  const of: FileOptions = { ...now().options, ...UNSAID, name: file.name, map: {}, ...answers };
  const { question: _q, look: _l, outcome: _o, ...rest } = now();
  sitting.value = { ...rest, file, options: of, at: 'reading', seen: [], decided: [] };
  return attempt(
    async () => {
      const look = await lookAt(of, file);
      if (look.question !== undefined) return { at: 'question', question: look.question };
      const { map: _map, ...before } = (look.choices ?? {}) as Partial<FileOptions>;
      const set = { ...before.set, ...of.set };
      const said = { header_row: look.header_row, map: inOwnWords(look), set };
      const options = { ...of, ...before, ...said };
      // What was chosen for the file before is not ticked again.
      const decided = Object.entries(TICKED).flatMap(([what, said]) =>
        Object.keys(said).some((name) => name in before) ? [what] : [],
      );
      return { at: 'match', look, options, decided };
    },
    { at: 'choose' },
  );
}

function perform(
  how: 'check' | 'run',
  { look, options: said, file }: Sitting,
  progressed: (done: number, all: number) => void,
): Promise<Outcome> {
  // Not before all of it is typed.
  const isWhole = /^\d{3}$/.test(said.area_code ?? '');
  const options = isWhole ? said : { ...said, area_code: undefined };
  const resource = resourceAt(options.resource);
  const sent =
    resource === undefined || look === undefined ? options : sentFor({ look, resource, options });
  return run(how, sent, file as File, progressed);
}

/** Readings that are ticked where a file has such values: each is shown, and can be unticked. */
const TICKED: { readonly [what: string]: Partial<FileOptions> } = {
  names_reversed: { names: 'last_first' },
  years_short: { short_years: true },
};

/** Ticks what was not decided yet; whether anything was. */
function ticked({ noticed = [] }: Outcome): boolean {
  const { decided, options, look } = now();
  // A list of ours is as it is stored: nothing of it is read otherwise.
  if (look !== undefined && isOurs(look.header)) return false;
  const fresh = noticed.flatMap(({ what }) =>
    what in TICKED && !decided.includes(what) ? [what] : [],
  );
  if (fresh.length === 0) return false;
  const said = Object.assign({}, ...fresh.map((what) => TICKED[what]));
  put({ options: { ...options, ...said }, decided: [...decided, ...fresh] });
  return true;
}

/** What follows from an outcome of a check. */
function judged(outcome: Outcome): Partial<Sitting> {
  const { look, options, seen } = now();
  const resource = resourceAt(options.resource);
  if (look === undefined || resource === undefined) return {};
  const of = { look, resource, options, outcome };
  return { outcome, seen: withSeen(seen, kindsIn(of, refusedIn(of))) };
}

/** Checks the file: where nothing is to be looked at, the import is next. */
export async function checked(): Promise<void> {
  const progressed = (...progress: [number, number]) => put({ progress });
  put({ progress: [0, 0], seen: [] });
  await attempt(
    async () => {
      let outcome = await perform('check', now(), progressed);
      const isNew = ticked(outcome);
      if (isNew) outcome = await perform('check', now(), progressed);
      const { seen = [], ...rest } = judged(outcome);
      const { look, options } = now();
      const isDecided = (kind: FixKind): boolean =>
        look?.like !== undefined && stateOf(kind, options) === 'good';
      const isClear =
        !isNew &&
        seen.every(isDecided) &&
        outcome.unplaced === undefined &&
        outcome.undecided === undefined;
      return { ...rest, seen, at: isClear ? 'import' : 'fix' };
    },
    { at: 'match' },
  );
}

let waits: ReturnType<typeof setTimeout> | undefined;
let isJudging = false;
let isStale = false;
/** What is typed quickly is judged together. */
const PAUSE_MS = 150;

/** Takes what was said of a kind or typed over a cell, and judges all rows again. */
export function fixed(change: Partial<FileOptions>): void {
  put({ options: { ...now().options, ...change }, judging: 1, error: undefined });
  clearTimeout(waits);
  waits = setTimeout(() => {
    waits = undefined;
    void judgeAgain();
  }, PAUSE_MS);
}

async function judgeAgain(): Promise<void> {
  isStale = true;
  if (isJudging) return;
  isJudging = true;
  while (isStale) {
    isStale = false;
    const { file } = now();
    await attempt(async () => {
      const outcome = await perform('check', now(), () => undefined);
      // Another file may have been chosen meanwhile.
      return now().file === file ? judged(outcome) : {};
    }, {});
  }
  isJudging = false;
  if (waits === undefined) put({ judging: 0 });
}

export async function imported(): Promise<void> {
  put({ progress: [0, 0] });
  await attempt(
    async () => {
      const outcome = await perform('run', now(), (...progress) => put({ progress }));
      return { at: 'done', outcome, finished: now().finished + 1 };
    },
    { at: 'import' },
  );
}
