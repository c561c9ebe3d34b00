/** People, keys and endpoints that come back with a restored store, and what to do about them: they may have been ended since the backup. */
import { present } from '../../core/objects/own-object.ts';
import { type StaffMember, staffMember, statusOfStaff } from '../../core/objects/staff-member.ts';
import { SecretKeyUnusable } from '../../core/sealing/secret-key-unusable.ts';
import { secretsFault } from '../../services/webhooks/locked.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { table } from '../output.ts';
import { sealerOf } from '../store.ts';

type Endpoint = Awaited<ReturnType<Store['webhooks']['list']>>[number];

type Restored = Awaited<ReturnType<typeof readRestored>>;

/** `secretFault`: the fault of SECRET_KEY_FILE, if the endpoints need it. */
export async function readRestored(store: Store, command: Command) {
  const keys = (await store.keys.list()).filter(({ revoked_at }) => revoked_at === null);
  const endpoints = await store.webhooks.list();
  const used = endpoints.filter(({ status }) => status !== 'disabled');
  return { keys, people: await store.staff.list(), endpoints, secretFault: fault(used, command) };
}

function fault(endpoints: readonly Endpoint[], command: Command): string | undefined {
  try {
    return secretsFault(endpoints, sealerOf(command), Date.now());
  } catch (error) {
    if (error instanceof SecretKeyUnusable) return endpoints.length > 0 ? error.message : undefined;
    throw error;
  }
}

export function restoredJson({ keys, people, endpoints, secretFault }: Restored): object {
  return {
    keys: keys.map(({ unique_identifier, name, ending, suspended_at, expires_at }) => {
      return { unique_identifier, name, ending, suspended: suspended_at !== null, expires_at };
    }),
    people: people.map((one) => present(staffMember, one, 'cli', Date.now())),
    webhook_endpoints: endpoints.map(({ unique_identifier, account, settings, status, reason }) => {
      return { unique_identifier, account, url: settings.url, status, disabled_reason: reason };
    }),
    secret_key_fault: secretFault ?? null,
  };
}

/** `areSuspended`: no person and no key may do anything until an operator allows it. */
export function restoredWords(restored: Restored, areSuspended: boolean): readonly string[] {
  const { keys, people, endpoints, secretFault } = restored;
  const now = Date.now();
  const isOpen = ({ invitation_expires_at: until }: StaffMember) => until !== null && until > now;
  const paused = endpoints.filter(({ status }) => status === 'paused');
  return [
    ...section(
      areSuspended
        ? 'These API keys are suspended. Resume each one that should work again: ledgerstone keys resume KEY.'
        : 'These API keys work as they did at that time. Revoke any that you have revoked since: ledgerstone keys revoke KEY.',
      ['KEY', 'SECRET', 'NAME'],
      keys.map((key) => [key.unique_identifier, `…${key.ending}`, key.name ?? '']),
    ),
    ...section(
      areSuspended
        ? 'These people are disabled, and their invitations have ended. Let each one in again: ledgerstone staff invite --email EMAIL'
        : 'These people may sign in as they did at that time, with the passwords and invitations that they had. Disable any that you have disabled since: ledgerstone staff disable EMAIL.',
      ['EMAIL', 'ROLE', 'STATUS', 'INVITATION'],
      people.map((one) => [one.email, one.role, statusOfStaff(one), isOpen(one) ? 'open' : '']),
    ),
    ...section(
      'These webhook endpoints are paused: nothing is sent to them. Resume each one once this store is in service: ledgerstone webhooks enable ENDPOINT.',
      ['ENDPOINT', 'URL'],
      paused.map(({ unique_identifier, settings }) => [unique_identifier, settings.url]),
    ),
    ...(secretFault === undefined ? [] : ['', secretFault]),
  ];
}

function section(
  says: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  return rows.length === 0 ? [] : ['', says, ...table(headings, rows)];
}
