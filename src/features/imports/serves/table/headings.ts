/** Possible headings of columns: names of fields, and common names of people and spreadsheets for them. */

import { targetNames } from '../../../../core/schema/csv/columns.ts';
import { csvLine } from '../../../../core/schema/csv/write.ts';
import { ancestorsOf, perResource, type Resource } from '../../../../core/schema/define.ts';
import { content, textMap } from '../../../../core/schema/fields/index.ts';
import { IN_CENTS } from '../../../../core/schema/money.ts';
import { externalOf, identifierOf } from '../../../../core/schema/reference.ts';
import { foldText } from '../../../../core/schema/search/folding.ts';
import { amountsOf, targetNamed } from '../amounts.ts';
import { SHORT, USUAL } from './usual.ts';

/** Headings of the identifier of the record itself, of any resource. A number may be that of a phone or of a house. */
const IDENTIFIER = ['identifier', 'id', 'reference'];

/** By a heading as `folded` gives it, the field. */
const known = perResource((resource): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  const add = (name: string, words: readonly string[]): void => {
    for (const word of words) {
      const heading = folded(word);
      if (!found.has(heading)) found.set(heading, name);
    }
  };
  const { headings } = resource.display;
  const amounts = amountsOf(resource);
  for (const name of [...targetNames(resource), ...amounts.values()]) add(name, [name]);
  for (const name of fieldNames(resource)) add(name, [labelOf(resource, name)]);
  for (const [cents, amount] of amounts) {
    const { [cents]: words = [] } = headings;
    for (const word of [resource.display.labels.get(cents) ?? cents, ...words]) {
      add(cents, [`${word} in cents`, `${word} cents`]);
      add(amount, [word, `${word} in dollars`, `${word} dollars`, `${word} usd`]);
    }
  }
  for (const [name, words = []] of Object.entries(headings)) add(name, words);
  const [title = ''] = resource.display.title;
  for (const name of fieldNames(resource)) {
    const label = labelOf(resource, name);
    const { [label]: usual = [] } = USUAL;
    add(name, usual);
    // "Guest phone" and "Next of kin email".
    for (const whose of headings[title] ?? [])
      add(name, usual.length > 0 ? [label, ...usual].map((word) => `${whose} ${word}`) : []);
  }
  for (const above of ancestorsOf(resource))
    if (above.parent !== undefined)
      add(externalOf(above), [
        ...[calledBy(above), `${above.display.singular}: identifier`],
        ...[`${above.display.singular}: name`, above.display.singular],
        ...above.display.headingsBelow,
      ]);
  add('external_identifier', IDENTIFIER);
  return found;
});

const DETAILS = [content({ maxBytes: 1 }).name, textMap({ maxBytes: 1 }).name];

/** Headings of a list as version 1.0.0 saved it, in which amounts are in cents. */
const OF_FIRST_LISTS = ['Unique identifier', 'Created', 'Changed'];

/** The field that a column of this name is for, in a table with that header; `undefined`: nothing says so. */
export function fieldCalled(
  resource: Resource,
  column: string,
  header: readonly string[] = [],
): string | undefined {
  const target = targetNamed(resource, column);
  const called = target?.amount ?? target?.name ?? knownAs(resource, column);
  const isOfFirst = OF_FIRST_LISTS.every((heading) => header.includes(heading));
  const cents = `${called}${IN_CENTS}`;
  return isOfFirst && amountsOf(resource).has(cents) ? cents : called;
}

/** A remark such as "(Last, First)" says how a field is written; behind an amount, it may be a currency. */
function knownAs(resource: Resource, column: string): string | undefined {
  const own = known(resource).get(folded(column));
  const bare = column.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, ' ');
  if (own !== undefined || bare === column) return own;
  const found = known(resource).get(folded(bare));
  const isAmount = [...amountsOf(resource)].some((names) => names.includes(found ?? ''));
  return isAmount ? undefined : found;
}

