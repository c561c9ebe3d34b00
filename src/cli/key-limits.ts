/** Reads what a new key may do, from where and how often. */
import { MAX_CONCURRENT } from '../auth/issue-key.ts';
import { rights } from '../auth/rights.ts';
import { readNetwork } from '../network/networks.ts';
import { RATE_MUST_BE, readRate } from '../rate.ts';
import { type Permission, permissions } from '../store/keys.ts';
import { words } from './key-scope.ts';
import { Mistake } from './mistake.ts';

/** The short form of the first two. */
const READ_WRITE = 'read-write';

/** The permissions of `--permission`, in the order in which they are told; all of them where nothing is said. */
export function readPermissions(given: readonly string[] | undefined): readonly Permission[] {
  if (given === undefined) return permissions;
  const names = words(given).flatMap((name) => (name === READ_WRITE ? ['read', 'write'] : name));
  const unknown = names.find((name) => !permissions.some((one) => one === name));
  if (unknown !== undefined || names.length === 0) {
    throw new Mistake(
      `--permission must be ${listed([...permissions, READ_WRITE], 'or')}, or several of them, not ${JSON.stringify(unknown ?? '')}.`,
    );
  }
  return permissions.filter((one) => names.includes(one));
}

/** The rights of `--allow`, each of them known. */
export function readRights(
  given: readonly string[] | undefined,
  option = '--allow',
): readonly string[] {
  const known = Object.keys(rights);
  const names = words(given);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Mistake(
      `${option} ${JSON.stringify(unknown)} is not known; known: ${known.join(', ')}.`,
    );
  }
  return names;
}

/** The networks of `--from`, each in its one spelling; `null`: any address. */
export function readFrom(given: readonly string[] | undefined): readonly string[] | null {
  if (given === undefined) return null;
  const networks = words(given).map((text) => {
    const found = readNetwork(text);
    if ('network' in found) return found.network;
    throw new Mistake(`--from ${JSON.stringify(text)} ${found.complaint}.`);
  });
  if (networks.length === 0) throw new Mistake('--from must name an address or a network.');
  return [...new Set(networks)];
}

/** The requests a second of `--rate`. */
export function readKeyRate(text: string | undefined): number | null {
  if (text === undefined) return null;
  const rate = readRate(text);
  if (rate !== undefined) return rate;
  throw new Mistake(`--rate ${RATE_MUST_BE}, not ${JSON.stringify(text)}.`);
}

/** The requests at once of `--concurrent`. */
export function readConcurrent(text: string | undefined): number | null {
  if (text === undefined) return null;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_CONCURRENT) return count;
  throw new Mistake(
    `--concurrent must be a whole number from 1 to ${MAX_CONCURRENT}, not ${JSON.stringify(text)}.`,
  );
}

/** `a, b or c`. */
function listed(names: readonly string[], last: 'and' | 'or'): string {
  return names.length < 2
    ? names.join()
    : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}
