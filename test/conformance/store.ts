/** What every store promises (see `src/store/promises/store.ts`), as sentences that are proved of it. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { createProves, type FindGround, type Proves } from '../support/store-world.ts';
import { describeAccounts } from './accounts.ts';
import { describeBatches } from './batches.ts';
import { describeBooks } from './books.ts';
import { describeCarrying } from './carrying.ts';
import { describeChanges } from './changes.ts';
import { describeConditions } from './conditions.ts';
import { describeErasing } from './erasing.ts';
import { describeExpectations } from './expectations.ts';
import { describeFilters } from './filters.ts';
import { describeJournal } from './journal.ts';
import { describeKeys } from './keys.ts';
import { describeLists } from './lists.ts';
import { describeLog } from './log.ts';
import { describeMerging } from './merging.ts';
import { describeOthers } from './others.ts';
import { describePositions } from './positions.ts';
import { describeProcesses } from './processes.ts';
import { describeReceipts } from './receipts.ts';
import { describeRemovals } from './removals.ts';
import { describeRequests } from './requests.ts';
import { describeSearch } from './search.ts';
import { describeSnapshots } from './snapshots.ts';
import { describeSources } from './sources.ts';
import { describeStaff } from './staff.ts';
import { describeSyncs } from './syncs.ts';
import { describeWalks } from './walks.ts';
import { describeWebhooks } from './webhooks.ts';

/** What features promise, each in a file of its own. */
const FOLDER = join(import.meta.dirname, '../features');
const features: readonly { describePromises: (proves: Proves) => void }[] = await Promise.all(
  globSync('*/conformance.ts', { cwd: FOLDER }).map((file) => import(join(FOLDER, file))),
);

/** `findGround` names a place where there is no store yet. */
export function describeStore(name: string, findGround: FindGround): void {
  const proves = createProves(findGround);
  describe(`The ${name} store keeps its promises:`, { concurrency: false }, () => {
    describeBatches(proves);
    describeChanges(proves);
    describePositions(proves);
    describeConditions(proves);
    describeRemovals(proves);
    describeErasing(proves);
    for (const { describePromises } of features) describePromises(proves);
    describeJournal(proves);
    describeLog(proves);
    describeSearch(proves);
    describeMerging(proves);
    describeReceipts(proves);
    describeLists(proves);
    describeFilters(proves);
    describeWalks(proves);
    describeAccounts(proves);
    describeKeys(proves);
    describeRequests(proves);
    describeWebhooks(proves);
    describeBooks(proves);
    describeExpectations(proves);
    describeSnapshots(proves);
    describeSources(proves);
    describeSyncs(proves);
    describeStaff(proves);
    describeOthers(proves);
    describeProcesses(proves);
    describeCarrying(name, findGround);
  });
}
