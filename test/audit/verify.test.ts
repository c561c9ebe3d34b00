/** Whatever is changed, removed, added or moved in the audit is named; a kept head shows what is cut off. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, beforeEach, describe, it } from 'node:test';
import type { AuditEntry, AuditHead } from '../../src/core/objects/requests/audit-entry.ts';
import { appendShared, type ChainParts, createAuditChain } from '../../src/services/audit/chain.ts';
import { verifyAudit } from '../../src/services/audit/verify.ts';
import { type Store, StoreUnavailable, StoreUnsure } from '../../src/store/promises/store.ts';
import { ask } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { opened } from '../support/opened.ts';
import { pluck } from '../support/pluck.ts';
import { serviceGround } from '../support/service-ground.ts';
import { shapes } from '../support/store-shapes.ts';
import type { Ground } from '../support/store-world.ts';

const DAY_MS = 86_400_000;
const KEY = randomBytes(32);

describe('Verifying the audit', () => {
  let ground: Ground;
  let store: Store;
  let now = Date.parse('2026-11-20T10:00:00Z');
  let entries: AuditEntry[];
  let heads: readonly AuditHead[];
  let one: string;
  let other: string;

  const parts = (more: Partial<ChainParts> = {}): ChainParts => ({
    ...{ book: store.audit, key: KEY, now: () => now },
    ...more,
  });
  const facts = (record: string) => ({
    ...({ time: now, action: 'read', by: 'stf_1', account: 'acct_1', record } as const),
    ...{ resource: 'event', address: '203.0.113.7', request_id: 'req_1' },
  });
  const verify = async (kept: readonly AuditHead[] = [], keys: readonly Uint8Array[] = [KEY]) =>
    verifyAudit({ ...{ book: store.audit, keys, heads: kept, days: 800, now } });
  /** The places of the faults. */
  const faultsOf = async (kept?: readonly AuditHead[]) =>
    (await verify(kept)).faults.map(({ chain, number }) => `${chain} ${number}`);
  const tamper = (sql: string) => ask(ground.url, sql);
  const all = async (): Promise<AuditEntry[]> => {
    return [...(await store.audit.walk({ chain: '', number: 0 }, 10_000))];
  };

  before(async () => {
    ground = await serviceGround();
    whenOver(ground.remove);
    const { url } = ground;
    store = await opened({ url, shapes, create: true, serve: false, now: () => now });
    const names: string[] = [];
    for (const count of [12, 9]) {
      const chain = createAuditChain(parts());
      for (let at = 0; at < count; at += 3)
        await chain.append([facts(`evt_${at}`), facts(`evt_${at + 1}`), facts(`evt_${at + 2}`)]);
      names.push(chain.head?.chain ?? '');
    }
    [one = '', other = ''] = names;
    entries = await all();
    heads = await store.audit.heads();
  });
  /** All as it was. */
  const restored = async (): Promise<void> => {
    await tamper('DELETE FROM audit_entry');
    await store.audit.append(entries);
  };
  beforeEach(async () => {
    await restored();
    assert.deepEqual(await all(), entries);
  });

  it('finds nothing where nothing was done', async () => {
    const { faults, ...counts } = await verify(heads);
    assert.deepEqual(faults, []);
    assert.deepEqual(counts, { entries: 21, chains: 2, keyless: 0, unchecked: 0 });
  });

  it('names each entry of which anything was changed', async () => {
    const texts = ['unique_identifier', 'of_account', 'key', 'action', 'resource', 'record'];
    const columns: readonly (readonly [string, string])[] = [
      ...[...texts, 'what', 'address', 'request_id', 'mac'].map((name) => [name, `'x'`] as const),
      ...['time', 'count', 'written_at'].map((name) => [name, `${name} + 1`] as const),
    ];
    for (const { chain, number } of entries) {
      for (const [column, value] of columns) {
        const at = `WHERE chain = '${chain}' AND number = ${number}`;
        await tamper(`UPDATE audit_entry SET ${column} = ${value} ${at}`);
        assert.deepEqual(await faultsOf(), [`${chain} ${number}`], column);
        await tamper(`DELETE FROM audit_entry ${at}`);
        await store.audit.append(
          entries.filter((one) => one.chain === chain && one.number === number),
        );
      }
    }
    assert.deepEqual(await faultsOf(heads), []);
  });

  it('names the first place where one was flipped, dropped, swapped or inserted, or the rest cut', async () => {
    const own = entries.filter(({ chain }) => chain === one);
    const at = (number: number) => `WHERE chain = '${one}' AND number = ${number}`;
    const move = (number: number, to: number) =>
      tamper(`UPDATE audit_entry SET number = ${to} ${at(number)}`);
    const deeds: Readonly<Record<string, (number: number) => Promise<unknown>>> = {
      flip: (number) => tamper(`UPDATE audit_entry SET count = count + 1 ${at(number)}`),
      drop: (number) => tamper(`DELETE FROM audit_entry ${at(number)}`),
      async swap(number) {
        await move(number, 99);
        await move(number + 1, number);
        await move(99, number + 1);
      },
      async insert(number) {
        for (let each = own.length; each >= number; each -= 1) await move(each, each + 1);
        const copied = own[Math.min(number, own.length) - 1];
        assert.ok(copied !== undefined);
        await store.audit.append([{ ...copied, unique_identifier: 'aud_copy', number }]);
      },
      cut: (number) =>
        tamper(`DELETE FROM audit_entry ${at(number).replace(' number =', ' number >=')}`),
    };
    /** Each fault by the first entry that is wrong or missing. */
    const placesOf = async (kept: readonly AuditHead[]) =>
      (await verify(kept)).faults.map(({ chain, number, says }) => [
        ...[chain, Number(/entr(?:y|ies) (\d+)/.exec(says)?.[1] ?? number)],
      ]);
    for (const [name, deed] of Object.entries(deeds)) {
      const most = own.length + (name === 'insert' ? 1 : name === 'swap' ? -1 : 0);
      for (let number = 1; number <= most; number += 1) {
        await restored();
        await deed(number);
        const isEnd = name === 'cut' || (name === 'drop' && number === own.length);
        const where = `${name} ${number}`;
        assert.deepEqual(await placesOf(heads), [[one, number]], `${where}, with a head`);
        // What is cut off an end is shown by a head that is kept elsewhere alone.
        assert.deepEqual(await placesOf([]), isEnd ? [] : [[one, number]], `${where}, without`);
      }
    }
  });

  it('names those that were moved to another chain', async () => {
    const place = (chain: string, number: number, to: readonly [string, number]) =>
      tamper(
        `UPDATE audit_entry SET chain = '${to[0]}', number = ${to[1]} WHERE chain = '${chain}' AND number = ${number}`,
      );
    await place(one, 7, ['x', 1]);
    await place(other, 7, [one, 7]);
    await place('x', 1, [other, 7]);
    assert.deepEqual((await faultsOf()).sort(), [`${one} 7`, `${other} 7`].sort());
  });

  it('names one that was added by somebody without the key', async () => {
    const forger = createAuditChain(parts({ key: randomBytes(32) }));
    await forger.append([facts('evt_forged')]);
    const forged = forger.head?.chain ?? '';
    assert.deepEqual(await faultsOf(), [`${forged} 1`]);
    // At the end of a chain that is there.
    await tamper(
      `UPDATE audit_entry SET chain = '${one}', number = 13 WHERE chain = '${forged}' AND number = 1`,
    );
    assert.deepEqual(await faultsOf(), [`${one} 13`]);
  });

  it('shows by a kept head that a chain was cut, or removed', async () => {
    await tamper(`DELETE FROM audit_entry WHERE chain = '${one}' AND number > 10`);
    assert.deepEqual(await faultsOf(), [], 'only a head that is kept elsewhere shows it');
    const { faults } = await verify(heads);
    assert.deepEqual(faults, [
      { chain: one, number: 11, unique_identifier: null, says: 'entries 11 to 12 are missing' },
    ]);
    await tamper(`DELETE FROM audit_entry WHERE chain = '${other}'`);
    assert.equal((await verify(heads)).faults.length, 2);
  });

  it('says without a key how many it could not check, and still names what is missing', async () => {
    const keyless = (heads: readonly AuditHead[] = []) =>
      verifyAudit({ book: store.audit, keys: [], heads, days: 800, now });
    const whole = await keyless(heads);
    assert.deepEqual([whole.unchecked, whole.faults], [21, []]);
    await tamper(`DELETE FROM audit_entry WHERE chain = '${one}' AND number = 2`);
    const cut = await keyless();
    assert.deepEqual(pluck(cut.faults, 'number', 'says'), [[3, 'entry 2 is missing']]);
  });

  it('takes any key of the file, and counts what was written without one', async () => {
    const changed = [randomBytes(32), KEY];
    assert.deepEqual((await verify([], changed)).faults, []);
    assert.equal((await verify([], changed.slice(0, 1))).faults.length, 2);
    await createAuditChain(parts({ key: undefined })).append([facts('evt_0')]);
    const { faults, keyless } = await verify();
    assert.deepEqual([faults.length, keyless], [0, 1]);
  });

  it('stays whole with several processes and commands at once', async () => {
    const chains = Array.from({ length: 4 }, () => createAuditChain(parts()));
    await Promise.all([
      ...chains.flatMap((chain) =>
        Array.from({ length: 5 }, (_, at) => chain.append([facts(`evt_${at}`)])),
      ),
      ...Array.from({ length: 8 }, (_, at) => appendShared(parts(), facts(`evt_${at}`))),
    ]);
    const { faults, entries: count } = await verify();
    assert.deepEqual([faults.length, count], [0, 21 + 20 + 8]);
  });

  it('has each entry once where the store did not say whether it has it', async () => {
    let failing: 'before' | 'after' | undefined;
    const book = {
      head: (chain: string) => store.audit.head(chain),
      find: (id: string) => store.audit.find(id),
      async append(some: readonly AuditEntry[]) {
        if (failing === 'before') throw new StoreUnavailable('full');
        const count = await store.audit.append(some);
        if (failing === 'after') throw new StoreUnsure('The connection was lost.');
        return count;
      },
    };
    const chain = createAuditChain(parts({ book }));
    await chain.append([facts('evt_1')]);
    failing = 'after';
    assert.equal(await chain.append([facts('evt_2')]), false);
    await assert.rejects(chain.append([facts('evt_3')]), StoreUnsure);
    failing = 'before';
    await assert.rejects(chain.append([facts('evt_3')]), StoreUnavailable);
    failing = undefined;
    await chain.append([facts('evt_3')]);
    const { faults, entries: count } = await verify();
    assert.deepEqual([faults.length, count], [0, 21 + 3]);
    assert.equal(chain.head?.number, 3);
  });

  it('begins a chain a day, and removes old ones from their ends, as a whole', async () => {
    const chain = createAuditChain(parts());
    for (let at = 0; at < 6; at += 1) await chain.append(Array(100).fill(facts('evt_1')));
    const first = chain.head?.chain;
    now += DAY_MS;
    await chain.append([facts('evt_2')]);
    assert.notEqual(chain.head?.chain, first);
    assert.equal(chain.head?.number, 1);
    const kept = await store.audit.heads();
    now += 801 * DAY_MS;
    let pieces = 0;
    for (; await store.audit.purge(now - 801.5 * DAY_MS); pieces += 1)
      assert.deepEqual((await verify(kept)).faults, []);
    assert.ok(pieces > 3, 'a chain goes in pieces');
    now -= 801 * DAY_MS;
    assert.deepEqual(pluck(await all(), 'record'), ['evt_2']);
    now += 900 * DAY_MS;
    assert.deepEqual((await verify(heads)).faults, [], 'what is old may be gone');
    now -= 901 * DAY_MS;
  });
});
