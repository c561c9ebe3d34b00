/** The schema of an API key. */
import { apiKey } from '../../../core/objects/api-key.ts';
import { exampleOf, ownSchema } from '../../../core/objects/own-object.ts';
import { exampleIdentifier } from '../schemas/examples.ts';
import { illustrated } from '../schemas/illustrated.ts';

const example = exampleOf(apiKey, 'api', exampleIdentifier);

export const meSchemas = { ApiKey: illustrated(ownSchema(apiKey, 'api'), example) };
