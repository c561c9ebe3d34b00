/** The slowest of those who follow is told, for as long as it is behind and there. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFollowers } from '../../src/records/changes/feed.ts';

it('tells of the oldest change that a follower has not got yet', () => {
  const followers = createFollowers();
  assert.deepEqual(followers.now, { count: 0, since: undefined });
  const [one, other] = [followers.join(), followers.join()];
  assert.deepEqual(followers.now, { count: 2, since: undefined });
  one.behind(2_000);
  other.behind(1_000);
  assert.deepEqual(followers.now, { count: 2, since: 1_000 });
  other.behind(undefined);
  assert.deepEqual(followers.now, { count: 2, since: 2_000 });
  one.leave();
  one.behind(1_000);
  assert.deepEqual(followers.now, { count: 1, since: undefined });
});
