/** Where somebody is signed in is told in the words that they have for it. */
// needs: --all, browser
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { browserName } from '../../console/src/values/browser-name.ts';

const like = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const NAMES = {
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/150.0.0.0 Safari/537.36`]:
    'Chrome, Windows',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`]:
    'Edge, Windows',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15':
    'Safari, Mac',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0 Mobile/15E148 Safari/604.1':
    'Chrome, iPhone',
  'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0': 'Firefox, Linux',
  'curl/8.5.0': 'curl/8.5.0',
};

it('A browser is named as people name it, and what is unknown as it names itself', () => {
  for (const [said, name] of Object.entries(NAMES)) assert.equal(browserName(said), name);
});
