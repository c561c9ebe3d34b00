/** What the key that asks is for, what it may do, and until when. */
import type { FastifyInstance } from 'fastify';
import { Faults } from '../../errors.ts';
import { presentTime } from '../../schema/present.ts';
import { readQuery } from '../../schema/query-string.ts';
import type { StoredKey } from '../../store/keys.ts';
import { unknownFieldsOf } from '../body.ts';
import { sendJson } from '../envelope.ts';
import { callerOf, queryOf } from '../request.ts';

export function addMeRoute(server: FastifyInstance): void {
  server.get('/v1/me', (request, reply) => {
    const faults = new Faults();
    readQuery({}, queryOf(request), faults, unknownFieldsOf(request));
    faults.throwIfAny();
    return sendJson(reply, JSON.stringify(presentKey(callerOf(request).granted)));
  });
}

/** A key, as it is told to whoever has it or administers it. */
export function presentKey(key: StoredKey): object {
  return {
    object: 'api_key',
    unique_identifier: key.unique_identifier,
    name: key.name,
    ending: key.ending,
    livemode: key.livemode,
    accounts: key.accounts,
    locations: key.anchors,
    permissions: key.permissions,
    resources: key.resources,
    allow: key.allow,
    from: key.from,
    requests_a_second: key.rate,
    requests_at_once: key.concurrent,
    inserted_at: presentTime(key.inserted_at),
    expires_at: key.expires_at === null ? null : presentTime(key.expires_at),
  };
}
