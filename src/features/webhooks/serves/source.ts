/** The source of an endpoint's notifications: changes of its account that its key may see, by the names that it wants. */
import { createTickQueue } from '../../../core/fair/loop.ts';
import { present, type StateNotifications } from '../../../core/objects/own-object.ts';
import { OUTCOMES, type Resource, saysOf } from '../../../core/schema/define.ts';
import { nearestName } from '../../../core/schema/fields/members.ts';
import { changeId, readChangeId } from '../../../core/schema/id.ts';
import { presentOne, presentTime, withMembers } from '../../../core/schema/present/present.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import { changedIn, presentChange, sees, whoOf } from '../../../records/changes/view.ts';
import { onePiece } from '../../../store/follow.ts';
import type { ChangeCursor, LoggedChange } from '../../../store/promises/log.ts';
import { type Store, wholeAccount } from '../../../store/promises/store.ts';
import { featureNotifications } from '../../declares.ts';
import { ANY, isWanted, partsOf, type WebhookDelivery, type WebhookEndpoint } from '../declares.ts';
import type { Notification } from './sender.ts';

/** A piece of the log is half as much as usual: its changes wait in memory until they are sent. */
const PIECE = { limit: 200, bytes: 524_288 };

/** Sent when an endpoint is tested. */
export const TEST = 'webhook_endpoint.test';

/** The kinds of objects that states are about, such as `source.silent`, by the first part of their names. */
const STATES = new Map(featureNotifications.map(({ of, states }) => [of, Object.keys(states)]));
const ALL_STATES = [...STATES.values()].flat();

/** Sent where a source proposes another value for what staff corrected. */
const PROPOSAL = 'proposal.created';

const NOT_WANTED = 'The endpoint asks for no such notifications by now.';

export interface SourceChange {
  readonly id: string;
  readonly change: LoggedChange;
  readonly type: string;
}

export type ChangeSource = ReturnType<typeof createSource>;

export function createSource(store: Store, resources: readonly Resource[]) {
  const ticks = createTickQueue();
  const byName = new Map(resources.map((resource) => [resource.shape.resource, resource]));
  const names = [...byName.keys()];
  const maySee = (principal: Principal, change: LoggedChange) =>
    sees(principal, byName.get(change.resource), change);

  const isAt = ({ settings }: WebhookEndpoint, { outcome, anchor }: LoggedChange) =>
    outcome === 'wiped' ||
    settings.locations === null ||
    (anchor !== null && settings.locations.includes(anchor));
  const typeFor = ({ settings }: WebhookEndpoint, change: LoggedChange) =>
    change.outcome === 'wiped' && hearsOfRecords(settings.notifications, names)
      ? `${change.resource}.wiped`
      : typeOf(
          settings.notifications,
          change,
          () => changedIn(change)[Symbol.iterator]().next().done !== true,
        );

  const find = async (
    { account }: WebhookEndpoint,
    { change: id, record, position, place }: WebhookDelivery,
  ): Promise<LoggedChange | undefined> => {
    const changes = await store.log.of({ account, record, position, limit: 1, bytes: 1 });
    const token = readChangeId(account, id)?.token;
    return changes.find(
      (one) =>
        !one.damaged && one.position === position && one.place === place && one.token === token,
    );
  };

  const recordNow = async ({ scope }: Principal, { resource: name, record }: LoggedChange) => {
    const resource = byName.get(name) as Resource;
    const [now] = await store.findAll(resource.shape, [record], scope);
    return now === undefined ? 'null' : presentOne(resource, now);
  };

  /** Whether a feature says something of the record that an object is about. */
  const says = async (name: string, { shape }: Resource, found: object): Promise<boolean> => {
    const { account, record } = found as Readonly<Record<'account' | 'record', string>>;
    const records = await store.findAll(shape, [record], wholeAccount(account));
    return ((await store.said[name]?.(shape, records))?.size ?? 0) > 0;
  };

  /** The object, in the state that the notification reports. */
  const stated = async (
    { of, object, gone, asNow, judged }: StateNotifications,
    { scope, resources: paths }: Principal,
    { change: id, record, type, inserted_at }: WebhookDelivery,
    { settings }: WebhookEndpoint,
  ): Promise<Notification | string> => {
    const found = await store.owned(object, record);
    if (found === undefined) return gone;
    const about = byName.get(String(found.resource));
    const isOther = about !== undefined && paths?.has(about.path) === false;
    if (isOther || scope.anchors?.has(String(found.location)) === false)
      return 'The API key of the endpoint may not see it.';
    const state = type.slice(of.length + 1);
    const { locations, notifications } = settings;
    const isElsewhere = locations !== null && !locations.includes(String(found.location));
    if (isElsewhere || !isWanted(notifications, of, state)) return NOT_WANTED;
    const entered = { state, since: inserted_at };
    const isSaid = judged && about && (await says(judged.says, about, found));
    const seen = isSaid ? judged.seen(found as never) : found;
    const noted = asNow ? seen : { ...seen, ...entered };
    const data = JSON.stringify(present(object, noted, 'api', inserted_at));
    return { id, body: notificationOf(type, inserted_at, data) };
  };

  /** The records among some changes of which the endpoint wants none: those that are gone are told. */
  const silentIn = async (
    { account, settings: { said = {} } }: WebhookEndpoint,
    changes: readonly LoggedChange[],
  ) => {
    const silent = new Set<string>();
    const wanted = Object.entries(said);
    if (wanted.length === 0) return silent;
    for (const [name, some] of Map.groupBy(changes, ({ resource }) => resource)) {
      const resource = byName.get(name);
      const says = resource ? saysOf(resource).map((one) => one.name) : [];
      const asked = wanted.filter(([one]) => says.includes(one));
      if (resource === undefined || asked.length === 0) continue;
      const ids = [...new Set(some.map(({ record }) => record))];
      const records = await store.findAll(resource.shape, ids, wholeAccount(account));
      for (const [one, is] of asked) {
        const found = (await store.said[one]?.(resource.shape, records)) ?? new Set();
        for (const { unique_identifier: id } of records) if (found.has(id) !== is) silent.add(id);
      }
    }
    return silent;
  };

  return {
    /** The next changes for an endpoint, and the last change that was read, even if it is not for this endpoint. */
    async page(endpoint: WebhookEndpoint, principal: Principal, after: ChangeCursor | undefined) {
      await ticks.wait(principal.key);
      const { account } = endpoint;
      const read = await onePiece(store.log.follow(account, { ...PIECE, after }));
      if (typeof read === 'string') return read;
      const silent = await silentIn(endpoint, read.changes);
      // A damaged change is skipped, so that later ones need not wait. The store reports it.
      const found: SourceChange[] = read.changes
        .filter((one) => !one.damaged && isAt(endpoint, one) && maySee(principal, one))
        .filter(({ record }) => !silent.has(record))
        .flatMap((change) => {
          const type = typeFor(endpoint, change);
          return type === undefined ? [] : [{ id: changeId(account, change), change, type }];
        });
      return { found, last: read.changes.at(-1), more: read.more };
    },
    /** The notification of a change, or the reason why it has none. The change is looked up unless it was just read. */
    async notification(
      endpoint: WebhookEndpoint,
      principal: Principal,
      {
        delivery,
        found,
      }: { readonly delivery: WebhookDelivery; readonly found?: SourceChange | undefined },
    ): Promise<Notification | string> {
      const id = delivery.change;
      const states = statesOf(delivery);
      if (states !== undefined) return stated(states, principal, delivery, endpoint);
      const change = found?.change ?? (await find(endpoint, delivery));
      if (!change) return 'The log of changes no longer has this change, or it is damaged.';
      if (!maySee(principal, change)) return 'The API key of the endpoint may not see it.';
      const type = isAt(endpoint, change) ? typeFor(endpoint, change) : undefined;
      if (type === undefined) return NOT_WANTED;
      if ((await silentIn(endpoint, [change])).size > 0)
        return 'The endpoint asks for no changes of such records by now.';
      const who = await whoOf(store, principal, change.account, [change]);
      const text = presentChange(id, change, who);
      const data =
        endpoint.settings.payload === 'full'
          ? withMembers(text, [{ name: 'record_now', value: await recordNow(principal, change) }])
          : text;
      return { id, body: notificationOf(type, change.occurred_at, data) };
    },
  };
}

