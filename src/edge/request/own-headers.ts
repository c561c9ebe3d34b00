/** Headers of ours: which are read where, and what a request is told that has one which nobody reads, as of an unknown parameter. */
import type { Said } from '../../core/errors.ts';
import { nearestName } from '../../core/schema/fields/members.ts';
import { distance } from '../../core/schema/search/spelling.ts';

export const DRY_RUN = 'Send dry_run=true in the query.';

type Where = 'everywhere' | 'upserts';

/** Each that callers send: with `upserts` only these read it, and others would not do what it says. */
export const OURS: Readonly<Record<`ledgerstone-${string}`, Where>> = {
  'ledgerstone-answer': 'everywhere',
  'ledgerstone-console': 'everywhere',
  'ledgerstone-instead-of': 'everywhere',
  'ledgerstone-mode': 'upserts',
  'ledgerstone-person': 'everywhere',
  'ledgerstone-provoke': 'everywhere',
  'ledgerstone-sync': 'upserts',
  'ledgerstone-unattended': 'everywhere',
  'ledgerstone-unknown-fields': 'everywhere',
};
/** The ones that the console alone sends. */
const OF_CONSOLE: ReadonlySet<string> = new Set(['console', 'person', 'unattended']);
/** The ones that programs of others send. */
const NEAR = Object.keys(OURS)
  .map((name) => name.slice('ledgerstone-'.length))
  .filter((end) => !OF_CONSOLE.has(end))
  .concat('dry-run');
/** As intermediaries and frameworks spell it, too: `X-Ledgerstone-Mode`, `HTTP_LEDGERSTONE_MODE`. */
const PREFIX = /^(?:http[-_])?(?:x[-_])?ledgerstone[-_]?/;
/** More letters make another name. */
const MOST_WRONG = 2;
const LONGEST = 64;

/** Says what to send in place of a header of ours that is not read by this request; `undefined` for all others. */
export function adviceOnOurs(name: string, isUpsert: boolean): string | Said | undefined {
  const [prefix = ''] = PREFIX.exec(name) ?? [];
  const own = (prefix === '' ? misspelt(name) : name.slice(prefix.length))?.replaceAll('_', '-');
  if (own === undefined) return undefined;
  const read = readBy(own);
  if (`ledgerstone-${own}` === name && read !== undefined)
    return read === 'everywhere' || isUpsert
      ? undefined
      : `Only upserts take ${called(own)}: leave it out.`;
  const nearest = nearestName(own, NEAR);
  if (nearest === 'dry-run') return DRY_RUN;
  if (nearest !== undefined && (isUpsert || readBy(nearest) === 'everywhere'))
    return { message: `Did you mean ${called(nearest)}?`, values: { nearest: called(nearest) } };
  const known = isUpsert ? ['instead-of', 'mode', 'sync', 'unknown-fields'] : ['unknown-fields'];
  return `Known ones are ${known.map(called).join(', ')}. Leave it out.`;
}

function readBy(end: string): Where | undefined {
  const name = `ledgerstone-${end}` as const;
  return Object.hasOwn(OURS, name) ? OURS[name] : undefined;
}

/** The end of a name whose beginning is misspelt, too: `Ledgestone-Sync`. */
function misspelt(name: string): string | undefined {
  if (name.length > LONGEST) return undefined;
  const plain = name.replace(/^(?:http[-_])?(?:x[-_])?/, '').replaceAll('_', '-');
  return NEAR.find((one) => distance(plain, `ledgerstone-${one}`, MOST_WRONG) <= MOST_WRONG);
}

function called(own: string): string {
  return `Ledgerstone-${own.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())}`;
}
