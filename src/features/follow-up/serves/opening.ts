/** Makes the follow-up that a change of a record opens, or says why it opens none. */
import type { JsonObject } from '../../../core/schema/values.ts';
import { zonesOver } from '../../../records/query/zones.ts';
import type { ServeParts } from '../../../services/served.ts';
import { numbersOf } from '../../../services/syncs/walk.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import type { FollowedChange } from '../../../store/steps.ts';
import { registerOf } from '../../store.ts';
import type { FollowUp } from '../declares.ts';
import { opened } from './acts.ts';
import { dueAt } from './due.ts';
import { contentOf, SIGNALS } from './signals.ts';
import type { Means } from './ticks.ts';

/** The age of changes that open nothing. */
const OLD_MS = 14 * 86_400_000;
const IMPORT = 'imp_';
const STAFF = 'stf_';

export function createOpening({ store, resources, now: clock }: ServeParts) {
  const { followUp: book } = store;
  const register = registerOf(store);
  const byName = new Map(resources.map((one) => [one.name, one]));
  const zones = zonesOver(store);

  /** Whether it was sent in the first sync of its source there: that has been so for long. */
  const isFirstNight = async ({ account, anchor, resource, by, occurred_at }: LoggedChange) => {
    const source = (await store.sources.of(account, [by])).get(by ?? '')?.number;
    if (source === undefined || anchor === null) return false;
    const sources = await numbersOf(store.sources, { account, source });
    const sent = { account, resource, location: anchor, sources, at: occurred_at };
    return store.syncs.isFirst(sent);
  };

  /** Gives what the change opens, or the reason why that is nothing although the record asks for something. */
  return async (
    { change, before, after }: FollowedChange,
    means: Means,
  ): Promise<FollowUp | 'import' | 'staff' | 'sync' | 'old' | undefined> => {
    const { account, anchor, record, resource: name, by, occurred_at, position } = change;
    const [signal, resource] = [SIGNALS[name], byName.get(name)];
    if (!signal || !resource || anchor === null) return undefined;
    const asks = (document: JsonObject) => signal.asks(contentOf(document), means);
    const what = typeof after === 'object' && asks(after);
    if (typeof after !== 'object' || what === false) return undefined;
    if (typeof before === 'object' && [what, true].includes(asks(before))) return undefined;
    if (by?.startsWith(IMPORT)) return 'import';
    // Staff who add a record are speaking with the person. A card that they read for the first time was there already.
    if (change.outcome === 'created' && by?.startsWith(STAFF)) return 'staff';
    if (occurred_at < clock() - OLD_MS) return 'old';
    if (await isFirstNight(change)) return 'sync';
    const as = { account, unique_identifier: record, document: JSON.stringify(after) };
    // Those of unclear ticks are counted by tick.
    if (what === 'unclear' || (await register.said(resource.shape, [as])).size > 0)
      return undefined;
    const zone = (await zones([{ account, anchor }]))({ account, anchor });
    const { reason } = signal;
    return opened(clock(), {
      ...{ unique_identifier: book.newIdentifier(), account, location: anchor, resource: name },
      ...{ record, reason, position, due_at: dueAt(reason, occurred_at, zone) },
    });
  };
}
