/**
 * The operations on the records of a resource, from which follow their routes, commands and rights, their entries in
 * the audit, the names of their parameters in the log of requests, and their part of the OpenAPI document.
 */
import type { AuditAction } from '../../core/objects/requests/audit-entry.ts';
import { perResource } from '../../core/schema/define.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import { pairPatchParams, recordWriteParams } from '../../core/schema/parse/parse.ts';
import { findParams, listParams } from '../../core/schema/parse/parse-list.ts';
import {
  historyParams,
  manyParams,
  pairRemovalParams,
  removalParams,
  restoreParams,
} from '../../core/schema/parse/parse-queries.ts';
import { imagesOf } from '../../core/schema/present/images.ts';
import { paramMask } from '../../services/requests/names.ts';
import type { Permission } from '../../store/promises/keys.ts';
import { type Bodies, CHANGE, MANY } from '../request/body.ts';
import type { Operation } from './operation.ts';

interface Declared<Verb> extends Pick<Operation, 'name' | 'route' | 'audits' | 'query' | 'body'> {
  /** The act; `…Pair`: on the record that the query names by its parent and its own identifier. */
  readonly verb: Verb;
  readonly needs: { readonly permission: Permission };
  /** The bodies that it accepts, if not those of one record. */
  readonly bodies?: Bodies;
}

const PERMISSIONS: Readonly<Record<string, Permission>> = { GET: 'read', DELETE: 'delete' };

/** Returns the operations that a resource has, in the order of the OpenAPI document. */
export const recordOperations = perResource((resource) => {
  const { name, path, parent, anchor, patch: body } = resource;
  const all = `/v1/${path}`;
  const one = `${all}/:unique_identifier`;
  const declare = <const Verb extends string>(
    verb: Verb,
    name: string,
    route: string,
    more: Pick<Declared<Verb>, 'audits' | 'query' | 'body' | 'bodies'>,
  ): Declared<Verb> => {
    const [method = ''] = route.split(' ');
    const permission = PERMISSIONS[method] ?? 'write';
    return { verb, name, route: route as Operation['route'], needs: { permission }, ...more };
  };
  // Accounts and locations say nothing of people.
  const read = (query: Members, audits: AuditAction) =>
    parent === undefined || anchor === true ? { query } : { query, audits };
  const query = recordWriteParams(resource);
  const list = declare('list', `list_${path}`, `GET ${all}`, read(listParams(resource), 'list'));
  const get = declare('get', `get_${name}`, `GET ${one}`, read(findParams(resource), 'read'));
  const history = declare(
    'history',
    `list_${name}_history`,
    `GET ${one}/history`,
    read(historyParams, 'history'),
  );
  if (parent === undefined) return [list, get, history];
  const ofPair = 'by_external_identifier';
  const image = declare('image', `retrieve_${name}_image`, `GET ${one}/images/:index`, {
    audits: 'image',
  });
  return [
    list,
    declare('patchPair', `patch_${name}_${ofPair}`, `PATCH ${all}`, {
      query: pairPatchParams(resource),
      body,
      bodies: CHANGE,
    }),
    declare('removePair', `delete_${name}_${ofPair}`, `DELETE ${all}`, {
      query: pairRemovalParams(resource),
    }),
    get,
    declare('patch', `patch_${name}`, `PATCH ${one}`, { query, body, bodies: CHANGE }),
    declare('remove', `delete_${name}`, `DELETE ${one}`, { query: removalParams }),
    history,
    ...(imagesOf(resource) === undefined ? [] : [image]),
    declare('restore', `restore_${name}`, `POST ${one}/restore`, { query, body: restoreParams }),
    declare('upsert', `upsert_${name}`, `POST ${all}/upsert`, { query, body: resource.upsert }),
    declare('upsertMany', `upsert_many_${path}`, `POST ${all}/upsert_many`, {
      query: manyParams,
      bodies: MANY,
    }),
  ];
});

export type RecordOperation = ReturnType<typeof recordOperations>[number];
export type RecordVerb = RecordOperation['verb'];

/** Masks names of parameters that the resource does not declare. */
export const paramMaskOf = perResource((resource) =>
  paramMask(recordOperations(resource).flatMap(({ query = {}, body = {} }) => [query, body])),
);
