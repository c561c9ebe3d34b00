/** What an API key looks like. */
import { apiKey } from '../objects/api-key.ts';
import { exampleOf, ownSchema } from '../objects/own-object.ts';
import { exampleIdentifier } from './examples.ts';
import { illustrated } from './illustrated.ts';

const example = exampleOf(apiKey, 'api', exampleIdentifier);

export const meSchemas = { ApiKey: illustrated(ownSchema(apiKey, 'api'), example) };
