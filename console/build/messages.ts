/** Compiles the messages of a language, ICU MessageFormat in JSON, to scripts of texts and of functions that fill them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** Messages by name, in groups. */
export interface Catalogue {
  readonly [name: string]: string | Catalogue;
}

/** A folder for each language, with the same catalogues in each. */
export const MESSAGES = join(import.meta.dirname, '..', 'messages');

/** Files that are no catalogues: what the language is, and what the service's declarations say in English. */
const OTHERS = ['language', 'records', 'refusals'];

export function languagesIn(folder = MESSAGES): readonly string[] {
  return readdirSync(folder).sort();
}

export function cataloguesIn(folder = MESSAGES): readonly string[] {
  return readdirSync(join(folder, 'en'))
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => !OTHERS.includes(name))
    .sort();
}

/** A catalogue, or what a file beside the catalogues holds, with what others have for it below `in`. */
export function readMessages<T = Catalogue>(language: string, name: string, folder = MESSAGES): T {
  const all = readdirSync(join(folder, language)).map((file) => {
    const { in: others, ...own } = JSON.parse(readFileSync(join(folder, language, file), 'utf8'));
    return { name: file.replace(/\.json$/, ''), own, others };
  });
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new TypeError(`${language} has no ${name}.json.`);
  return all.reduce((words, { others }) => merged(words, others?.[name] ?? {}), found.own) as T;
}

function merged(one: Catalogue, other: Catalogue): Catalogue {
  const both = Object.entries(other).map(([name, value]) => {
    const there = one[name];
    return [
      name,
      typeof there === 'object' && typeof value === 'object' ? merged(there, value) : value,
    ];
  });
  return { ...one, ...Object.fromEntries(both) };
}

/** Every message of a catalogue, by the names on the way to it: `holds.form.title`. */
export function messagesIn(catalogue: Catalogue, way: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(catalogue).flatMap(([name, one]) => {
      const there = `${way}.${name}`;
      return typeof one === 'string' ? [[there, one] as const] : [...messagesIn(one, there)];
    }),
  );
}

/** The arguments of a message by name, with the type of each. */
export type MessageArguments = Readonly<Record<string, 'Text' | 'number' | 'boolean' | 'string'>>;

export function argumentsOf(message: string): MessageArguments {
  const found: Record<string, MessageArguments[string]> = {};
  const visit = (element: MessageFormatElement): void => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return;
    const { value: name } = element;
    if (element.type === TYPE.argument) found[name] ??= 'Text';
    else if (element.type === TYPE.select)
      found[name] = Object.hasOwn(element.options, 'true') ? 'boolean' : 'string';
    else found[name] = 'number';
    if (!('options' in element)) return;
    for (const { value } of Object.values(element.options)) value.forEach(visit);
  };
  parsed(message).forEach(visit);
  return found;
}

/** The arguments of each message of a catalogue: of all languages, as one may need more than another. */
export function argumentsIn(
  name: string,
  folder = MESSAGES,
): ReadonlyMap<string, MessageArguments> {
  const all = new Map<string, MessageArguments>();
  for (const language of languagesIn(folder))
    for (const [way, message] of messagesIn(readMessages(language, name, folder), name)) {
      const [known = {}, own] = [all.get(way), argumentsOf(message)];
      const narrower = Object.entries(own).filter(([, type]) => type !== 'Text');
      all.set(way, { ...own, ...known, ...Object.fromEntries(narrower) });
    }
  return all;
}

/**
 * A module whose default export has the catalogue's texts, and a function for each message with arguments: it takes one
 * as it is, and several by their names.
 */
export function compiled(language: string, name: string, folder = MESSAGES): string {
  const taken = argumentsIn(name, folder);
  const expression = (message: string | Catalogue, way: string): string => {
    if (typeof message !== 'string') {
      const members = Object.entries(message).map(
        ([one, said]) => `${JSON.stringify(one)}: ${expression(said, `${way}.${one}`)}`,
      );
      return `{ ${members.join(', ')} }`;
    }
    const names = Object.keys(taken.get(way) ?? {});
    if (names.length === 0) return template(parsed(message), (one) => one);
    const value = (one: string): string => (names.length === 1 ? 'values' : `values.${one}`);
    return `(values) => ${template(parsed(message), value)}`;
  };
  const catalogue = expression(readMessages(language, name, folder), name);
  return `import { number, plural, select } from './messages.ts';\nexport default ${catalogue};`;
}

/** `counted`: what stands for `#`. */
function template(
  elements: readonly MessageFormatElement[],
  valueNamed: (name: string) => string,
  counted = '',
): string {
  const forms = (options: Options, count: string): string => {
    const all = Object.entries(options).map(
      ([form, { value }]) => `${JSON.stringify(form)}: ${template(value, valueNamed, count)}`,
    );
    return `{ ${all.join(', ')} }`;
  };
  const parts = elements.map((element): string => {
    if (element.type === TYPE.literal) return element.value.replaceAll(/[\\`$]/g, '\\$&');
    if (element.type === TYPE.pound) return `\${number(${counted})}`;
    const value = valueNamed(element.value);
    if (element.type === TYPE.argument) return `\${${value}}`;
    if (element.type === TYPE.number) return `\${number(${value})}`;
    if (element.type === TYPE.select)
      return `\${select(${value}, ${forms(element.options, counted)})}`;
    if (element.type === TYPE.plural && element.offset === 0 && element.pluralType === 'cardinal')
      return `\${plural(${value}, ${forms(element.options, value)})}`;
    throw new Error(`A message of the console cannot have this: ${JSON.stringify(element)}`);
  });
  return `\`${parts.join('')}\``;
}

type Options = Readonly<Record<string, { readonly value: MessageFormatElement[] }>>;

function parsed(message: string): MessageFormatElement[] {
  return parse(message, { ignoreTag: true });
}
