/** Compares an answer with what a page shows of it. */
import assert from 'node:assert/strict';
import type { Body } from './service.ts';

const REST = '…';
/** Whole, or its beginning: with the time the digits after the prefix become others. */
const IDENTIFIER = /^([a-z]+_)(?:[0-9A-Za-z]{22}|[0-9A-Za-z]+…)$/;
/** What is another at every run. */
const TIMES = ['inserted_at', 'updated_at'];

/**
 * What is shown is true of what was answered: the same members, and the same values but for identifiers
 * (which have the same prefix) and times of the service's clock. `…` leaves out: within a text any text, in an
 * object any members, in an array any elements. A list may hold more records than are shown.
 */
export function assertShown(shownText: string, answered: string): void {
  const shown = readShown(shownText);
  const lines = answered.trim().split('\n');
  if (shown.length === 1) assertLike(shown[0], JSON.parse(answered), 'the answer');
  else {
    assert.equal(lines.length, shown.length, answered);
    for (const [index, line] of lines.entries()) {
      assertLike(shown[index], JSON.parse(line), `line ${index + 1}`);
    }
  }
}

/** One JSON value, or one a line. */
function readShown(text: string): Body[] {
  const whole = text
    .replaceAll(/,\s*…(?=\s*[,}])/g, `,"${REST}":"${REST}"`)
    .replaceAll(/,\s*…\s*\]/g, `,"${REST}"]`);
  try {
    return [JSON.parse(whole)];
  } catch {
    return whole
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}

function assertLike(shown: Body, actual: Body, path: string): void {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (typeof shown === 'string') {
    assert.equal(typeof actual, 'string', path);
    assert.match(actual, patternOf(shown, name), path);
  } else if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual), path);
    const elements = shown.filter((one) => one !== REST);
    if (elements.length === shown.length && name !== 'data') {
      assert.equal(actual.length, shown.length, path);
    }
    for (const [index, one] of elements.entries())
      assertLike(one, actual[index], `${path}.${index}`);
  } else if (typeof shown === 'object' && shown !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, path);
    const names = Object.keys(shown).filter((key) => key !== REST);
    const all = !(REST in shown);
    assert.deepEqual(
      Object.keys(actual)
        .filter((key) => all || names.includes(key))
        .sort(),
      names.sort(),
      path,
    );
    for (const key of names) assertLike(shown[key], actual[key], `${path}.${key}`);
  } else {
    assert.equal(actual, shown, path);
  }
}

function patternOf(shown: string, name: string): RegExp {
  if (TIMES.includes(name)) return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
  const [, prefix] = IDENTIFIER.exec(shown) ?? [];
  if (prefix !== undefined) return new RegExp(`^${prefix}[0-9A-Za-z]{22}$`);
  return new RegExp(`^${shown.split(REST).map(RegExp.escape).join('.*')}$`, 's');
}
