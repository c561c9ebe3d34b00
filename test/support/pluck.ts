/** Members of each of many objects, for tests that compare these alone. */

import type { Body } from './service.ts';

/** The member with that name of each; or the members with these names, as a list for each. */
export function pluck<All extends readonly Body[], Name extends keyof All[number]>(
  all: All,
  name: Name,
): All[number][Name][];
export function pluck<T>(all: readonly T[], ...names: readonly (keyof T)[]): unknown[][];
export function pluck<T>(all: readonly T[], ...names: readonly (keyof T)[]): unknown[] {
  const [first, ...others] = names;
  if (others.length === 0) return all.map((one) => one[first as keyof T]);
  return all.map((one) => names.map((name) => one[name]));
}
