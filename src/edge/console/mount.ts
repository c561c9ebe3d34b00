/** Everything below `/console/api`: the API again, for signed-in people, and endpoints about themselves. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { present } from '../../core/objects/own-object.ts';
import { passkey } from '../../core/objects/passkey.ts';
import { staffSession } from '../../core/objects/staff-session.ts';
import { backup } from '../../core/objects/transfer/backup.ts';
import { choice, list, required, text } from '../../core/schema/fields/index.ts';
import { findActor } from '../../services/staff/actors.ts';
import { isAhead, OLD_BACKUP_MS } from '../../store/books/backups.ts';
import { listText } from '../operations/pages.ts';
import { type Bodies, ONE } from '../request/body.ts';
import { mountOperations } from '../request/operations.ts';
import { keyOperations } from './keys.ts';
import { named, passkeyAnswer, password, presentStaff } from './members.ts';
import { ADMINISTERS, administers } from './session/administrator.ts';
import { addCallbackRoute, signInOperations } from './session/sign-in.ts';
import {
  type ConsoleOperation,
  type ConsoleParts,
  consoleOperation,
  createVisit,
  personOf,
  presentCeremony,
  WHOSE_PAGE,
} from './session/visit.ts';
import { staffOperations } from './staff.ts';

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
      child.addHook('onSend', ({ principal }, reply, _payload, done) => {
        reply.headers(HEADERS);
        const person = principal?.person?.member.unique_identifier;
        if (person !== undefined) reply.header(WHOSE_PAGE, person);
        done();
      });
      addData(child);
      mountOperations(child, consoleOperations(resources), {
        services: (request, reply) => createVisit(parts, request, reply),
        now: parts.service.now,
      });
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

const asJson = (one: object): string => JSON.stringify(one);

/** Identifiers whose names are asked for: more than a page of changes has. */
const names = list(text(), { min: 0, max: 100 });

/** Emails and the ends of secrets are for those who administer them. */
const nameActors = consoleOperation({
  route: 'POST /names',
  body: { identifiers: required(names, 'Of keys, people, imports and syncs') },
  run: async ({ service, member }, { params }) => {
    const data = await Promise.all(
      [...new Set(params().identifiers)].map(async (unique_identifier) => {
        const actor = await findActor(service.actors, unique_identifier);
        const shares = actor?.accounts.some((one) => member.accounts.includes(one)) === true;
        const manages = member.role === 'administrator' && shares && administers(member, actor);
        const name = shares ? (actor.name ?? (manages ? actor.instead : null)) : null;
        const source = shares ? actor.source : null;
        return { unique_identifier, known: actor !== undefined, name, source };
      }),
    );
    return listText(`${PREFIX}/names`, data.map(asJson), false);
  },
});

/** The audit has that names were shown: one entry for a page of it. */
const nameRecords = consoleOperation({
  name: 'name_records',
  audits: 'list',
  needs: { permission: 'read', right: 'audit', whole: true },
  route: 'POST /names/records',
  body: { identifiers: required(names, 'Of records') },
  run: async ({ service }, { caller, params }) => {
    const titles = await service.titlesAmong(params().identifiers, caller.scope);
    const data = [...titles].map(([unique_identifier, name]) => ({ unique_identifier, name }));
    return listText(`${PREFIX}/names/records`, data.map(asJson), false);
  },
});

const lastBackup = consoleOperation({
  ...ADMINISTERS,
  route: 'GET /backup',
  run: async ({ backups, service }) => {
    const last = await backups.last();
    const { taken_at = null, checked_at = null } = last ?? {};
    const now = service.now();
    // Of one that is still to come nobody knows how old it is.
    const overdue =
      last === undefined || now - last.taken_at > OLD_BACKUP_MS || isAhead(last.taken_at, now);
    return present(backup, { taken_at, checked_at, overdue }, 'console', 0);
  },
});

const AUDITS = { printed: 'print' } as const;

