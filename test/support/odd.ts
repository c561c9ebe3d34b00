/** Odd names for members, and what to look at objects with that have them. */
import assert from 'node:assert/strict';
import type { Body } from './service.ts';

/** Names that plain objects of JavaScript have already, or that its machinery looks for. */
export const oddNames = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'],
  ...['toJSON', 'then', 'rawJSON', 'length', '__defineGetter__', '__lookupSetter__'],
  ...['isPrototypeOf', 'propertyIsEnumerable', '', ' ', '0', '-1', '4294967295', '1e3', 'null'],
  ...['undefined', 'NaN', '$where', '$ref', '.', 'a.b', 'a[b]', '[]', '"', '\\', '\n', '\u007f'],
  ...['\ufeff', '\u2028', 'é', 'e\u0301', '🕯', 'public_data', 'object', 'additional_data'],
];

/** One text for equal values: members sorted by name, whatever their names. */
export function canonical(value: Body): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  const members = Object.keys(value)
    .sort()
    .map(
      (name) =>
        `${JSON.stringify(name)}:${canonical(Object.getOwnPropertyDescriptor(value, name)?.value)}`,
    );
  return `{${members.join(',')}}`;
}

/** Nothing that was sent may have got into what all objects share: service and test are one process. */
export function assertUnpolluted(): void {
  assert.equal(({} as Body).polluted, undefined);
  assert.ok(!Object.hasOwn(Object.prototype, 'polluted'));
}
