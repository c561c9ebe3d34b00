/** Reads the record that a query names as an upsert does: by its parent and the caller's identifier. */
import type { Faults } from '../../errors.ts';
import type { Resource } from '../define.ts';
import type { Members } from '../fields/members.ts';
import { checkReference, type Reference, referenceFrom } from '../reference.ts';
import type { JsonObject } from '../values.ts';
import { perResource } from './per-resource.ts';

/** A record, named by its parent and the caller's identifier. */
export interface PairReference {
  readonly parent: Reference;
  readonly external_identifier: string;
}

/** The parameters that identify a record. */
export function identityNames({ parentParam = '', parentNames }: Resource): readonly string[] {
  return ['external_identifier', parentParam, ...Object.keys(parentNames)];
}

/** The identifiers of a record as members of a query. */
export const identityParams = perResource(
  (resource): Members =>
    Object.fromEntries(
      Object.entries(resource.patch).filter(([name]) => identityNames(resource).includes(name)),
    ),
);

/** The record that the query of such a request names. The result is only valid if no fault was added. */
export function pairFrom(
  { parent, path }: Resource,
  method: 'DELETE' | 'PATCH',
  values: JsonObject,
  faults: Faults,
): PairReference {
  if (parent === undefined) throw new TypeError(`No ${method} takes /v1/${path}.`);
  if (values.external_identifier === undefined) {
    const message = `external_identifier is missing: the query of ${method} /v1/${path} names one record, by its external_identifier and what it belongs to. ${method} /v1/${path}/{unique_identifier} needs neither.`;
    faults.add('external_identifier', 'parameter_missing', message);
  }
  checkReference(parent, values, faults);
  return {
    parent: referenceFrom(parent, values),
    external_identifier: values.external_identifier as string,
  };
}
