/** The operations on the records of a resource: their declarations, with the words of the document. */
import type { Resource } from '../../../src/core/schema/define.ts';
import { MAX_IMAGE_MIB } from '../../../src/core/schema/present/images.ts';
import { headingOf } from '../../../src/core/schema/present/words.ts';
import { type RecordVerb, recordOperations } from '../../../src/edge/operations/records.ts';
import { timed } from '../headers.ts';
import { articled } from '../schemas/names.ts';
import { changeWords } from './change-operations.ts';
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

function imageWords(resource: Resource): Words {
  return {
    summary: `Read an image of ${articled(resource)}`,
    description: `Fetches the image from its address and returns it: a JPEG of at most ${MAX_IMAGE_MIB} MiB, from a public address, within 10 seconds and over at most three redirects. Nothing is stored.`,
    parameters: [
      identifierInPath(resource),
      {
        name: 'index',
        in: 'path',
        required: true,
        description: 'Which of the images, from 0',
        schema: { type: 'integer', minimum: 0, maximum: 9 },
      },
    ],
    answer: {
      description: 'The image.',
      headers: timed,
      content: { 'image/jpeg': { schema: { type: 'string', format: 'binary' } } },
    },
    errors: ['resource_missing', 'image_unavailable'],
  };
}
