/** The console has one clock, which goes by what the service's answers say; and a zone that is lacking has no other's name. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { aheadBy, isDoubtful, serviceNow, timed } from '../console/src/service/time.ts';

const PROJECT = join(import.meta.dirname, '..');
const filesOf = (...folders: readonly string[]) =>
  folders.flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => `${folder}/${path}`)
      .map((path) => [path, readFileSync(join(PROJECT, path), 'utf8')] as const),
  );

/** What reads the clock of the device, or its zone; a format without a time is of now, too. */
const DEVICE =
  /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\s*\)|\bperformance\s*\.\s*(?:now|timeOrigin)|\bTemporal\.Now\b|\bgetTimezoneOffset\b|\.format(?:ToParts)?\(\s*\)|\{[^}]*\bnow\b[^}]*\} = (?:Date|performance)\b/;
const CLOCK = 'console/src/service/time.ts';

/** Makes a format by a zone other than UTC. */
const BY_ZONE =
  /(?:DateTimeFormat|toLocale\w*String)\((?:[^()]|\([^()]*\))*\btimeZone\b(?!Name|: 'UTC')/;
/** What makes formats by a zone that is not always there, and says what is shown where it is not. */
const ZONED = [
  'console/src/values/days.ts',
  'console/src/values/format.ts',
  'console/src/values/zone-options.ts',
  'src/core/schema/fields/kinds/time-zone.ts',
  'src/services/sample/records.ts',
];

describe('the code of the console', () => {
  it('reads the clock of the device in one file', () => {
    const found = filesOf('console/src').filter(([, text]) => DEVICE.test(text));
    assert.deepEqual(
      found.map(([path]) => path),
      [CLOCK],
      'Use now() of console/src/clock.ts, or elapsed() of service/time.ts.',
    );
  });

  it('is found where it reads the clock', () => {
    for (const text of [
      ...[
        'Date.now()',
        'new Date()',
        'new Date( )',
        'const { now } = Date',
        'Temporal.Now.instant()',
      ],
      ...['time.getTimezoneOffset()', 'format.format()', 'performance.now()', 'const at = Date()'],
    ])
      assert.match(text, DEVICE);
    for (const text of ['new Date(now())', 'new Date(0)', 'format.format(time)', 'now()'])
      assert.doesNotMatch(text, DEVICE);
  });

  it('has one field of days, which asks about years of two digits', () => {
    const input =
      /<input\b(?:[^>]|=>)*?\btype=(?:"(?:date|datetime-local|month|week)"|\{[^}]*date)/;
    const found = filesOf('console/src').filter(([, text]) => input.test(text));
    assert.deepEqual(
      found.map(([path]) => path),
      ['console/src/parts/date-input.tsx'],
    );
  });

  it('makes formats by a zone in a few files, which know what to do where it is lacking', () => {
    const found = filesOf('console', 'client/src', 'manual', 'src')
      .filter(([, text]) => BY_ZONE.test(text))
      .map(([path]) => path)
      .sort();
    assert.deepEqual(found, ZONED);
  });
});

/** A device, and a service whose clock is right. */
class World {
  truth = Date.UTC(2027, 2, 20, 12);
  steady = 1_000;
  wall: number;

  constructor(off: number) {
    this.wall = this.truth + off;
    mock.method(Date, 'now', () => this.wall);
    mock.method(performance, 'now', () => this.steady);
    globalThis.ledgerstoneTold = undefined;
  }

  pass(ms: number, { asleep = false } = {}): void {
    this.truth += ms;
    this.wall += ms;
    if (!asleep) this.steady += ms;
  }

  /** The answer to a request that takes some time, and may wait before it is answered. */
  async ask(ms = 0, { asleep = 0, headers = {} } = {}): Promise<void> {
    await timed(async () => {
      this.pass(ms);
      const said = new Date(this.truth).toUTCString();
      this.pass(asleep, { asleep: true });
      return new Response('', { headers: { Date: said, ...headers } });
    });
  }

  /** Milliseconds by which the console's time is wrong. */
  get wrong(): number {
    return Math.abs(serviceNow() - this.truth);
  }
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const offs = fc.integer({ min: -400 * DAY, max: 400 * DAY });
/** What is corrected, and what the length of a request and whole seconds add. */
const NEAR = 31_000 + 2_000;

describe('the time of the console', () => {
  afterEach(() => mock.restoreAll());

  it('is that of the service after one answer, however far the clock of the device is off', async () => {
    await fc.assert(
      fc.asyncProperty(offs, fc.integer({ min: 0, max: 2_000 }), async (off, ms) => {
        const world = new World(off);
        assert.equal(serviceNow(), world.wall);
        await world.ask(ms);
        assert.ok(world.wrong <= NEAR);
        world.pass(3 * HOUR);
        assert.ok(world.wrong <= NEAR);
        assert.ok(Math.abs(aheadBy() - off) <= NEAR);
        mock.restoreAll();
      }),
    );
  });

  it('is right again after the next answer, whatever happens to the clock meanwhile; set back, and asleep, also before it', async () => {
    const happens = fc.oneof(
      fc.record({ is: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: DAY }) }),
      fc.record({ is: fc.constant('sleep' as const), ms: fc.integer({ min: 0, max: 9 * DAY }) }),
      fc.record({ is: fc.constant('set' as const), ms: offs }),
    );
    await fc.assert(
      fc.asyncProperty(offs, fc.array(happens, { maxLength: 6 }), async (off, all) => {
        const world = new World(off);
        await world.ask();
        for (const { is, ms } of all) {
          if (is === 'set') world.wall = world.truth + ms;
          else world.pass(ms, { asleep: is === 'sleep' });
          // What the console cannot tell by itself, it asks about.
          if (world.wrong > NEAR) assert.ok(isDoubtful(), `${is} ${ms}`);
          await world.ask(100);
          assert.ok(world.wrong <= NEAR, `${is} ${ms}`);
          assert.equal(isDoubtful(), false);
        }
        mock.restoreAll();
      }),
    );
    const back = new World(0);
    await back.ask();
    back.wall -= 5 * HOUR;
    assert.ok(back.wrong <= NEAR);
    mock.restoreAll();
    const slept = new World(2 * HOUR);
    await slept.ask();
    slept.pass(8 * HOUR, { asleep: true });
    assert.ok(slept.wrong <= NEAR);
  });

  it('is not taken from an answer of another time: one that was stored, or on whose way the device slept', async () => {
    const world = new World(0);
    await world.ask();
    await world.ask(0, { asleep: 6 * HOUR });
    assert.ok(world.wrong <= NEAR);
    world.pass(HOUR);
    await timed(
      async () =>
        new Response('', { headers: { Age: '3600', Date: 'Sat, 20 Mar 2027 12:00:00 GMT' } }),
    );
    assert.ok(world.wrong <= NEAR);
    await timed(async () => new Response('', { headers: { Date: 'never' } }));
    await timed(async () => new Response(''));
    assert.ok(world.wrong <= NEAR);
  });

  it('does not jump by the seconds that answers are late', async () => {
    const world = new World(4_000);
    await world.ask(900);
    for (let at = 0; at < 50; at += 1) {
      const before = serviceNow() - world.wall;
      world.pass(700);
      await world.ask(400);
      assert.equal(serviceNow() - world.wall, before);
    }
  });
});
