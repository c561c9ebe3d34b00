/** Headers by which clients of other services say what a write is to do. Who passes over them does the write all the same, so a write that has one is refused. */
import type { FastifyRequest } from 'fastify';
import { Faults } from '../../core/errors.ts';
import { READ } from './head.ts';
import { adviceOnOurs, DRY_RUN } from './own-headers.ts';

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
  'x-dry-run': () => DRY_RUN,
  'dry-run': () => DRY_RUN,
};

/** A longer name is of something else. */
const LONGEST = 64;

/** Throws `header_invalid` for a header of ours that is not read here, and for a write with one that would be passed over, though the write would not be what it asks for. */
export function refusePassedOver(request: FastifyRequest): void {
  const { headers, method, route, raw } = request;
  const isRead = method === 'GET' || method === 'HEAD' || route.config?.reads === true;
  const faults = new Faults();
  for (const [name, value] of Object.entries(headers)) {
    const foreign = READ[name] !== undefined || isRead ? undefined : meantBy(name, value, method);
    const says = adviceOnOurs(name, route.config?.upserts === true) ?? foreign;
    if (says === undefined) continue;
    const sent =
      raw.rawHeaders.find((one, at) => at % 2 === 0 && one.toLowerCase() === name) ?? name;
    const { message, ...more } = typeof says === 'string' ? { message: says } : says;
    faults.add(undefined, 'header_invalid', {
      message: `The header ${sent} is not read here, and the request would be done as if it were not there. ${message}`,
      ...more,
    });
  }
  faults.throwIfAny();
}

/** The advice for a header of another service, or whose name is nearly `Idempotency-Key`. */
function meantBy(name: string, value: unknown, method: string): string | undefined {
  if (Object.hasOwn(INSTEAD, name)) return INSTEAD[name]?.(String(value), method);
  const isKey = name.length <= LONGEST && /idempoten\w*[-_]?(?:key|token|id)$/.test(name);
  return isKey ? 'Send Idempotency-Key where it is taken, or leave it out.' : undefined;
}
