/** How a record is erased, while its account is locked for other writers, and what the log held of it forgotten. */
import type { Keepers } from '../../books/erasing/keepers.ts';
import {
  type ErasedPast,
  type EraseOutcome,
  type EraseRequest,
  OUTSIDE_JOURNAL,
} from '../../promises/erasing/book.ts';
import { recordHeld } from '../../promises/refusals.ts';
import type { StoredRecord } from '../../promises/store.ts';
import type { Content } from '../../records/content.ts';
import { toRecord } from '../../records/records.ts';
import { redactedContent } from '../../records/redacted.ts';
import { type Context, draftsFor, tableFor } from '../context.ts';
import { pairName } from '../names.ts';
import { bringBack, gone, ofRecord } from '../statements/changes.ts';
import { lock } from '../statements/commits.ts';
import * as statements from '../statements/erased.ts';
import { inTurn } from '../turn/in-turn.ts';
import { inTransaction } from '../turn/transaction.ts';
import { call, type Session } from '../wire/session.ts';
import { numberArray, textArray } from '../wire/values.ts';
import { keepersOf } from './keeping.ts';

/** Changes that are emptied in one transaction; of a record that stays fewer, since its account is locked meanwhile. */
const FORGOTTEN_AT_ONCE = 50;
const PAST_AT_ONCE = 10;

export async function eraseRecord(context: Context, request: EraseRequest): Promise<EraseOutcome> {
  const { account, record, resource, erasure, by, aged } = request;
  const { find, parentVersion, removal, change, log, rename } = draftsFor(context, resource);
  const { shape, children: below } = tableFor(context, resource);
  const { marks } = context.erased;
  const [key] = marks.keys;
  const children = below.map((child) => draftsFor(context, child).removal.countBelow);
  let pair: string | undefined;
  const outcome = await inTurn<Seen, EraseOutcome>(context, [account], {
    read: async (session) => {
      const [known, [row], [[above] = []], [removed], kept, counts] = await Promise.all([
        session.rows(call(statements.known, account, record)),
        session.rows(call(find, account, record)),
        session.rows(call(parentVersion, account, record)),
        session.rows(call(gone, account, record, resource)),
        keepersOf(session, context, request),
        Promise.all(
          children.map((count) => session.rows(call(count, account, textArray([record]), 1))),
        ),
      ]);
      const isParent = counts.some(([first]) => (first?.[0] ?? 0) > 0);
      const isChanged = request.parent_version !== undefined && request.parent_version !== above;
      return { isKnown: known.length > 0, row, isChanged, removed, ...kept, isParent };
    },
    write: async (
      session,
      { isKnown, row, isChanged, removed, keepers, young, isParent },
      { positions, token, now },
    ) => {
      if (isKnown && aged === undefined) {
        const adopted = call(statements.adopt, account, record, erasure, now, OUTSIDE_JOURNAL);
        return { result: 'erased', sent: [session.run(adopted)] };
      }
      if (isKnown && row === undefined) return { result: 'erased' };
      if (key === undefined) return { result: 'keyless' };
      if (row === undefined && (removed === undefined || aged)) return { result: 'missing' };
      const stored = row && toRecord(row);
      if (isChanged || (request.version !== undefined && request.version !== stored?.version))
        return { result: 'changed' };
      const [position = 0, above = '', gone_identifier = ''] = removed ?? [];
      const external_identifier = stored?.external_identifier ?? gone_identifier;
      const parent = stored?.parent ?? above;
      const [last] =
        stored === undefined ? await session.rows(call(ofRecord, account, record, position)) : [];
      const anchor = stored?.anchor ?? last?.[5] ?? null;
      const place = { account, unique_identifier: record, anchor, parent };
      if (keepers.over(place) ?? young) return { result: 'held' };
      const redacted = isParent && stored && !aged && redactedContent(shape, stored.document);
      if (isParent && !redacted) return { result: 'has_children' };
      pair = pairName(resource, account, parent, external_identifier);
      const own = { account, parent, external_identifier };
      const chain = await context.erased.chainOf(session, resource, own);
      const these = [account, textArray([record])];
      const here = positions.get(account) ?? 0;
      const link = [resource, external_identifier] as const;
      const hashes =
        aged === 'unmarked' ? ['', '', ''] : [key, marks.probe(key, link), marks.mark(key, chain)];
      const after = stored
        ? { place: 1, version: stored.version + 2, before: here }
        : { place: 0, version: (last?.[7] ?? 0) + 1, before: position };
      const ofOne = (value: string | null) => textArray([value]);
      const removing = [
        call(removal.themselves.log, ...these, here, ...[0, token, by, now, false]),
        call(removal.themselves.forget, ...these),
        call(removal.themselves.remove, ...these),
      ];
      const redacting = (redacted: Content, { version, position }: StoredRecord) => [
        call(
          change,
          ...[account, token, now, ofOne(record), numberArray([version])],
          ...[numberArray([version + 2]), ofOne(redacted.document), numberArray([null])],
          ...redacted.keys.map(ofOne),
        ),
        call(rename, account, record, marks.sealed(key, link)),
        call(removal.themselves.forget, ...these),
        call(
          log,
          ...[account, token, now, ofOne(record), ofOne(anchor), numberArray([0])],
          ...[ofOne('updated'), numberArray([version + 1]), numberArray([position])],
          ...[ofOne(by), ofOne(null)],
        ),
      ];
      const sent = [
        session.run(
          call(
            statements.insert,
            ...[account, record, resource, anchor, parent, erasure, now, ...hashes],
            ...[stored?.position ?? position, aged ? OUTSIDE_JOURNAL : 0],
            here,
          ),
        ),
        ...(stored === undefined
          ? [session.run(call(bringBack, account, record))]
          : (redacted ? redacting(redacted, stored) : removing).map((one) =>
              session.rows<readonly unknown[]>(one),
            )),
        ...(aged
          ? []
          : [
              session.run(
                call(
                  statements.logErased,
                  ...[account, here, after.place, token, resource, record, anchor],
                  ...[after.version, after.before, erasure, now],
                ),
              ),
            ]),
      ];
      return { result: 'erased', sent };
    },
  });
  if (pair !== undefined) context.remembered.forget(pair);
  return outcome;
}

