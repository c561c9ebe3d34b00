/** The operation that describes the API key of the request. */
import { apiKey } from '../../core/objects/api-key.ts';
import { present } from '../../core/objects/own-object.ts';
import { operation } from './operation.ts';

export const getMe = operation({
  name: 'get_me',
  route: 'GET /v1/me',
  tag: 'API key',
  keysOnly: true,
  summary: 'Read this API key',
  description: 'Returns what the API key of the request may do, and until when.',
  answers: { schema: 'ApiKey', says: 'The key.' },
  run: (_services, { caller }) => present(apiKey, caller.granted, 'api', 0),
});
