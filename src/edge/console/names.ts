/** The names of actors, for people who may see what they did. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { findActor } from '../../services/staff/actors.ts';
import { sendJson } from '../response/envelope.ts';
import { readFields } from './fields.ts';
import { administers } from './session/administrator.ts';
import { type ConsoleParts, personOf } from './session/caller.ts';

/** More than a page of changes names. */
const MAX_NAMES = 100;

/** To be added below `/console/api`. Emails and the ends of secrets are for those who administer them. */
export function addNameRoute(server: FastifyInstance, { desk }: ConsoleParts): void {
  server.post('/names', async (request, reply) => {
    const { member } = personOf(request);
    const { identifiers } = await readFields(request, reply, { identifiers: 'texts' });
    if (identifiers.length > MAX_NAMES)
      throw new ApiError('value_invalid', {
        param: 'identifiers',
        message: `identifiers must be at most ${MAX_NAMES}: send the others in another request.`,
      });
    const data = await Promise.all(
      [...new Set(identifiers)].map(async (unique_identifier) => {
        const actor = await findActor(desk.actors, unique_identifier);
        const shares = actor?.accounts.some((one) => member.accounts.includes(one)) === true;
        const manages = member.role === 'administrator' && shares && administers(member, actor);
        const name = shares ? (actor.name ?? (manages ? actor.instead : null)) : null;
        return { unique_identifier, known: actor !== undefined, name };
      }),
    );
    return sendJson(reply, JSON.stringify({ object: 'list', data }));
  });
}
