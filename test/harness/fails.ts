/** Fails each time, in a suite of a suite, beside one that passes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

describe('outer', () => {
  describe('inner', () => {
    it('fails', () => assert.equal('what was got', 'what is wanted'));
  });
  describe('beside', () => {
    it('passes', () => undefined);
  });
});
