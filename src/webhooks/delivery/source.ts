/** What an endpoint is told: the changes of its account that its key may see. */
import { seesKey } from '../../auth/operator.ts';
import type { Principal } from '../../auth/principal.ts';
import { presentChange } from '../../changes/view.ts';
import { sees } from '../../changes/visible.ts';
import { createRounds } from '../../fair/rounds.ts';
import { changeId, readChangeId } from '../../schema/change-id.ts';
import type { Resource } from '../../schema/define.ts';
import { presentOne, presentTime, withMembers } from '../../schema/present.ts';
import type { ChangeMark, LoggedChange, MarkLost } from '../../store/log.ts';
import type { Store } from '../../store/store.ts';
import type { WebhookEndpoint } from '../../store/webhooks.ts';
import { isWanted } from '../notifications.ts';

/** Changes, and bytes of what they hold, that are read at a time. */
const READ_AT_ONCE = 200;
const MAX_BYTES = 524_288;

export interface FoundChange {
  readonly id: string;
  readonly change: LoggedChange;
}

export interface FoundPage {
  readonly found: readonly FoundChange[];
  /** The position of the last change that was read; `undefined` if there was none. */
  readonly last: ChangeMark | undefined;
  readonly more: boolean;
}

export type ChangeOf = ChangeMark & { readonly record: string };

export interface ChangeSource {
  /** The next changes that the endpoint is to be told of. */
  page(
    endpoint: WebhookEndpoint,
    principal: Principal,
    after: ChangeMark | undefined,
  ): Promise<FoundPage | MarkLost>;
  /** One change, if the log still has it. */
  find(endpoint: WebhookEndpoint, change: ChangeOf): Promise<FoundChange | undefined>;
  /** Whether the key may see it now. */
  maySee(principal: Principal, found: FoundChange): boolean;
  /** The body of its notification. */
  body(endpoint: WebhookEndpoint, principal: Principal, found: FoundChange): Promise<string>;
}

export function createSource(store: Store, resources: readonly Resource[]): ChangeSource {
  const rounds = createRounds();
  const byName = new Map(resources.map((resource) => [resource.shape.resource, resource]));
  const maySee = (principal: Principal, { change }: FoundChange): boolean =>
    sees(principal, byName.get(change.resource), change);

  const isFor = ({ settings }: WebhookEndpoint, { resource, outcome, anchor }: LoggedChange) =>
    isWanted(settings.notifications, resource, outcome) &&
    (outcome === 'wiped' ||
      settings.locations === null ||
      (anchor !== null && settings.locations.includes(anchor)));

  const recordNow = async (
    { scope }: Principal,
    { resource: name, record }: LoggedChange,
  ): Promise<string> => {
    const resource = byName.get(name) as Resource;
    const [now] = await store.findAll(resource.shape, [record], scope);
    return now === undefined ? 'null' : presentOne(resource, now);
  };

  return {
    maySee,
    async page(endpoint, principal, after) {
      await rounds.turn(principal.key);
      const { account } = endpoint;
      const read = await store.log.read({ account, after, limit: READ_AT_ONCE, bytes: MAX_BYTES });
      if (typeof read === 'string') return read;
      // A damaged change is passed over, and the store tells of it: those after it must not wait.
      const found = read.changes
        .filter(({ damaged }) => !damaged)
        .filter((change) => isFor(endpoint, change))
        .map((change) => ({ id: changeId(account, change), change }))
        .filter((each) => maySee(principal, each));
      return { found, last: read.changes.at(-1), more: read.more };
    },
    async find({ account }, { record, position, place, token }) {
      const changes = await store.log.of({ account, record, position, limit: 1, bytes: 1 });
      const change = changes.find(
        (one) =>
          !one.damaged && one.position === position && one.place === place && one.token === token,
      );
      return change && { id: changeId(account, change), change };
    },
    async body({ settings }, principal, { id, change }) {
      const text = presentChange(id, change, (key) => seesKey(principal, key));
      const data =
        settings.payload === 'full'
          ? withMembers(text, [{ name: 'record_now', value: await recordNow(principal, change) }])
          : text;
      return notificationOf(`${change.resource}.${change.outcome}`, change.occurred_at, data);
    },
  };
}

/** `data` is JSON text. */
export function notificationOf(type: string, at: number, data: string): string {
  return `{"type":"${type}","timestamp":"${presentTime(at)}","data":${data}}`;
}

/** The place of a change that an endpoint has come to; `undefined` before the first one. */
export function markOf({ account, position }: WebhookEndpoint): ChangeMark | undefined {
  return position === null ? undefined : readChangeId(account, position);
}
