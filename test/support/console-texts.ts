/** The texts of the console in each language, and the values that stand in them. */
import * as account from '../../console/src/screens/account/texts.ts';
import * as audit from '../../console/src/screens/audit/texts.ts';
import * as edit from '../../console/src/screens/edit/texts.ts';
import * as entry from '../../console/src/screens/entry/texts.ts';
import * as exports from '../../console/src/screens/exports/texts.ts';
import * as feeds from '../../console/src/screens/feeds/texts.ts';
import * as holds from '../../console/src/screens/holds/texts.ts';
import * as imports from '../../console/src/screens/imports/texts.ts';
import * as keys from '../../console/src/screens/keys/texts.ts';
import * as privacy from '../../console/src/screens/privacy/texts.ts';
import * as proposals from '../../console/src/screens/proposals/texts.ts';
import * as record from '../../console/src/screens/record/texts.ts';
import * as removed from '../../console/src/screens/removed/texts.ts';
import * as retention from '../../console/src/screens/retention/texts.ts';
import * as staff from '../../console/src/screens/staff/texts.ts';
import * as webhooks from '../../console/src/screens/webhooks/texts.ts';
import { texts as english } from '../../console/src/texts.ts';

type Language = 'es' | 'fr';
type Text = string | ((...args: never[]) => string);

const ENGLISH = {
  texts: english,
  screens: {
    account,
    audit,
    edit,
    entry,
    exports,
    feeds,
    holds,
    imports,
    keys,
    privacy,
    record,
    proposals,
    removed,
    retention,
    staff,
    webhooks,
  },
};

/** Of a function: what it says of several values, with those that it says. */
export interface Said {
  readonly text: string;
  readonly values: readonly string[];
}

/** Every text by the way to it: `texts.nav.today`. */
export function englishTexts(): ReadonlyMap<string, readonly Said[]> {
  return textsIn(ENGLISH);
}

export async function textsOf(language: Language): Promise<ReadonlyMap<string, readonly Said[]>> {
  const folder = `../../console/src/languages/${language}`;
  const { texts } = await import(`${folder}/page.ts`);
  const { ...screens } = await import(`${folder}/screens.ts`);
  return textsIn({ texts, screens });
}

function textsIn(all: unknown): ReadonlyMap<string, readonly Said[]> {
  const found = new Map<string, readonly Said[]>();
  const visit = (value: unknown, way: string): void => {
    if (typeof value === 'string' || typeof value === 'function')
      found.set(way, said(value as Text));
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value))
        visit(one, way === '' ? name : `${way}.${name}`);
    else found.set(way, [{ text: String(value), values: [] }]);
  };
  visit(all, '');
  return found;
}

/** Values that are told apart, and are no words: each kind of argument that a text may take. */
const NUMBERS = [31, 47, 59, 73];
const NAMES = ['Q1x', 'Q2x', 'Q3x', 'Q4x'];
const TRIED: readonly (readonly unknown[])[] = [
  NUMBERS,
  NAMES,
  [1, ...NAMES],
  [47, ...NAMES],
  [31, true, 'Q3x', 'Q4x'],
  [[31, 47], true],
  [31, 47, 'Q3x'],
];

function said(text: Text): readonly Said[] {
  if (typeof text === 'string') return [{ text, values: [] }];
  return TRIED.map((values) => {
    try {
      const says = String((text as (...args: readonly unknown[]) => string)(...values));
      const marks = [...NUMBERS.map(String), ...NAMES];
      return {
        text: says,
        values: marks.filter((mark) => says.toLowerCase().includes(mark.toLowerCase())),
      };
    } catch {
      return { text: '', values: [] };
    }
  });
}
