/** Words of the operation that answers an image of a record. */

import type { Resource } from '../../../src/core/schema/define.ts';
import { MAX_IMAGE_MIB } from '../../../src/core/schema/present/images.ts';
import { timed } from '../headers.ts';
import { articled } from '../schemas/names.ts';
import type { Words } from './operation.ts';
import { identifierInPath } from './query-params.ts';

export function imageWords(resource: Resource): Words {
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
