/** The operations on the records of a resource: their declarations, with the words of the document. */
import type { Resource } from '../../../src/core/schema/define.ts';
import { headingOf } from '../../../src/core/schema/present/words.ts';
import { type RecordVerb, recordOperations } from '../../../src/edge/operations/records.ts';
import { historyWords, restoreWords } from './change-operations.ts';
import { imageWords } from './images.ts';
import { upsertManyWords } from './many-operation.ts';
import type { Described, Words, WordsOptions } from './operation.ts';
import { identifierInPath } from './query-params.ts';
import { getWords, listWords } from './read-operations.ts';
import {
  patchPairWords,
  patchWords,
  removePairWords,
  removeWords,
  upsertWords,
} from './write-operations.ts';

const WORDS: Readonly<Record<RecordVerb, (resource: Resource, options: WordsOptions) => Words>> = {
  list: listWords,
  get: getWords,
  history: historyWords,
  image: imageWords,
  patchPair: patchPairWords,
  removePair: removePairWords,
  patch: patchWords,
  remove: removeWords,
  restore: restoreWords,
  upsert: upsertWords,
  upsertMany: upsertManyWords,
};

export function describedRecords(resource: Resource, options: WordsOptions): readonly Described[] {
  return recordOperations(resource).map((operation) => ({
    ...operation,
    tag: headingOf(resource),
    parameters: operation.route.includes(':') ? [identifierInPath(resource)] : [],
    ...WORDS[operation.verb](resource, options),
  }));
}
