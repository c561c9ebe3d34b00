/** How a record is erased, while its account is locked for other writers, and what the log held of it forgotten. */
import type { EachAccount } from '../../../core/each-account.ts';
import { forgetAbout, forgetAged } from '../../books/erasing/about.ts';
import type { Link } from '../../erased-fingerprints.ts';
import {
  type DroppedHistory,
  type EraseOutcome,
  type EraseRequest,
  NOT_IN_JOURNAL,
} from '../../promises/erasing/book.ts';
import { recordHeld } from '../../promises/refusals.ts';
import type { StoredRecord } from '../../promises/store.ts';
import type { Content } from '../../records/content.ts';
import { toRecord } from '../../records/records.ts';
import { judgeErasure } from '../../records/removing.ts';
import { callOf } from '../book-rows.ts';
import type { Context } from '../context.ts';
import type { Locked } from '../lock/lock.ts';
import { inTransaction } from '../lock/transaction.ts';
import { underLock } from '../lock/under-lock.ts';
import { pairName } from '../names.ts';
import { bringBack, CHANGE, gone, log as insertChanges, ofRecord } from '../statements/changes.ts';
import { lock } from '../statements/commits.ts';
import * as statements from '../statements/erased.ts';
import { arraysOf } from '../statements/prepare.ts';
import { type Call, call, type Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';
import { callToForgetAnswers } from './answered.ts';
import { callToPut } from './changes.ts';
import { keepersOf } from './keepers.ts';

/** Changes that are emptied in one transaction; of a record that stays fewer, since its account is locked meanwhile. */
const FORGOTTEN_AT_ONCE = 50;
const PAST_AT_ONCE = 10;

export async function eraseRecord(context: Context, request: EraseRequest): Promise<EraseOutcome> {
  const { account, resource, record } = request;
  const { outcome, pair } = await underLock<Seen, Erased>(context, [account], {
    read: (session) => look(session, context, request),
    write: async (session, seen, locked) => {
      const { shape } = context.table(resource);
      const verdict = judgeErasure(shape, request, seen);
      if (verdict === 'adopt') {
        const values = [account, record, request.erasure, locked.now, NOT_IN_JOURNAL];
        const calls = [call(statements.adopt, ...values), ...callsToForget(request)];
        return { result: { outcome: 'erased' }, calls };
      }
      const left = typeof verdict === 'string' ? undefined : verdict;
      if (typeof verdict === 'string' && verdict !== 'remove')
        return { result: { outcome: verdict } };
      const { parent, external_identifier } = seen.place;
      const chain = await context.erased.chainOf(session, resource, seen.place);
      const calls = callsToErase(context, request, seen, left, chain, locked);
      const pair = pairName(resource, account, parent, external_identifier);
      return { result: { outcome: 'erased', pair }, calls };
    },
  });
  if (pair !== undefined) context.remembered.forget(pair);
  return outcome;
}

/** `pair` may be remembered by this process. */
type Erased = { readonly outcome: EraseOutcome; readonly pair?: string };

type Seen = Awaited<ReturnType<typeof look>>;

async function look(session: Session, context: Context, request: EraseRequest) {
  const { account, record, resource } = request;
  const { find, parentVersion } = context.drafts(resource);
  const children = context.table(resource).children.map((child) => {
    const { countBelow } = context.drafts(child).removal;
    return session.rows(call(countBelow, account, textArray([record]), 1));
  });
  const [known, [row], [[above] = []], [removed], { keepers, young }, counts] = await Promise.all([
    session.rows(call(statements.known, account, record)),
    session.rows(call(find, account, record)),
    session.rows(call(parentVersion, account, record)),
    session.rows(call(gone, account, record, resource)),
    keepersOf(session, context, request),
    Promise.all(children),
  ]);
  const stored = row && toRecord(row);
  const [position = 0, removedFrom = '', removedName = ''] = removed ?? [];
  const [last] =
    stored === undefined && removed !== undefined
      ? await session.rows(call(ofRecord, account, record, position))
      : [];
  const anchor = stored?.anchor ?? last?.[5] ?? null;
  const parent = stored?.parent ?? removedFrom;
  return {
    isKnown: known.length > 0,
    hasKey: context.erased.fingerprints.keys.length > 0,
    stored,
    wasRemoved: removed !== undefined,
    parentVersion: () => above,
    keeperOf: () => keepers.over({ account, unique_identifier: record, anchor, parent }) ?? young,
    isParent: () => counts.some(([first]) => (first?.[0] ?? 0) > 0),
    /** Where the record is or was, and what it was called. */
    place: { account, parent, external_identifier: stored?.external_identifier ?? removedName },
    anchor,
    /** The position of its removal, and the version after its last one. */
    removed: { position, version: (last?.[7] ?? 0) + 1 },
  };
}

/** Marks the record, removes or redacts it, and logs that. `left` are the remains of the record; otherwise it goes. */
function callsToErase(
  context: Context,
  { account, record, resource, erasure, by, aged }: EraseRequest,
  { stored, place, anchor, removed }: Seen,
  left: Content | undefined,
  chain: readonly Link[],
  { positions, token, now }: Locked,
): readonly Call[] {
  const { log, remove } = context.drafts(resource).removal.themselves;
  const { fingerprints } = context.erased;
  const [key = ''] = fingerprints.keys;
  const position = positions.get(account) ?? 0;
  const link = [resource, place.external_identifier] as const;
  const hashes =
    aged === 'unmarked'
      ? ['', '', '']
      : [key, fingerprints.probe(key, link), fingerprints.fingerprint(key, chain)];
  const these = [account, textArray([record])];
  const marking = call(
    statements.insert,
    ...[account, record, resource, anchor, place.parent, erasure, now, ...hashes],
    ...[stored?.position ?? removed.position, aged ? NOT_IN_JOURNAL : 0, position],
  );
  const logged = (entry: object) => call(insertChanges, ...arraysOf(CHANGE, [entry]));
  const line = { account, position, token, resource, record, anchor, occurred_at: now };
  const redacted = (of: StoredRecord, { document, keys }: Content): readonly Call[] => {
    const external_identifier = fingerprints.sealed(key, link);
    const version = of.version + 2;
    const updated_at = Math.max(now, of.inserted_at);
    const left = { ...of, external_identifier, document, version, position, updated_at };
    const entry = { outcome: 'updated', version: of.version + 1, before: of.position, by };
    return [
      callToPut(context, resource, [{ record: { ...left, changed_by: null }, keys }]),
      logged({ ...line, ...entry, place: 0 }),
    ];
  };
  const removing = [
    call(log, ...these, position, ...[0, token, by, now, false]),
    call(remove, ...these),
  ];
  // One version for the removal or the redaction, and one for the erasure.
  const after = stored
    ? { place: 1, version: stored.version + 2, before: position }
    : { place: 0, version: removed.version, before: removed.position };
  const going = left && stored ? redacted(stored, left) : removing;
  return [
    marking,
    ...(stored === undefined ? [call(bringBack, account, record)] : going),
    ...(aged ? [] : [logged({ ...line, ...after, outcome: 'erased', by: erasure })]),
    ...callsToForget({ account, record, aged }),
  ];
}

/** Removes rows of our own tables that are about it. */
const callsToForget = ({
  account,
  record,
  aged,
}: Pick<EraseRequest, 'account' | 'record'> & {
  readonly aged?: EraseRequest['aged'] | undefined;
}) => [
  callToForgetAnswers(account, record),
  ...(aged === undefined ? forgetAbout : forgetAged).map((forget) =>
    callOf<never>([forget, account, record]),
  ),
];

/** Whether there was anything to forget. */
export async function forgetErased({ sessions }: Context, each: EachAccount): Promise<boolean> {
  const resting = textArray(each.resting);
  const found = await sessions.use((session) =>
    session.rows(call(statements.unforgotten, resting)),
  );
  const [first] = found[0] ?? [];
  if (first === undefined) return false;
  const next = found.filter(([account]) => account === first);
  const most = Math.floor(FORGOTTEN_AT_ONCE / next.length);
  await each.one(first, () =>
    inTransaction(sessions, (session) =>
      Promise.all(
        next.map(async ([account, record, from]) => {
          const position = await emptied(session, account, record, from, most);
          await session.run(call(statements.forgotten, account, record, position));
          if (position === 0) await session.run(call(statements.unmarked, account, record));
        }),
      ),
    ),
  );
  return true;
}

/** Forgets the past of a record that stays; gives the position to go on from. */
export async function dropHistory(context: Context, dropped: DroppedHistory): Promise<number> {
  const { account, resource, record, position } = dropped;
  const { find } = context.drafts(resource);
  return inTransaction(context.sessions, async (session) => {
    // A hold is placed under the same lock: before this, and it is seen, or after it.
    const [, [row], { keepers, young }] = await Promise.all([
      session.rows(call(lock, account)),
      session.rows(call(find, account, record)),
      keepersOf(session, context, dropped),
    ]);
    if (row === undefined) return 0;
    const keeper = keepers.over(toRecord(row)) ?? young;
    if (keeper !== undefined) throw recordHeld(keeper);
    await session.run(callToForgetAnswers(account, record));
    return emptied(session, account, record, position, PAST_AT_ONCE);
  });
}

/** Empties some changes of a record, from that position back; gives the one to go on from. */
async function emptied(
  session: Session,
  account: string,
  record: string,
  from: number,
  most: number,
): Promise<number> {
  let position = from;
  for (let count = 0; position > 0 && count < most; count++) {
    const rows = await session.rows(call(statements.empty, account, record, position));
    const before = Math.min(...rows.map(([one]) => one));
    position = rows.length > 0 && before < position ? before : 0;
  }
  return position;
}
