/** A clock that is wrong for seconds, by a day or a year, ends nothing for good: neither as it jumps nor where a service starts with it. */
// needs: both stores, waits, --ci
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserAt, invitation, PASSWORD, signedIn } from '../support/console.ts';
import { keyed } from '../support/secret-key.ts';
import { type Body, type Service, shortPace } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { type World, world } from '../support/world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The rarest rounds of the background work come as often, and there are two of them. */
const RAREST_MS = 60_000;
let names = 0;
const named = (what: string): string => {
  names += 1;
  return `${what} ${names}`;
};

/** What is under way in a service, and must be as it was when the clock is right again. */
interface Underway {
  /** What a caller can see of it. */
  look(): Promise<unknown>;
  /** Uses it up, which works once it is looked at no more. */
  use?(): Promise<unknown>;
}

type Begin = (on: World) => Promise<Underway>;

const later = (ms: number): string => new Date(Date.now() + ms).toISOString();
const statusOf = async (answer: Promise<{ status: number }>): Promise<number> =>
  (await answer).status;

async function followUp(on: World, name: string): Promise<Body> {
  const { unique_identifier: record } = await on.visit(named(name));
  return on.ok('/v1/follow_ups', { record }, on.officer);
}

const all: Readonly<Record<string, Begin>> = {
  async 'a claim of a follow-up'(on) {
    const { unique_identifier: id } = await followUp(on, 'claimed');
    await on.ok(`/v1/follow_ups/${id}/claim`, {}, on.officer);
    const look = async () => {
      const { state, owner, claim_ends_at } = await on.read(`/v1/follow_ups/${id}`);
      return { state, owner, claim_ends_at };
    };
    return { look };
  },
  async 'a follow-up that is put off'(on) {
    const { unique_identifier: id } = await followUp(on, 'put off');
    const said = { outcome: 'not_now', next_at: later(20 * HOUR) };
    await on.ok(`/v1/follow_ups/${id}/close`, said, on.officer);
    return { look: async () => (await on.read(`/v1/follow_ups/${id}`)).state };
  },
  async 'a key that has an end'(on) {
    const { secret } = await on.service.newKey({ expires_at: Date.now() + 10 * HOUR });
    return { look: () => statusOf(on.service.get('/v1/accounts', { key: secret })) };
  },
  async 'a session'({ service }) {
    const browser = await signedIn(service, `${Math.random()}@example.com`);
    return { look: () => statusOf(again(browser.cookie, service).get('/session')) };
  },
  async 'an invitation'({ service }) {
    const token = await invitation(service, `${Math.random()}@example.com`);
    const use = () =>
      statusOf(browserAt(service).post('/invitations/redeem', { token, password: PASSWORD }));
    return { look: async () => 'kept', use };
  },
  async 'a request that is repeated'(on) {
    const headers = { 'Idempotency-Key': `${Math.random()}` };
    const sent = body(on, named('repeated'));
    const send = () => on.service.json('/v1/events/upsert', sent, { headers });
    const { text } = await send();
    return { look: async () => (await send()).text === text };
  },
  async 'a sync'(on) {
    const { unique_identifier: sync } = await on.ok('/v1/syncs', {
      resource: 'event',
      location: on.location,
    });
    const headers = { 'Ledgerstone-Sync': sync };
    const use = () =>
      statusOf(on.service.json('/v1/events/upsert', body(on, named('in a sync')), { headers }));
    return { look: async () => (await on.read(`/v1/syncs/${sync}`)).status, use };
  },
  async 'a refused request in the log, and an entry of the audit'(on) {
    await on.service.json('/v1/events/upsert', { nothing: 'of it' });
    const refused = async () =>
      (await on.service.app.store.requests.refused({ limit: 9 } as never)).length > 0;
    await until(refused);
    return { look: refused };
  },
  async 'a record that a rule of retention keeps for a day'(on) {
    const { unique_identifier: id } = await on.funeral('young', { event_datetime: later(-DAY) });
    const rule = {
      account: on.account,
      resource: 'events',
      after_days: 30,
      since: 'event_datetime',
    };
    await on.service.json('/v1/retention_rules', rule, { key: on.officer });
    return { look: () => statusOf(on.service.get(`/v1/events/${id}`)) };
  },
  async 'a webhook that is tried again, to an endpoint that has long failed'(on) {
    const receiver = await startReceiver();
    let works = false;
    receiver.answer = () => (works ? 200 : 500);
    const { unique_identifier: id } = await on.ok(
      '/v1/webhook_endpoints',
      { account: on.account, url: receiver.url, notifications: ['event.created'] },
      on.officer,
    );
    await on.funeral(named('told'));
    await receiver.count(1);
    const look = async () => (await on.read(`/v1/webhook_endpoints/${id}`)).status !== 'disabled';
    const use = async () => {
      works = true;
      const before = receiver.received.length;
      await until(() => receiver.received.length > before);
      return 'delivered';
    };
    return { look, use };
  },
};

const again = (cookie: string | undefined, service: Service) =>
  Object.assign(browserAt(service), { cookie });

function body(on: World, name: string): object {
  return {
    location_unique_identifier: on.location,
    external_identifier: name,
    event_name: name,
    event_datetime: later(-HOUR),
  };
}

describe('What is under way when a clock', () => {
  /** How wrong the clock of the machine is. */
  let wrong = 0;
  let rounds = 0;
  const on = world({
    store: () => serviceGround(),
    settings: { ...keyed(), webhook_allow: '127.0.0.0/8' },
    now: () => Date.now() + wrong,
    elapsed: () => performance.now(),
    pace(ms) {
      if (ms === RAREST_MS) rounds += 1;
      return shortPace(ms);
    },
  });
  /** Resolves when the background work has looked for all that is due: the rarest of its rounds have come twice. */
  const allLooked = async (): Promise<void> => {
    const before = rounds;
    await until(() => rounds >= before + 4);
  };

  const rightAgain = async (jump: () => Promise<void>): Promise<void> => {
    const begun = new Map<string, Underway>();
    for (const [what, begin] of Object.entries(all)) begun.set(what, await begin(on));
    const look = async () => {
      const seen: Record<string, unknown> = {};
      for (const [what, { look }] of begun) seen[what] = await look();
      return seen;
    };
    const before = await look();
    await jump();
    wrong = 0;
    // Whatever was due by the wrong clock has been looked for since.
    await allLooked();
    assert.deepEqual(await look(), before);
    for (const [what, { use }] of begun) {
      const used = await use?.();
      assert.ok([undefined, 200, 'delivered'].includes(used as never), `${what}: ${used}`);
    }
  };

  for (const [name, by] of Object.entries({
    'a day ahead': DAY,
    'a year ahead': 365 * DAY,
    'a day back': -DAY,
  })) {
    it(`jumps ${name}, and is right again, is as it was`, async () => {
      await rightAgain(async () => {
        wrong = by;
        await allLooked();
      });
    });

    it(`was ${name} as the service started, and is right again, is as it was`, async () => {
      await rightAgain(async () => {
        await on.restart(() => {
          wrong = by;
        });
        await allLooked();
      });
    });

    it(`was ${name} while it was served, and is right when it starts again, is as it was`, async () => {
      await rightAgain(async () => {
        await on.restart(() => {
          wrong = by;
        });
        await allLooked();
        await on.restart(() => {
          wrong = 0;
        });
      });
    });
  }
});
