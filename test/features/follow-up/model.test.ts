/** Signals, repeats, removals, undo, erasures and claims make the follow-ups that a page of plain code says; the log read again makes the same. */
// needs: both stores with --all, long
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { ALL } from '../../support/all.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { world } from '../../support/world.ts';

const RUNS = ALL ? 100 : 6;
const DOES = ['signal', 'calm', 'remove', 'restore', 'erase', 'claim', 'close', 'reopen'] as const;
type Does = (typeof DOES)[number];
const PATH = '/v1/follow_ups';
const VISITORS = '/v1/event_check_in_records';

/** A visitor, as plain code knows it. */
class Visitor {
  is: 'new' | 'there' | 'removed' | 'erased' = 'new';
  isInterested = false;
  /** Whether each follow-up is open, the oldest first. */
  items: boolean[] = [];
  id = '';

  send(isInterested: boolean): void {
    // Sent again, it is another record.
    if (this.is === 'removed') this.items = [];
    const turns = isInterested && !(this.is === 'there' && this.isInterested);
    if (turns && !this.items.includes(true)) this.items.push(true);
    this.is = 'there';
    this.isInterested = isInterested;
  }

  may(does: Does): boolean {
    if (does === 'signal' || does === 'calm') return this.is !== 'erased';
    if (does === 'restore') return this.is === 'removed';
    if (does === 'remove' || does === 'erase') return this.is === 'there';
    const isOpen = this.items.includes(true);
    return this.is === 'there' && this.items.length > 0 && isOpen === (does !== 'reopen');
  }
}

let other = '';
const on = world({ settings: keyed() }, async ({ service, read }) => {
  other = (await service.newKey({ permissions: ['read'], allow: ['follow_up'] })).secret;
  await read(PATH);
});

async function itemsOf({ id }: Visitor): Promise<readonly Body[]> {
  const { data } = await on.read(`${PATH}?limit=100&record=${id}`);
  return data.toSorted((one: Body, other: Body) =>
    one.unique_identifier < other.unique_identifier ? -1 : 1,
  );
}

/** Waits until the service has what plain code has. */
async function agree(visitor: Visitor, why: string): Promise<readonly Body[]> {
  const wanted = visitor.is === 'there' ? visitor.items : [];
  let found: readonly Body[] = [];
  const same = async () => {
    found = visitor.id === '' ? [] : await itemsOf(visitor);
    return String(found.map(({ state }) => state !== 'closed')) === String(wanted);
  };
  await until(same).catch(() => assert.fail(`${why}: ${JSON.stringify(found)}, not ${wanted}`));
  return found;
}

async function act(visitor: Visitor, name: string, does: Does, why: string): Promise<void> {
  const post = (path: string, body = {}) => on.service.json(path, body, { key: on.officer });
  if (does === 'signal' || does === 'calm') {
    const visitor_interested_in_pre_planning = does === 'signal';
    const { unique_identifier } = await on.visit(name, { visitor_interested_in_pre_planning });
    visitor.id = unique_identifier;
    return visitor.send(does === 'signal');
  }
  if (does === 'remove') {
    await on.service.send('DELETE', `${VISITORS}/${visitor.id}`);
    visitor.is = 'removed';
  } else if (does === 'restore') {
    const { data } = await on.read('/v1/removals?limit=100', on.service.key);
    const removal = data.find(({ record }: Body) => record === visitor.id);
    const path = `/v1/removals/${removal?.unique_identifier}/restore`;
    assert.equal((await on.service.send('POST', path)).status, 200);
    visitor.is = 'there';
  } else if (does === 'erase') {
    await on.erase(visitor.id);
    Object.assign(visitor, { is: 'erased', items: [] });
  } else {
    const found = await agree(visitor, why);
    const at = does === 'reopen' ? visitor.items.length - 1 : visitor.items.indexOf(true);
    const path = `${PATH}/${found[at]?.unique_identifier}`;
    if (does === 'claim') {
      const both = [on.officer, other].map((key) => on.service.json(`${path}/claim`, {}, { key }));
      const statuses = (await Promise.all(both)).map(({ status }) => status);
      assert.deepEqual(statuses.toSorted(), [200, 409], why);
      await post(`${path}/release`);
      return;
    }
    const said = does === 'close' ? { outcome: 'done' } : { reason: 'again' };
    const { status, text } = await post(`${path}/${does}`, said);
    assert.equal(status, 200, `${why} ${text}`);
    visitor.items[at] = does === 'reopen';
  }
}

it('follow-ups are what a model says, and the same when the log is read again', async () => {
  let run = 0;
  const steps = fc.array(fc.tuple(fc.nat(1), fc.constantFrom(...DOES)), {
    minLength: 3,
    maxLength: 14,
  });
  const property = fc.asyncProperty(steps, async (all) => {
    run += 1;
    const visitors = [new Visitor(), new Visitor()];
    const done: string[] = [];
    for (const [at, does] of all) {
      const visitor = visitors[at] as Visitor;
      if (!visitor.may(does)) continue;
      done.push(`${at} ${does}`);
      await act(visitor, `${run} ${at}`, does, done.join());
    }
    const before = await Promise.all(visitors.map((one) => agree(one, done.join())));
    const { followUp: book } = on.service.app.store;
    const reader = (await book.readers()).find(({ account }) => account === on.account);
    assert.ok(reader);
    await book.read(reader, { ...reader, change: '' }, []);
    const last = new Visitor();
    await act(last, `${run} last`, 'signal', 'last');
    await agree(last, 'last');
    const ids = (items: readonly (readonly Body[])[]) =>
      items.map((some) => some.map(({ unique_identifier }) => unique_identifier));
    const after = await Promise.all(visitors.map((one) => agree(one, `again: ${done}`)));
    assert.deepEqual(ids(after), ids(before), done.join());
  });
  await fc.assert(property, {
    numRuns: RUNS,
    endOnFailure: true,
    interruptAfterTimeLimit: ALL ? 240_000 : 60_000,
  });
});
