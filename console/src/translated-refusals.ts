/** Words the service's refusals for people, by their codes and values: no name of a program, no day as programs write it. */
import type { Refusal, Wording } from './refusals.ts';

export interface RefusalWords {
  /** By the code of a fault, with its values in braces; `{param}` is what people call the field. */
  readonly codes: { readonly [code: string]: string };
  /** Values that are words. */
  readonly terms: { readonly [value: string]: string };
  /** Between the choices of a list. */
  readonly or: string;
  /** What columns can be for, apart from fields. */
  readonly targets?: {
    /** What part of what: `{whole}` and `{part}`. */
    readonly of: string;
    readonly identifier: string;
    readonly nameOrIdentifier: string;
    readonly inCents: string;
    readonly inDollars: string;
    readonly ownIdentifier: string;
  };
  /** By their names in English. */
  readonly labels: { readonly [english: string]: string };
}

/** What people call what a fault is about. */
export interface People {
  /** By the name of a parameter; `undefined` where it is none. */
  readonly labelOf: (param: string) => string | undefined;
  readonly dayText: (day: string) => string;
  readonly timeText: (time: string) => string;
}

const NOBODY: People = {
  labelOf: () => undefined,
  dayText: (day) => day,
  timeText: (time) => time,
};

/** Names as programs have them, times and days; what is quoted stays, and times with their offset, which show what to write. */
const OF_PROGRAMS =
  /"[^"]*"|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?|\b\d{4}-\d\d-\d\d\b|\b[A-Za-z][A-Za-z\d]*(?:_[A-Za-z\d]+)+(?:[.[\]\w]*\w)?|\b[a-z]\w*(?:[.[]\w*_\w*\]?)+/g;

export function refusalsIn(
  words: RefusalWords,
  people: People = NOBODY,
): Wording & Pick<RefusalWords, 'codes'> {
  const forPeople = (text: string): string =>
    text.replace(OF_PROGRAMS, (found) => {
      // Settings are for operators.
      if (/^"|[+-]\d\d:\d\d$|^[A-Z_\d]+$/.test(found)) return found;
      if (/^\d{4}-\d\d-\d\dT/.test(found)) return people.timeText(found);
      if (/^\d/.test(found)) return people.dayText(found);
      const label = people.labelOf(found);
      return label ?? found.replaceAll(/[_.[\]]+/g, ' ').trim();
    });
  const labelIn = (label: string): string => {
    const bare = label.replace(/ \(in (?:cents|dollars)\)$/, '');
    return words.labels[bare] ?? bare;
  };
  return {
    codes: words.codes,
    refusalText({ code, param = '', message, values }, label = '') {
      const { codes, terms, or } = words;
      const known: NonNullable<Refusal['values']> = { ...values, param: label || param };
      const filled = (template = '') =>
        template.replace(/\{(\w+)\}/g, (name, key: string) => {
          const value = known[key] ?? name;
          const said = (one: string | number): string =>
            terms[one] ?? people.labelOf(String(one)) ?? String(one);
          return typeof value === 'object' ? value.map(said).join(or) : said(value);
        });
      if (!Object.hasOwn(codes, code))
        return forPeople(label && param ? message.replace(param, () => label) : message);
      // A fault that was stored, or is worded by itself, may lack a value.
      const own = filled(codes[code]);
      const text = own.includes('{') ? filled(codes.value_invalid) : own;
      return forPeople(
        known.param === ''
          ? text.replace(/^\W*(\p{L})/u, (_, first: string) => first.toUpperCase())
          : text,
      );
    },
    targetLabel({ label }) {
      const { targets } = words;
      if (targets === undefined) return label;
      if (label === 'Identifier') return words.labels[label] ?? label;
      const [above = '', what] = label.split(': ');
      const ofIt = (part: string): string =>
        targets.of.replace('{whole}', () => labelIn(above)).replace('{part}', () => part);
      if (what === 'identifier') return ofIt(targets.identifier);
      if (what === 'name or identifier') return ofIt(targets.nameOrIdentifier);
      if (what !== undefined) return ofIt(targets.ownIdentifier);
      if (label.endsWith(' (in cents)')) return `${labelIn(label)} ${targets.inCents}`;
      if (label.endsWith(' (in dollars)')) return `${labelIn(label)} ${targets.inDollars}`;
      const [, list = label, number = ''] = /^(.*?)( \d+)$/.exec(label) ?? [];
      return labelIn(list) + number;
    },
  };
}
