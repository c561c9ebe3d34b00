/** Headers by which clients of other services say what a write is to do. Who passes over them does the write all the same, so a write that has one is refused. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { distance } from '../../core/schema/search/spelling.ts';
import { READ } from './head.ts';

/** Says what to do instead; `undefined` where the header asks for nothing that would not be done. */
type Instead = (value: string, method: string) => string | undefined;

const OVERRIDE: Instead = (value, method) =>
  value.trim().toUpperCase() === method
    ? undefined
    : 'A request does what its own method says: send that, without the header.';

const INSTEAD: Readonly<Record<string, Instead>> = {
  'if-unmodified-since': () =>
    'A second may have several changes: to change the version that you know, send its ETag in If-Match.',
  'x-http-method-override': OVERRIDE,
  'x-http-method': OVERRIDE,
  'x-http-override': OVERRIDE,
  'x-method-override': OVERRIDE,
  'x-method': OVERRIDE,
  'http-method-override': OVERRIDE,
  'method-override': OVERRIDE,
  'x-dry-run': () => 'Send dry_run=true in the query.',
  'dry-run': () => 'Send dry_run=true in the query.',
  'ledgerstone-dry-run': () => 'Send dry_run=true in the query.',
};

/** Headers of ours that callers send, without the beginning of their names. */
const OURS = ['mode', 'sync', 'unknown-fields', 'provoke'];
/** A longer name is of something else. */
const LONGEST = 64;
/** More letters make another name. */
const MOST_WRONG = 2;

/** Throws `header_invalid` for a write with a header that would be passed over, though the write would not be what it asks for. */
export function refusePassedOver({ headers, method, route, raw }: FastifyRequest): void {
  if (route.config?.reads === true) return;
  for (const [name, value] of Object.entries(headers)) {
    if (READ[name] !== undefined) continue;
    const says = Object.hasOwn(INSTEAD, name)
      ? INSTEAD[name]?.(String(value), method)
      : meantBy(name);
    if (says === undefined) continue;
    const sent =
      raw.rawHeaders.find((one, at) => at % 2 === 0 && one.toLowerCase() === name) ?? name;
    throw new ApiError('header_invalid', {
      message: `The header ${sent} is not read here, and the request would be done as if it were not there. ${says}`,
    });
  }
}

/** The advice for a header whose name is nearly that of one of ours: `X-Idempotency-Key`, `Ledgerstone-Modes`. */
function meantBy(name: string): string | undefined {
  if (name.length > LONGEST) return undefined;
  if (/idempoten\w*[-_]?(?:key|token|id)$/.test(name))
    return 'Send Idempotency-Key where it is taken, or leave it out.';
  const [, own] = /^(?:x-)?ledgerstone[-_](.+)$/.exec(name) ?? [];
  if (own === undefined) return undefined;
  const near = OURS.find(
    (one) => distance(own.replaceAll('_', '-'), one, MOST_WRONG) <= MOST_WRONG,
  );
  if (near === undefined) return undefined;
  const meant = near.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return `Did you mean Ledgerstone-${meant}?`;
}
