/** A link to an email address leads to that address, whatever it holds. */
// needs: --all, browser
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { emailLink } from '../../console/src/values/contact.ts';

it('An email address as a link adds no recipients and no text', () => {
  for (const address of [
    'jane@example.com',
    'x?bcc=evil@example.com',
    'a@example.com,b@example.com',
    'x@example.com?body=a&cc=b#c',
    '50% off@example.com',
  ]) {
    const { pathname, search, hash } = new URL(emailLink(address));
    assert.deepEqual([decodeURIComponent(pathname), search, hash], [address, '', '']);
    // A comma would part two recipients.
    assert.doesNotMatch(pathname, /[,;]/);
  }
  assert.equal(emailLink('jane@example.com'), 'mailto:jane@example.com');
});
