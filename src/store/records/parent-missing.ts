/** The error for a parent that does not exist, is not visible or is gone: always the same, to the letter. */
import { ApiError } from '../../core/errors.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { noSuch } from '../promises/refusals.ts';

export function parentMissing(shape: RecordShape): ApiError {
  if (shape.parent === undefined) throw new TypeError(`${shape.resource} has no parent.`);
  const { resource, param } = shape.parent;
  return new ApiError('resource_missing', {
    param,
    message: noSuch(resource),
  });
}
