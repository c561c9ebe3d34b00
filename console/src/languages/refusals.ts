/** Translates the service's refusals: by the code and the values of a fault, or by its sentence. */
import type * as english from '../refusals.ts';

interface Said {
  /** What the fault is about, as people call it; `''` where that is not known. */
  readonly label: string;
  readonly param: string;
  /** The service's words, without the name of the parameter. */
  readonly message: string;
  /** The numbers in them. */
  readonly numbers: readonly string[];
}

export type Words = string | ((said: Said) => string);

export interface RefusalWords {
  /** By the code of a fault. What is about a field says which by itself, or has `label` before it. */
  readonly codes: { readonly [code: string]: Words };
  /** Whole sentences about files and their rows, how they were read, and what erasures do not reach; `$1` is the first value. */
  readonly sentences: readonly (readonly [english: RegExp, words: string])[];
  /** What columns can be for, apart from fields. */
  readonly targets: {
    readonly identifier: string;
    readonly inCents: string;
    readonly ownIdentifier: string;
  };
  /** By their names in English. */
  readonly labels: { readonly [english: string]: string };
}

/** A number and a text: the two cells with which each row of the file of refused rows begins. */
const ROW = /^(\d+),("(?:[^"]|"")*"|[^",\r\n]*)/gm;
const OTHERS = / \(and \d+ more faults?, see errors.*\)$/;

export function refusalsIn(words: RefusalWords): typeof english {
  const sentenceText = (text: string): string =>
    text
      .split('\n')
      .map((line) => {
        const [pattern, instead] = words.sentences.find(([one]) => one.test(line)) ?? [];
        return pattern === undefined || instead === undefined
          ? line
          : line.replace(pattern, instead);
      })
      .join('\n');
  const labelIn = (label: string): string =>
    words.labels[label] ?? label.replace(/ \(in cents\)$/, '');
  return {
    sentenceText,
    refusalText({ code, param = '', message }, label = '') {
      const own = Object.hasOwn(words.codes, code) ? words.codes[code] : undefined;
      if (own === undefined) return sentenceText(message);
      if (typeof own === 'string') return own;
      const said = message.replace(OTHERS, '').replace(param, '');
      const numbers = said.match(/\d[\d,]*/g) ?? [];
      const called = label || param;
      const told = own({ label: called, param, message: said, numbers });
      return called === ''
        ? told.replace(/^\W*(\p{L})/u, (_, first: string) => first.toUpperCase())
        : told;
    },
    refusedFile: (text) =>
      text.replace(ROW, (row, number: string, cell: string) => {
        const why = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        const told = sentenceText(why);
        return told === why ? row : `${number},"${told.replaceAll('"', '""')}"`;
      }),
    targetLabel({ name, label }) {
      if (label === 'Identifier') return words.labels[label] ?? label;
      const [above = '', what] = label.split(': ');
      if (what === 'identifier') return `${labelIn(above)}: ${words.targets.identifier}`;
      if (what !== undefined) return `${labelIn(above)}: ${words.targets.ownIdentifier}`;
      if (name.endsWith('_in_cents')) return `${labelIn(label)} ${words.targets.inCents}`;
      const [, list = label, number = ''] = /^(.*?)( \d+)$/.exec(label) ?? [];
      return labelIn(list) + number;
    },
  };
}
