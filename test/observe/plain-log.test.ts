/** The log for someone who looks on tells every answer, even where nothing is known of the request. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPlainLog } from '../../src/core/observe/plain-log.ts';

it('an answer before anything of ours ran, as to a preflight, is a line like any other', () => {
  const written: string[] = [];
  const request = {
    id: 'req_1',
    method: 'OPTIONS',
    route: {},
    headers: {},
    principal: undefined,
    done: undefined,
  };
  createPlainLog((text) => written.push(text)).requestAnswered(request, {
    statusCode: 204,
    elapsedTime: 0.31,
  });
  assert.match(written.join(''), /^\S+ {2}OPTIONS \(unknown path\) {2}204 {2}0\.3 ms\n$/);
});