interface Seen {
  readonly isKnown: boolean;
  readonly row: Parameters<typeof toRecord>[0] | undefined;
  /** Whether what it belongs to has changed since it was judged. */
  readonly isChanged: boolean;
  readonly removed: readonly [number, string, string, ...unknown[]] | undefined;
  readonly keepers: Keepers;
  /** The rule by which it is too young to go. */
  readonly young: string | undefined;
  readonly isParent: boolean;
}

/** Whether there was anything to forget. */
export async function forgetErased({ sessions }: Context): Promise<boolean> {
  const found = await sessions.use((session) => session.rows(call(statements.unforgotten)));
  const next = found.filter(([account]) => account === found[0]?.[0]);
  const most = Math.floor(FORGOTTEN_AT_ONCE / next.length);
  if (next.length > 0)
    await inTransaction(sessions, (session) =>
      Promise.all(
        next.map(async ([account, record, from]) => {
          const position = await emptied(session, account, record, from, most);
          await session.run(call(statements.forgotten, account, record, position));
          if (position === 0) await session.run(call(statements.unmarked, account, record));
        }),
      ),
    );
  return next.length > 0;
}

/** The same of a record that stays; gives the position to go on from. */
export async function forgetPast(context: Context, past: ErasedPast): Promise<number> {
  const { account, resource, record, position } = past;
  const { find, removal } = draftsFor(context, resource);
  const { forget } = removal.themselves;
  return inTransaction(context.sessions, async (session) => {
    // A hold is placed under the same lock: before this, and it is seen, or after it.
    const [, [row], { keepers, young }] = await Promise.all([
      session.rows(call(lock, account)),
      session.rows(call(find, account, record)),
      keepersOf(session, context, past),
    ]);
    if (row === undefined) return 0;
    const held = keepers.over(toRecord(row)) ?? young;
    if (held !== undefined) throw recordHeld(held);
    await session.run(call(forget, account, textArray([record])));
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
