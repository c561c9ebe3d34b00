/** The operations on the records of a resource: their declarations, with the words of the document. */
import type { Resource } from '../../../src/core/schema/define.ts';
import { headingOf } from '../../../src/core/schema/present/words.ts';
import { type RecordVerb, recordOperations } from '../../../src/edge/operations/records.ts';
import { changeWords } from './change-operations.ts';
import { imageWords } from './images.ts';
import { upsertManyWords } from './many-operation.ts';
import type { Described, Words, WordsOptions } from './operation.ts';
import { identifierInPath } from './query-params.ts';
import { readWords } from './read-operations.ts';
import { writeWords } from './write-operations.ts';

const WORDS: Readonly<Record<RecordVerb, (resource: Resource, options: WordsOptions) => Words>> = {
  ...readWords,
  ...changeWords,
  ...writeWords,
  image: imageWords,
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
