/** Reads query strings: by the rules of forms, and nothing in them is empty. */
import { Faults } from '../../errors.ts';
import type { BodyReading } from '../fields/kind.ts';
import { type Members, readMembers, repetitionIn } from '../fields/members.ts';
import { parseForm } from '../form/form.ts';
import { isObject, type JsonObject } from '../values.ts';

/** The members that were sent. Adds a fault for everything that is wrong with the query. */
export function readQuery(
  members: Members,
  query: string,
  faults: Faults,
  unknown: BodyReading['unknown'],
  elsewhere?: BodyReading['elsewhere'],
): JsonObject {
  if (query === '') return {};
  return faults.inForm(() => readForm(members, query, faults, unknown, elsewhere));
}

function readForm(
  members: Members,
  query: string,
  faults: Faults,
  unknown: BodyReading['unknown'],
  elsewhere: BodyReading['elsewhere'],
): JsonObject {
  const sent = parseForm(Buffer.from(query), faults, repetitionIn(members, unknown));
  const reading: BodyReading = {
    encoding: 'form',
    faults,
    unknown,
    always: 'here',
    ...(elsewhere && { elsewhere }),
  };
  const values = readMembers(members, sent, '', reading);
  refuseEmpty(values, '', faults);
  return values;
}

/** The members that were sent. Throws one `ApiError` that names every fault, with those that `check` adds. */
export function parseQuery(
  members: Members,
  query: string,
  unknown: BodyReading['unknown'],
  check?: (values: JsonObject, faults: Faults) => void,
): JsonObject {
  const faults = new Faults();
  const values = readQuery(members, query, faults, unknown);
  check?.(values, faults);
  faults.throwIfAny();
  return values;
}

/** A text that was sent. */
export function textIn(values: JsonObject, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The elements of a list that was sent. */
export function setIn(values: JsonObject, name: string): ReadonlySet<string> | undefined {
  const value = values[name];
  return Array.isArray(value) ? new Set(value.map(String)) : undefined;
}

/** There is nothing that a query could remove. */
function refuseEmpty(values: JsonObject, prefix: string, faults: Faults): void {
  for (const [name, value] of Object.entries(values)) {
    const at = prefix + name;
    if (value === null) {
      faults.add(at, 'value_invalid', `${at} is empty: give it a value or leave it out.`);
    } else if (isObject(value)) {
      refuseEmpty(value, `${at}.`, faults);
    }
  }
}