/** The label of a field, or of a parameter that identifies a record or its parent. */
export function labelOf(resource: Resource, name: string): string {
  const [first = '', ...others] = name.split('.');
  const label = resource.display.labels.get(name);
  if (label !== undefined) return amountsOf(resource).has(name) ? `${label} (in cents)` : label;
  const ofAmount = resource.display.labels.get(`${name}${IN_CENTS}`);
  if (ofAmount !== undefined) return `${ofAmount} (in dollars)`;
  if (name === 'external_identifier') return 'Identifier';
  for (const above of ancestorsOf(resource)) {
    if (name === externalOf(above)) return calledBy(above);
    if (name === identifierOf(above)) return `${above.display.singular}: Ledgerstone identifier`;
  }
  const whole = resource.display.labels.get(first);
  if (whole === undefined) return name;
  const [rest = ''] = others;
  return `${whole} ${/^\d$/.test(rest) ? Number(rest) + 1 : others.join(' ')}`;
}

/** The possible targets of a column; members of free-form content and elements of arrays are left out. */
export function fieldNames(resource: Resource): readonly string[] {
  const names = targetNames(resource);
  const amounts = amountsOf(resource);
  return names
    .filter((name) => !names.some((member) => member.startsWith(`${name}.`)))
    .flatMap((name) => [amounts.get(name) ?? [], name].flat());
}

/** The field by which a column is kept as a detail with its own name; `undefined`: the resource has no details, or the name cannot be one. */
export function detailCalled(resource: Resource, column: string): string | undefined {
  const within = targetNames(resource).find((name) =>
    DETAILS.includes(targetNamed(resource, name)?.kind ?? ''),
  );
  // A dot would make a member of a member.
  const own = column.replaceAll('.', ' ').replaceAll(/\s+/g, ' ').trim();
  const name = `${within}.${own}`;
  return within !== undefined && targetNamed(resource, name) !== undefined ? name : undefined;
}

/** A table that has nothing but a row of names, each of which is understood. */
export function templateOf(resource: Resource): string {
  const amounts = amountsOf(resource);
  const above = ancestorsOf(resource).filter(({ parent }) => parent !== undefined);
  const fields = fieldNames(resource).filter((name) => {
    const target = targetNamed(resource, name);
    const isShown = resource.display.labels.has(target?.name ?? name);
    // An amount is asked for once, as people write it.
    const isDouble = target?.amount === undefined && amounts.has(name);
    return isShown && !isDouble && target?.holds !== 'json';
  });
  return csvLine([
    'Identifier',
    ...above.map(calledBy),
    ...fields.map((name) => labelOf(resource, name)),
  ]);
}

/** Locations are found by name, too. */
function calledBy({ anchor, display }: Resource): string {
  return `${display.singular}: ${anchor ? 'name or identifier' : 'identifier'}`;
}

/** Characters of a heading that count: one is a name, and not a text. */
const LONGEST = 200;

/** `Case #`, `case-number` and `CASE NO.` are the same. */
export function folded(name: string): string {
  const words = foldText(name.slice(0, LONGEST))
    .replaceAll(/['’]/g, '')
    .replaceAll(/#|\bn[°º]/g, ' number ')
    .replaceAll(/[€£¥]/g, ' foreign ')
    .match(/[\p{L}\p{M}\p{N}.]+/gu);
  const said = (words ?? []).map(word);
  const telling = said.filter((one) => !SMALL.has(one));
  return (telling.length > 0 ? telling : said).join('');
}

/** Words of headings that tell nothing. */
const SMALL = new Set('of the and de del du des la le el les los las l d y et'.split(' '));

/** Dots are kept where they may be between the members of a name. */
function word(written: string): string {
  const one = written.replace(/^\.+|\.+$/g, '');
  const plain = /^(?:\p{L}\.)+\p{L}$/u.test(one) ? one.replaceAll('.', '') : one;
  return (Object.hasOwn(SHORT, plain) ? SHORT[plain] : undefined)?.replaceAll(' ', '') ?? plain;
}

/** Whether a column of that name has times of day. */
export function saysTime(column: string): boolean {
  const name = folded(column);
  return /time|hora|heure/.test(name) && !/date|fecha/.test(name);
}

/** Whether it is a list of records that the service has written, in whatever format. */
export function isListOfOurs(header: readonly string[]): boolean {
  return header.includes('_unique_identifier');
}
