/** Whatever one key does, another key's upserts are answered, and memory stays bounded. How fast is for the bench: `--siege`. */
// needs: --ci, alone, program, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { besiege } from '../../bench/siege/siege.ts';
import { ALL } from '../support/all.ts';
import { call } from '../support/cli-service.ts';
import { eventBody } from '../support/sent.ts';
import { besieged } from './ground.ts';

/** Beside the service itself: what may be held for requests, and what the collector leaves lying. */
const MAX_MIB = 1_024;
const SECONDS = ALL ? 2 : 0.1;
const SMALL = { NODE_OPTIONS: '--max-old-space-size=512' };

/** One of each kind: bodies, streams, answers, connections, what takes the processor. */
const SOME = [
  'arrays of a hundred faults a row',
  'streams of good rows',
  'pipelines, unread',
  'upserts from 3,000 connections',
  'whole lists as lines, unread',
];
const WAYS = [
  'arrays of 32 MiB, unfinished',
  'arrays in chunks, unfinished',
  'arrays of a hundred faults a row',
  'arrays of 30 MiB that are no JSON at the end',
  'streams of junk',
  'streams of a hundred faults a row',
  'streams of blank lines',
  'streams of good rows',
  'streams, unread',
  'pipelines, unread',
  'upserts in pipelines',
  'upserts from 3,000 connections',
  'documents of 64 KiB that change, from 512 connections',
  'removals from 512 connections',
  'HEAD and OPTIONS',
  'bodies in chunks of a byte',
  'filters of 15 KiB',
  'searches while everything is renamed',
  'whole lists as lines, unread',
  'a quote in CSV that is never closed',
  'changes as lines, unread',
  'a thousand who wait for changes, and a change',
];

describe('beside a key that behaves badly', () => {
  it('another key is answered', async (test) => {
    const ground = await besieged(SMALL);
    const { service, location, bad, good } = ground;
    const made = await call(service.url, good, '/v1/events/upsert', eventBody(location, 'service'));
    const { unique_identifier: event } = JSON.parse(made.text) as { unique_identifier: string };
    const keys = { authorization: `Bearer ${bad}`, other: `Bearer ${good}` };
    for (const behaviour of ALL ? WAYS : SOME) {
      await test.test(behaviour, async () => {
        const { port } = service;
        const siege = { ...keys, port, location, event, behaviour, seconds: SECONDS };
        const { upserts, failed } = await besiege(siege);
        assert.ok(upserts > 0);
        assert.deepEqual(failed, {}, `of ${upserts} upserts`);
        assert.equal(service.process.exitCode, null);
        assert.ok(ground.residentMiB() < MAX_MIB, `${ground.residentMiB()} MiB`);
      });
    }
  });
});
