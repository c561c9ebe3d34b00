/** The names of actors and records, for people who may see what was done. */
import { list, required, text } from '../../core/schema/fields/index.ts';
import { findActor } from '../../services/staff/actors.ts';
import { administers } from './session/administrator.ts';
import { consoleOperation } from './session/visit.ts';

/** More than a page of changes names. */
const MAX_NAMES = 100;

/** Emails and the ends of secrets are for those who administer them. */
export const nameActors = consoleOperation({
  route: 'POST /names',
  body: {
    identifiers: required(
      list(text(), { min: 0, max: MAX_NAMES }),
      'Of keys, people, imports and syncs',
    ),
  },
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
    return { object: 'list', data };
  },
});

/** The audit has that names were shown: one entry for a page of it. */
export const nameRecords = consoleOperation({
  name: 'name_records',
  audits: 'list',
  needs: { permission: 'read', right: 'audit', whole: true },
  route: 'POST /names/records',
  body: { identifiers: required(list(text(), { min: 0, max: MAX_NAMES }), 'Of records') },
  run: async ({ service }, { caller, params }) => {
    const titles = await service.titlesAmong(params().identifiers, caller.scope);
    const data = [...titles].map(([unique_identifier, name]) => ({ unique_identifier, name }));
    return { object: 'list', data };
  },
});
