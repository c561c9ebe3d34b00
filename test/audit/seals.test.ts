/** The log of changes is sealed in the audit: whatever is changed, removed, added or moved there is named. */
// needs: both stores
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { LogSealer } from '../../src/services/audit/log-sealer.ts';
import { type AuditVerified, verifyAudit } from '../../src/services/audit/verify.ts';
import { openStore } from '../../src/store/open.ts';
import type { ChangeReference } from '../../src/store/promises/log.ts';
import type { Store, StoredRecord } from '../../src/store/promises/store.ts';
import { serviceGround } from '../support/service-ground.ts';
import { shapes, thing } from '../support/store-shapes.ts';
import { type Ground, placeDraft, remove, thingDraft, write } from '../support/store-world.ts';
import { tamper } from '../support/tamper.ts';

const KEY = randomBytes(32);
const MINUTE = 60_000;
const DAY = 86_400_000;
const HISTORY_DAYS = 400;

describe('The seals of the log', () => {
  let ground: Ground;
  let store: Store;
  let now = Date.parse('2026-11-20T10:00:00Z');
  let account: string;
  let home: StoredRecord;
  let sealer: LogSealer;

  const isSqlite = (): boolean => ground.url.startsWith('sqlite:');
  const sealerOver = (of: Store): LogSealer => {
    const parts = { book: of.audit, accounts: of.accounts, log: of.log };
    return new LogSealer({ ...parts, key: KEY, now: () => now });
  };
  const seal = async (by = sealer): Promise<void> => {
    now += MINUTE;
    while (await by.seal());
  };
  const verify = (): Promise<AuditVerified> =>
    verifyAudit({
      ...{ book: store.audit, keys: [KEY], heads: [], days: 800, now },
      log: { accounts: store.accounts, log: store.log, historyDays: HISTORY_DAYS, now },
    });
  const faultsOf = async () => (await verify()).log_faults;
  const sealsOf = async () => store.audit.list({ action: 'seal', limit: 1_000 });
  const references = (): Promise<readonly ChangeReference[]> =>
    store.log.references({ account, limit: 10_000 });
  const own = (): string =>
    isSqlite()
      ? `account = (SELECT number FROM account WHERE unique_identifier = '${account}')`
      : `account = '${account}'`;
  const spoil = (sql: string): Promise<void> => tamper(ground.url, sql);
  /** What `spoil` takes, undone. */
  const kept = async (work: () => Promise<void>): Promise<void> => {
    await spoil('CREATE TABLE spare AS SELECT * FROM change');
    await work();
    await spoil('DELETE FROM change; INSERT INTO change SELECT * FROM spare; DROP TABLE spare');
    assert.deepEqual(await faultsOf(), []);
  };

  before(async () => {
    ground = await serviceGround();
    const options = { url: ground.url, shapes, create: true, serve: false };
    const keyed = { erasureKeys: [new Uint8Array(32).fill(7)], historyDays: HISTORY_DAYS };
    store = await openStore({ ...options, ...keyed, now: () => now });
  });
  beforeEach(async () => {
    sealer = sealerOver(store);
    await seal();
    account = (await store.accounts.create({ name: 'Us', livemode: false })).unique_identifier;
    home = await write(store, placeDraft(account, 'home', { title: 'Home' }));
  });
  after(async () => {
    await store.close();
    await ground.remove();
  });

  const things = async (count: number, from = 0): Promise<readonly StoredRecord[]> => {
    const made: StoredRecord[] = [];
    for (let at = 0; at < count; at += 1)
      made.push(await write(store, thingDraft(home, `t${from + at}`, { label: `n${at}` })));
    return made;
  };

  it('are written once a minute where something is new, and else not', async () => {
    const begun = (await sealsOf()).length;
    await things(3);
    await seal();
    const [first, ...others] = await sealsOf();
    assert.equal(others.length, begun);
    assert.deepEqual([first?.record, first?.count, first?.by], [account, 5, null]);
    await seal();
    await seal(sealerOver(store));
    assert.equal((await sealsOf()).length, begun + 1);
    await things(1, 3);
    assert.equal(await sealer.seal(), false, 'not before the minute is over');
    await seal();
    assert.deepEqual([(await sealsOf())[0]?.count, (await sealsOf()).length], [1, begun + 2]);
    const { faults, log_faults } = await verify();
    assert.deepEqual([...faults, ...log_faults], []);
    assert.deepEqual(await store.audit.list({ limit: 10 }), [], 'lists leave them out');
  });

  it('name the change of which anything was changed', async () => {
    await things(8);
    await seal();
    const { position } = (await references()).at(4) as ChangeReference;
    const flips = isSqlite()
      ? [
          ...['token', 'occurred_at'].map((name) => `${name} = ${name} + 1`),
          ...['created', 'thing', 'thg_', '\t1\t', '\t0\t'].map(
            (part) => `changes = replace(changes, '${part}', '${part.replace(/\w(?=\t?$)/, '9')}')`,
          ),
        ]
      : [
          ...['token', 'occurred_at', 'version', 'before'].map((name) => `${name} = ${name} + 1`),
          ...['resource', 'record', 'anchor', 'outcome', 'by'].map((name) => `${name} = 'x'`),
        ];
    for (const flip of flips) {
      await kept(async () => {
        await spoil(`UPDATE change SET ${flip} WHERE ${own()} AND position = ${position}`);
        const found = await faultsOf();
        assert.deepEqual(
          found.map(({ says: _, ...where }) => where),
          [{ account, position, place: 0 }],
          flip,
        );
        assert.match(found[0]?.says ?? '', /not the one that was sealed/);
      });
    }
  });

  it('name the place of what was removed, added or moved', async () => {
    await things(8);
    await seal();
    const all = await references();
    for (const [at, one] of all.entries()) {
      const before = all[at - 1] ?? one;
      await kept(async () => {
        await spoil(`DELETE FROM change WHERE ${own()} AND position = ${one.position}`);
        const [fault] = await faultsOf();
        const where = at === 0 ? one : before;
        assert.deepEqual([fault?.position, fault?.place], [where.position, where.place]);
        assert.match(fault?.says ?? '', /missing/);
      });
      await kept(async () => {
        const columns = isSqlite()
          ? ['token', 'occurred_at', 'changes', 'contents', 'count', 'sum']
          : ['token', 'resource', 'record', 'anchor', 'outcome', 'version'].concat(
              ...['before', 'by', 'occurred_at', 'content'],
            );
        if (at === all.length - 1) return;
        await spoil(
          `INSERT INTO change (account, position, place, ${columns}) SELECT account, position, 1, ${columns}
           FROM change WHERE ${own()} AND position = ${one.position}`,
        );
        const [fault] = await faultsOf();
        assert.deepEqual([fault?.position, fault?.place], [one.position, 1]);
        assert.match(fault?.says ?? '', /was added/);
      });
      const next = all[at + 1];
      if (next === undefined) continue;
      await kept(async () => {
        const move = (from: number, to: number) =>
          spoil(`UPDATE change SET position = ${to} WHERE ${own()} AND position = ${from}`);
        await move(one.position, 999_999);
        await move(next.position, one.position);
        await move(999_999, next.position);
        assert.equal((await faultsOf())[0]?.position, one.position);
      });
    }
  });

  it('hold where contents are erased, and records removed, restored and erased', async () => {
    const [first, second] = await things(6);
    await write(store, thingDraft(home, 't0', { label: 'other' }));
    await seal();
    const sealed = (await sealsOf()).length;
    assert.ok(first !== undefined && second !== undefined);
    const erased = { account, resource: thing.resource, record: first.unique_identifier };
    await store.erasing.erase([{ ...erased, erasure: 'ers_1', by: 'stf_1' }]);
    while (await store.erasing.forget());
    await remove(store, thing, second);
    assert.deepEqual(await faultsOf(), []);
    await seal();
    assert.equal((await sealsOf()).length, sealed + 1);
    assert.deepEqual(await faultsOf(), []);
    await store.accounts.wipe(account);
    await seal();
    assert.deepEqual(await faultsOf(), []);
  });

  it('hold where the oldest changes were removed for their age, and only then', async () => {
    await things(10);
    await seal();
    const all = await references();
    await kept(async () => {
      await spoil(`DELETE FROM change WHERE ${own()} AND position <= ${all[4]?.position}`);
      const [fault] = await faultsOf();
      assert.equal(fault?.position, all[0]?.position);
      assert.match(fault?.says ?? '', /HISTORY_DAYS/);
    });
    now += 100 * DAY;
    await things(3, 10);
    await seal();
    now += (HISTORY_DAYS - 50) * DAY;
    await things(1, 13);
    while (await store.log.sweep());
    assert.equal((await references()).length, 4, 'those of the first day are gone');
    assert.deepEqual(await faultsOf(), []);
    await seal();
    // Part of a seal: the rest of it is still compared.
    now += HISTORY_DAYS * DAY;
    while (await store.log.sweep());
    assert.deepEqual(
      (await references()).map(({ outcome }) => outcome),
      ['expired'],
    );
    await seal();
    assert.deepEqual(await faultsOf(), []);
    await things(2, 20);
    await seal();
    assert.deepEqual(await faultsOf(), []);
  });

  it('name what is wrong in the rest of a seal of which the beginning was removed', async () => {
    await things(4);
    now += 10 * DAY;
    await things(4, 4);
    await seal();
    now += (HISTORY_DAYS - 5) * DAY;
    while (await store.log.sweep());
    const all = await references();
    assert.equal(all.length, 4);
    assert.deepEqual(await faultsOf(), []);
    await spoil(
      `UPDATE change SET token = token + 1 WHERE ${own()} AND position = ${all[2]?.position}`,
    );
    assert.equal((await faultsOf())[0]?.position, all[2]?.position);
    await spoil(
      `UPDATE change SET token = token - 1 WHERE ${own()} AND position = ${all[2]?.position}`,
    );
  });

  it('name an account that is gone with its log, unless a command removed it', async () => {
    await things(2);
    await seal();
    await store.accounts.close(account);
    await store.accounts.beginEmptying(account, true);
    while ((await store.accounts.emptySome(account)).more);
    assert.deepEqual(
      (await faultsOf()).map((one) => one.account),
      [account],
    );
    const { appendShared } = await import('../../src/services/audit/chain.ts');
    await appendShared(
      { book: store.audit, key: KEY, now: () => now },
      { time: now, action: 'command', by: 'operator', what: 'accounts remove', account },
    );
    assert.deepEqual(await faultsOf(), []);
  });

  it('are written by several processes at once, without a gap, and in pieces', async () => {
    const made = Array.from({ length: 250 }, (_, at) => thingDraft(home, `m${at}`, { label: 'n' }));
    for (let at = 0; at < 10; at += 1)
      await store.commit(made.map((one) => ({ ...one, patch: { label: `n${at}` } })));
    now += MINUTE;
    const sealers = [sealer, sealerOver(store), sealerOver(store)];
    await Promise.all(
      sealers.map(async (one) => {
        while (await one.seal());
      }),
    );
    const { faults, log_faults, changes } = await verify();
    assert.deepEqual([...faults, ...log_faults], []);
    const all = await references();
    assert.ok(changes >= all.length, `${changes} of ${all.length}`);
    const last = await store.audit.lastSeal(account);
    assert.ok(last?.seal?.includes(` ${all.at(-1)?.position} ${all.at(-1)?.place} `));
    assert.ok((await sealsOf()).every(({ count }) => count <= 1_000));
  });

  it('are written after the clock was put back', async () => {
    await things(2);
    await seal();
    now -= DAY;
    sealer = sealerOver(store);
    for (let at = 0; at < 3; at += 1) {
      await things(2, 10 + 2 * at);
      await seal();
    }
    const count = (await sealsOf()).length;
    await seal();
    assert.equal((await sealsOf()).length, count);
    assert.deepEqual(await faultsOf(), []);
    now += DAY;
  });
});
