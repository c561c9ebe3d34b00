/** Whatever people do is in the audit or in the log of changes, in words, or shows and changes nothing of people. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { languagesIn, readMessages } from '../../console/build/messages.ts';
import { AUDIT_ACTIONS } from '../../src/core/objects/requests/audit-entry.ts';
import { resources } from '../../src/core/resources/index.ts';
import { consoleOperations } from '../../src/edge/console/mount.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import { administrator } from '../support/console.ts';
import { type Body, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Those of which the audit has nothing, each with why. A new operation is named here or says `audits`. */
const NEITHER: Readonly<Record<string, readonly string[]>> = {
  'What it changes is in the log of changes, with who did it, or says that itself': [
    ...['restore_removal', 'accept_proposal', 'keep_proposal'],
    ...['create_import', 'undo_import'],
    ...['begin_sync', ...resources.slice(1).map(({ name }) => `delete_${name}_pin`)],
  ],
  'It shows nothing of people: places, sources, counts and states': [
    ...['retrieve_account_settings', 'retrieve_location_settings', 'list_location_settings'],
    ...['list_sources', 'list_syncs', 'list_expectations', 'list_activity'],
    ...['list_webhook_endpoints', 'get_webhook_endpoint', 'list_webhook_deliveries'],
    ...['list_requests', 'list_self_tests', 'get_self_test', 'get_erasure_certificate'],
    'list_retention_runs',
  ],
  'It shows who sent a file that very file, or names files and counts rows': [
    ...['create_upload', 'list_uploads', 'get_upload', 'delete_upload', 'look_at_upload'],
    ...['list_imports', 'get_import', 'get_import_template'],
  ],
  'It is about colleagues and keys, by administrators, and changes nothing': [
    ...['list_staff', 'list_keys', 'POST /names', 'GET /backup'],
  ],
  'It is about the own session, whose sign-ins the audit has': [
    ...['GET /sign_in', 'GET /session', 'POST /sign_in', 'POST /sign_in/passkey/begin'],
    ...['POST /sign_in/passkey', 'POST /reauthenticate', 'POST /reauthenticate/passkey/begin'],
    ...['POST /reauthenticate/passkey', 'POST /sign_out', 'POST /single_sign_on/begin'],
    ...['GET /account', 'POST /account', 'DELETE /account/sessions/:unique_identifier'],
    ...['POST /account/sessions/end_others', 'POST /invitations/look'],
    ...['POST /invitations/passkey', 'POST /invitations/redeem'],
  ],
};

const ofApi = operationsOf(resources).filter(({ keysOnly }) => keysOnly !== true);
const ofConsole = consoleOperations(resources.map(({ path }) => path));
const all = [...ofApi, ...ofConsole];
const isAudited = ({ audits, confirms }: (typeof all)[number]): boolean =>
  audits !== undefined || confirms === true;

it('each operation of people is audited, or has a reason not to be', () => {
  const unaudited = all.filter((one) => !isAudited(one)).map(({ name, route }) => name ?? route);
  const known = new Set(Object.values(NEITHER).flat());
  const left = unaudited.filter((one) => !known.has(one));
  assert.deepEqual(left, []);
});

it('the console has words for what the audit has, in each language', () => {
  const [english, ...others] = languagesIn().map((language) =>
    readMessages<Record<'kinds' | 'actions', Record<string, string>>>(language, 'audit'),
  );
  const known = english?.kinds ?? {};
  // These say more of what they did: the kind of a search, the screen.
  const own = new Set(['search', 'search_by_body', 'POST /printed']);
  for (const { name, route } of all.filter(isAudited)) {
    const what = (name ?? route).replace(/^list_\w+_pins$/, 'list_pins');
    if (!own.has(what))
      assert.ok(
        known[what] !== undefined,
        `${what} has no words: say them below in.audit.kinds of the catalogue of its feature, in each language`,
      );
  }
  for (const { actions, kinds } of [english, ...others].filter((one) => one !== undefined)) {
    assert.deepEqual(Object.keys(actions).toSorted(), AUDIT_ACTIONS.toSorted());
    assert.deepEqual(Object.keys(kinds).toSorted(), Object.keys(known).toSorted());
  }
});

it('what an administrator sets is there, also where reads are not recorded', async () => {
  const service = await startService({ settings: { audit_reads: 'off' } });
  const admin = await administrator(service);
  const id = service.account.unique_identifier;
  const path = `/v1/accounts/${id}/settings`;
  const { status, text } = await admin.send('PATCH', path, { time_zone: 'America/New_York' });
  assert.equal(status, 200, text);
  const key = (await service.newKey({ permissions: ['read'], allow: ['audit'] })).secret;
  await until(async () => {
    const { body } = await service.get('/v1/audit?action=administer', { key });
    return body.data.some((one: Body) => one.what === 'patch_account_settings');
  });
});