/** `paths` are the path names of the resources. */
const takenOperations = (paths: readonly string[]): readonly ConsoleOperation[] =>
  Object.entries(AUDITS).map(([name, audits]) =>
    consoleOperation({
      audits,
      route: `POST /${name as keyof typeof AUDITS}`,
      body: { what: required(choice('today', ...paths), 'The screen') },
      run: (_visit, { params, done }) => {
        done({ what: params().what });
        return { object: name };
      },
    }),
  );

const accountOperations: readonly ConsoleOperation[] = [
  consoleOperation({
    route: 'GET /account',
    run: async ({ service, person: { member, session } }) => {
      const [passkeys, sessions] = await Promise.all([
        service.book.passkeys(member.unique_identifier),
        service.book.sessions(member.unique_identifier),
      ]);
      return {
        object: 'staff_account',
        staff: presentStaff(member, service.now()),
        passkeys: passkeys.map((one) => present(passkey, one, 'console', 0)),
        sessions: sessions
          .filter((one) => service.isOpen(one))
          .map((one) => ({
            ...present(staffSession, one, 'console', 0),
            current: one.unique_identifier === session.unique_identifier,
          })),
      };
    },
  }),
  consoleOperation({
    route: 'POST /account',
    body: { name: required(text(), 'What you are called') },
    run: async ({ service, member }, { params }) => {
      const renamed = await service.book.rename(member.unique_identifier, params().name);
      return presentStaff(renamed ?? member, service.now());
    },
  }),
  consoleOperation({
    name: 'set_password',
    route: 'POST /account/password',
    confirms: true,
    body: password,
    run: async (visit, { params }) => {
      const { password } = params();
      const { service, newcomer } = visit;
      const { member, session } = visit.person;
      const hash = await service.signIn.newPassword(member, password, newcomer);
      await service.book.setPassword(member.unique_identifier, hash);
      await service.book.endSessions(member.unique_identifier);
      return visit.signedIn(await service.signIn.open(member, session.method, newcomer));
    },
  }),
  consoleOperation({
    name: 'begin_passkey',
    route: 'POST /account/passkeys/begin',
    confirms: true,
    run: async ({ service, member, site }) =>
      presentCeremony(await service.passkeys.beginRegistration(member, site)),
  }),
  consoleOperation({
    name: 'add_passkey',
    route: 'POST /account/passkeys',
    confirms: true,
    body: { ...passkeyAnswer, ...named },
    run: async ({ service, member, site }, { params }) => {
      const { ceremony, credential, name = null } = params();
      const staff = member.unique_identifier;
      const made = await service.passkeys.registered(staff, ceremony, credential, name, site);
      return present(passkey, await service.book.addPasskey(staff, made), 'console', 0);
    },
  }),
  consoleOperation({
    name: 'remove_passkey',
    route: 'DELETE /account/passkeys/:unique_identifier',
    confirms: true,
    run: async ({ service: { book }, member }, { id }) => {
      const own = await book.passkeys(member.unique_identifier);
      if (!own.some(({ unique_identifier }) => unique_identifier === id))
        throw new ApiError('resource_missing', { message: 'You have no such passkey.' });
      if (own.length + member.identities + (member.password === null ? 0 : 1) === 1)
        throw new ApiError('last_way_in');
      await book.removePasskey(id);
      return { object: 'passkey', unique_identifier: id, deleted: true };
    },
  }),
  consoleOperation({
    route: 'DELETE /account/sessions/:unique_identifier',
    run: async ({ service, member }, { id }) => {
      await service.book.endSession(member.unique_identifier, id);
      return { object: 'session', unique_identifier: id, deleted: true };
    },
  }),
  consoleOperation({
    route: 'POST /account/sessions/end_others',
    run: async ({ service, person: { member, session } }) => {
      await service.book.endSessions(member.unique_identifier, session.unique_identifier);
      return { object: 'sessions_ended' };
    },
  }),
];
