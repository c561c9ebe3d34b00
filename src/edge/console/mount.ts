/** Everything below `/console/api`: the API again, for signed-in people, and endpoints about themselves. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { type Bodies, ONE } from '../request/body.ts';
import { mountOperations } from '../request/operations.ts';
import { accountOperations } from './account.ts';
import { lastBackup } from './backup.ts';
import { invitationOperations } from './invitations.ts';
import { keyOperations } from './keys.ts';
import { nameActors, nameRecords } from './names.ts';
import { signInOperations } from './session/sign-in.ts';
import { addCallbackRoute, beginSingleSignOn } from './session/single-sign-on.ts';
import { type ConsoleOperation, type ConsoleParts, personOf, Visit } from './session/visit.ts';
import { staffOperations } from './staff.ts';
import { takenOperations } from './taken.ts';

const PREFIX = '/console/api';
/** Pages repeat these requests by themselves. */
const FOLLOWED = `${PREFIX}/v1/changes`;
const FORM = 'application/x-www-form-urlencoded';

/** No page shows, frames or guesses at what is answered here. */
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** `paths` are the path names of the resources. */
export function consoleOperations(paths: readonly string[]): readonly ConsoleOperation[] {
  return [
    ...signInOperations,
    ...invitationOperations,
    beginSingleSignOn,
    ...accountOperations,
    ...staffOperations(),
    ...keyOperations(paths),
    ...takenOperations(paths),
    nameActors,
    nameRecords,
    lastBackup,
  ];
}

/** `addData` adds the endpoints of `/v1`; `resources` are the path names of the resources. */
export async function mountConsole(
  server: FastifyInstance,
  parts: ConsoleParts,
  resources: readonly string[],
  addData: (server: FastifyInstance) => void,
): Promise<void> {
  addCallbackRoute(server, parts);
  await server.register(
    async (child) => {
      child.addHook('onRoute', (route) => {
        const { bodies = ONE } = route.config ?? {};
        const person = route.url.startsWith(FOLLOWED) ? 'follows' : 'asks';
        route.config = { ...route.config, bodies: withoutForms(bodies), person };
      });
      child.addHook('onRequest', (request, _reply, done) => {
        if (request.route.config.open !== true) personOf(request);
        done();
      });
      child.addHook('onSend', (_request, reply, _payload, done) => {
        reply.headers(HEADERS);
        done();
      });
      addData(child);
      const services = (request: FastifyRequest, reply: FastifyReply) =>
        new Visit(parts, request, reply);
      mountOperations(child, consoleOperations(resources), { services, now: parts.service.now });
      // Unknown paths, too, are requested by the console alone.
      child.all('/*', () => {
        throw new ApiError('path_unknown');
      });
    },
    { prefix: PREFIX },
  );
}

/** A page of another site can send a form unasked, and nothing else. */
function withoutForms(bodies: Bodies): Bodies {
  const types = new Map([...bodies.types].filter(([type]) => type !== FORM));
  return { ...bodies, types, untyped: undefined };
}
