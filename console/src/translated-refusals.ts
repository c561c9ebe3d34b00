/** Translates the service's refusals by their codes and values. */
import type * as english from './refusals.ts';
import type { Refusal } from './refusals.ts';

export interface RefusalWords {
  /** By the code of a fault, with its values in braces; `{param}` is what people call the field. */
  readonly codes: { readonly [code: string]: string };
  /** Values that are words. */
  readonly terms: { readonly [value: string]: string };
  /** Between the choices of a list. */
  readonly or: string;
  /** What columns can be for, apart from fields. */
  readonly targets: {
    readonly identifier: string;
    readonly inCents: string;
    readonly ownIdentifier: string;
  };
  /** By their names in English. */
  readonly labels: { readonly [english: string]: string };
}

export function refusalsIn(words: RefusalWords): typeof english & Pick<RefusalWords, 'codes'> {
  const labelIn = (label: string): string =>
    words.labels[label] ?? label.replace(/ \(in cents\)$/, '');
  return {
    codes: words.codes,
    refusalText({ code, param = '', message, values }, label = '') {
      const { codes, terms, or } = words;
      const known: NonNullable<Refusal['values']> = { ...values, param: label || param };
      const filled = (template = '') =>
        template.replace(/\{(\w+)\}/g, (name, key: string) => {
          const value = known[key] ?? name;
          return typeof value === 'object' ? value.join(or) : (terms[value] ?? String(value));
        });
      if (!Object.hasOwn(codes, code)) return message;
      // A fault that was stored, or is worded by itself, may lack a value.
      const own = filled(codes[code]);
      const text = own.includes('{') ? filled(codes.value_invalid) : own;
      return known.param === ''
        ? text.replace(/^\W*(\p{L})/u, (_, first: string) => first.toUpperCase())
        : text;
    },
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
