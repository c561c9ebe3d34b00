/** `traceparent` is read as the W3C recommendation says: strictly, and open to versions to come. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readTraceparent } from '../../src/core/observe/log.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const FOUND = { traceId: TRACE, parentId: PARENT };

describe('what is read', () => {
  for (const header of [
    `00-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-00`,
    // Flags that are not known yet mean nothing.
    `00-${TRACE}-${PARENT}-ff`,
    // Versions to come may have more, after a dash.
    `01-${TRACE}-${PARENT}-01`,
    `cc-${TRACE}-${PARENT}-01-what-the-future-brings`,
    `fe-${TRACE}-${PARENT}-01-`,
  ]) {
    it(header, () => assert.deepEqual(readTraceparent(header), FOUND));
  }

  it('every identifier that is not all zero', () => {
    const hex = (length: number) =>
      fc.string({
        unit: fc.constantFrom(...'0123456789abcdef'),
        minLength: length,
        maxLength: length,
      });
    fc.assert(
      fc.property(hex(32), hex(16), hex(2), (traceId, parentId, flags) => {
        const isZero = /^0+$/.test(traceId) || /^0+$/.test(parentId);
        assert.deepEqual(
          readTraceparent(`00-${traceId}-${parentId}-${flags}`),
          isZero ? undefined : { traceId, parentId },
        );
      }),
    );
  });
});

describe('what is passed over', () => {
  const wrong: Readonly<Record<string, string | string[] | undefined>> = {
    nothing: undefined,
    'an empty text': '',
    'any text': 'traceparent',
    'the version that can never be': `ff-${TRACE}-${PARENT}-01`,
    'a trace id of zeros': `00-${'0'.repeat(32)}-${PARENT}-01`,
    'a parent id of zeros': `00-${TRACE}-${'0'.repeat(16)}-01`,
    'zeros in versions to come': `01-${'0'.repeat(32)}-${PARENT}-01`,
    'upper case in the trace id': `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    'upper case in the parent id': `00-${TRACE}-${PARENT.toUpperCase()}-01`,
    'upper case in the version': `CC-${TRACE}-${PARENT}-01`,
    'upper case in the flags': `00-${TRACE}-${PARENT}-0A`,
    'more after version 00': `00-${TRACE}-${PARENT}-01-more`,
    'a dash after version 00': `00-${TRACE}-${PARENT}-01-`,
    'more without a dash': `01-${TRACE}-${PARENT}-01more`,
    'a third digit of flags': `01-${TRACE}-${PARENT}-011`,
    'no flags': `00-${TRACE}-${PARENT}`,
    'no version': `${TRACE}-${PARENT}-01`,
    'a short trace id': `00-${TRACE.slice(1)}-${PARENT}-01`,
    'a long trace id': `00-${TRACE}0-${PARENT}-01`,
    'a short parent id': `00-${TRACE}-${PARENT.slice(1)}-01`,
    'other digits': `00-${TRACE.replace('0', 'g')}-${PARENT}-01`,
    'digits of other scripts': `00-${TRACE.replace('0', '٠')}-${PARENT}-01`,
    'other dashes': `00_${TRACE}_${PARENT}_01`,
    'space before it': ` 00-${TRACE}-${PARENT}-01`,
    'a line after it': `00-${TRACE}-${PARENT}-01\n`,
    'two at once, joined as Node joins them': `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
    'two at once': [`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01`],
  };
  for (const [what, header] of Object.entries(wrong)) {
    it(what, () => assert.equal(readTraceparent(header), undefined));
  }

  it('quickly, however long it is', () => {
    const began = performance.now();
    readTraceparent(`01-${TRACE}-${PARENT}-01${'-'.repeat(1_000_000)}`);
    readTraceparent(`00-${'a'.repeat(1_000_000)}`);
    // Were it read again for each of its characters, that would be minutes.
    assert.ok(performance.now() - began < 5_000);
  });
});
