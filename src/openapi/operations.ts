/** The operations of a resource. */
import type { Resource } from '../schema/define.ts';
import { imagesOf } from '../schema/images.ts';
import { historyOperation, restoreOperation } from './change-operations.ts';
import { imageOperation } from './images.ts';
import { upsertManyOperation } from './many-operation.ts';
import { findOperation, listOperation } from './read-operations.ts';
import {
  pairPatchOperation,
  pairRemoveOperation,
  patchOperation,
  removeOperation,
  upsertOperation,
} from './write-operations.ts';

/** The path items of a resource, by path; `hasChildren` tells whether records of other resources belong to its own. */
export function resourcePaths(
  resource: Resource,
  hasChildren: boolean,
  serverUrl: string,
): Record<string, object> {
  const { path, parent } = resource;
  const list = `/v1/${path}`;
  const one = `/v1/${path}/{unique_identifier}`;
  if (parent === undefined) {
    return {
      [list]: { get: listOperation(resource) },
      [one]: { get: findOperation(resource) },
      [`${one}/history`]: { get: historyOperation(resource) },
    };
  }
  return {
    [list]: {
      get: listOperation(resource),
      patch: pairPatchOperation(resource),
      delete: pairRemoveOperation(resource, hasChildren),
    },
    [one]: {
      get: findOperation(resource),
      patch: patchOperation(resource),
      delete: removeOperation(resource, hasChildren),
    },
    [`${one}/history`]: { get: historyOperation(resource) },
    ...(imagesOf(resource) === undefined
      ? {}
      : { [`${one}/images/{index}`]: { get: imageOperation(resource) } }),
    [`${one}/restore`]: { post: restoreOperation(resource) },
    [`/v1/${path}/upsert`]: { post: upsertOperation(resource, serverUrl) },
    [`/v1/${path}/upsert_many`]: { post: upsertManyOperation(resource, serverUrl) },
  };
}
