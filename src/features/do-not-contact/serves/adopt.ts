/** Makes entries of what version 1.0 has of whom nobody is to contact, as far as records still say of whom that is. */
import type { OwnObject } from '../../../core/objects/own-object.ts';
import { documentsOf } from '../../../services/erasures/look.ts';
import type { ServeParts } from '../../../services/served.ts';
import { featureObjects } from '../../declares.ts';
import type { LeftNo, Legacy, SaidNo } from '../store/said.ts';

const FOLLOW_UP = 'fup_';
const FOLLOW_UPS = featureObjects.find((object: OwnObject) => {
  return object.fields.unique_identifier?.kind.prefix === FOLLOW_UP;
});

/** Returns how many hashes are left of which nothing says what they are of. */
export async function adopt({ store, resources }: Pick<ServeParts, 'store' | 'resources'>) {
  const { doNotContact: book } = store;
  const chosen = createChooser(book);
  let unknown = 0;
  for await (const lot of book.legacy()) {
    const left = new Map<string, LeftNo[]>();
    for (const { account, follow_up, record } of await chosen(lot)) {
      const closed = FOLLOW_UPS && (await store.owned(FOLLOW_UPS, follow_up));
      const said: Omit<SaidNo, 'kind' | 'value'> = {
        ...{ account, source: 'follow_up', follow_up, record, said_by: account },
        ...(closed && typeof closed.closed_by === 'string' && { said_by: closed.closed_by }),
        ...(closed && typeof closed.closed_at === 'number' && { inserted_at: closed.closed_at }),
      };
      const its = resources.find(({ prefix, parent }) => parent && record.startsWith(prefix));
      const wanted = its ? [{ resource: its.shape.resource, record }] : [];
      const entries: SaidNo[] = [];
      for await (const { document } of documentsOf(store, resources, account, wanted))
        if (its) entries.push(...book.entriesOf(its.shape, document, said));
      const alone: SaidNo = { ...said, kind: 'record', value: record };
      const marks = await book.legacyMarks(account, follow_up, record);
      left.getOrInsertComputed(account, () => []).push({ said: [alone, ...entries], marks });
    }
    for (const [account, all] of left) unknown += await book.adopt(account, all);
  }
  return unknown;
}

/** Gives those of each lot whose records had no entries at the beginning, each follow-up once. */
function createChooser(book: ServeParts['store']['doNotContact']) {
  const done = new Set<string>();
  const entered = new Set<string>();
  return async (lot: readonly Legacy[]): Promise<readonly Legacy[]> => {
    const chosen: Legacy[] = [];
    for (const [account, its] of Map.groupBy(lot, (one) => one.account)) {
      const known = new Set(
        await book.entered(
          account,
          its.map((one) => one.record),
        ),
      );
      for (const one of its) {
        if (known.has(one.record) && !entered.has(one.record)) continue;
        entered.add(one.record);
        if (!done.has(one.follow_up)) chosen.push(one);
        done.add(one.follow_up);
      }
    }
    return chosen;
  };
}
