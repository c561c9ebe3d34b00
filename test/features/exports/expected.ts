/** Expectations of exports that tests of the whole service check. */
import type { Expected } from '../../support/expected.ts';

export const expected: Expected = { alike: { all: ['exports.formats.ndjson'] } };
