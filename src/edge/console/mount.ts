/** Everything below `/console/api`: the API again, for signed-in people, and endpoints about themselves. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { type Bodies, ONE } from '../request/body.ts';
import { addAccountRoutes } from './account.ts';
import { addBackupRoute } from './backup.ts';
import { addInvitationRoutes } from './invitations.ts';
import { addKeyRoutes } from './keys.ts';
import { addNameRoute } from './names.ts';
import { type ConsoleParts, personOf } from './session/caller.ts';
import { addSignInRoutes } from './session/sign-in.ts';
import { addCallbackRoute, addSingleSignOnRoutes } from './session/single-sign-on.ts';
import { addStaffRoutes } from './staff.ts';

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
      addSignInRoutes(child, parts);
      addInvitationRoutes(child, parts);
      addSingleSignOnRoutes(child, parts);
      addAccountRoutes(child, parts);
      addStaffRoutes(child, parts);
      addKeyRoutes(child, parts, resources);
      addNameRoute(child, parts);
      addBackupRoute(child, parts);
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
