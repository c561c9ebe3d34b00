/** The operations on the records of a resource. */
import type { Resource } from '../../../src/core/schema/define.ts';
import { imagesOf } from '../../../src/core/schema/present/images.ts';
import { historyOperation, restoreOperation } from './change-operations.ts';
import { imageOperation } from './images.ts';
import { upsertManyOperation } from './many-operation.ts';
import type { Described } from './operation.ts';
import { findOperation, listOperation } from './read-operations.ts';
import {
  pairPatchOperation,
  pairRemoveOperation,
  patchOperation,
  removeOperation,
  upsertOperation,
} from './write-operations.ts';

export function recordOperations(
  resource: Resource,
  resources: readonly Resource[],
  serverUrl: string,
): readonly Described[] {
  if (resource.parent === undefined)
    return [listOperation(resource), findOperation(resource), historyOperation(resource)];
  const hasChildren = resources.some(({ parent }) => parent === resource);
  return [
    listOperation(resource),
    pairPatchOperation(resource),
    pairRemoveOperation(resource, hasChildren),
    findOperation(resource),
    patchOperation(resource),
    removeOperation(resource, hasChildren),
    historyOperation(resource),
    ...(imagesOf(resource) === undefined ? [] : [imageOperation(resource)]),
    restoreOperation(resource),
    upsertOperation(resource, serverUrl),
    upsertManyOperation(resource, serverUrl),
  ];
}