/** The states that it tells one of; `undefined`: it tells of a change. */
export function statesOf({ type }: Pick<WebhookDelivery, 'type'>) {
  return featureNotifications.find(({ of }) => type.startsWith(`${of}.`));
}

/** `data` is JSON text. */
export function notificationOf(type: string, at: number, data: string): string {
  return `{"type":"${type}","timestamp":"${presentTime(at)}","data":${data}}`;
}

/**
 * The type of the notification of a change; `undefined` if it is none that is wanted. What proposes and updates other
 * members, too, is an update for those that did not ask for proposals.
 */
function typeOf(
  notifications: readonly string[],
  { resource, outcome }: Pick<LoggedChange, 'resource' | 'outcome'>,
  isUpdate: () => boolean,
): string | undefined {
  if (outcome !== 'proposed') {
    const isFor =
      isWanted(notifications, resource, outcome) ||
      (outcome === 'erased' && hearsOfErased(notifications, resource));
    return isFor ? `${resource}.${outcome}` : undefined;
  }
  if (notifications.includes(PROPOSAL)) return PROPOSAL;
  if (!isWanted(notifications, resource, 'updated')) return undefined;
  return isUpdate() || !notifications.includes(ANY) ? `${resource}.updated` : PROPOSAL;
}

/** An endpoint that has received anything of a resource must hear what was erased of it. */
export function hearsOfErased(notifications: readonly string[], resource: string): boolean {
  return notifications.some((pattern) => {
    const [name, what] = partsOf(pattern);
    return name === resource || (name === ANY && !ALL_STATES.some((one) => one === what));
  });
}

/** An endpoint that has received anything of records must hear that all of them are gone. */
function hearsOfRecords(notifications: readonly string[], resources: readonly string[]): boolean {
  return (
    notifications.includes(PROPOSAL) || resources.some((one) => hearsOfErased(notifications, one))
  );
}

/** The fault of a notification's name, as the rest of a sentence; `undefined`: it is valid. */
export function complaintOf(pattern: string, resources: readonly string[]): string | undefined {
  if (pattern === ANY || pattern === PROPOSAL) return undefined;
  const [name, what] = partsOf(pattern);
  if (what === undefined)
    return 'is not a notification name. Use RESOURCE.OUTCOME, such as event.created, event.* or *.deleted';
  if (name !== ANY && !STATES.has(name) && !resources.includes(name)) {
    const nearest = nearestName(name, resources);
    if (nearest === undefined) return `names no resource: ${resources.join(', ')}`;
    const outcome = what === ANY ? ANY : (nearestName(what, OUTCOMES) ?? ANY);
    return `names no resource. Did you mean ${nearest}.${outcome}?`;
  }
  const known: readonly string[] =
    STATES.get(name) ?? (name === ANY ? [...OUTCOMES, ...ALL_STATES] : OUTCOMES);
  if (what !== ANY && !known.includes(what)) return `names no outcome: ${known.join(', ')} or *`;
  return undefined;
}
