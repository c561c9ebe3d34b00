/** An operation is declared once: its route, OpenAPI, the log of requests, the client and commands have it from there. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Option } from 'commander';
import { ledgerstoneText } from '../../scripts/client/ledgerstone.ts';
import { clientOperations } from '../../scripts/client/operations.ts';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { performed } from '../../src/cli/derived/here.ts';
import { callOperation } from '../../src/cli/derived/operation.ts';
import type { Performer } from '../../src/cli/derived/performer.ts';
import { addDerived } from '../../src/cli/derived.ts';
import { Command } from '../../src/cli/help.ts';
import { resources } from '../../src/core/resources/index.ts';
import { optional, wholeNumber } from '../../src/core/schema/fields/index.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import { operation } from '../../src/edge/operations/operation.ts';
import { operatorOf } from '../../src/records/auth/principal.ts';
import { operationsOf as operationsIn } from '../support/openapi.ts';
import { pluck } from '../support/pluck.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';

const greeting = operation({
  name: 'get_greeting',
  route: 'GET /v1/greetings/:unique_identifier',
  tag: 'API key',
  needs: { permission: 'write' },
  summary: 'Read a greeting',
  description: 'Greets in a few words.',
  id: { says: 'Identifies the greeting', prefix: 'grt_' },
  query: { words: optional(wholeNumber({ min: 1, max: 3 }), 'How many words') },
  answers: { schema: 'ApiKey', says: 'The greeting.' },
  errors: ['position_unknown'],
  run: (_services, { id, params }) => {
    const { words = 2 } = params();
    return { object: 'greeting', unique_identifier: id, words };
  },
});
const operations = [...operationsOf(resources), greeting];

describe('an operation that is declared', () => {
  const service = served({ operations });

  it('is a route, which reads its parameters', async () => {
    const answer = await service.get('/v1/greetings/grt_1?words=3');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, { object: 'greeting', unique_identifier: 'grt_1', words: 3 });
    assert.equal((await service.get('/v1/greetings/grt_1')).body.words, 2);
    const wrong = await service.get('/v1/greetings/grt_1?words=9&wrds=1');
    assert.deepEqual(pluck(wrong.body.error.errors, 'param', 'code'), [
      ['words', 'number_out_of_range'],
      ['wrds', 'parameter_unknown'],
    ]);
  });

  it('takes an empty body as one without members, whatever its type says', async () => {
    const { secret: key } = await service.newKey({ allow: ['webhooks'] });
    const empty = { key, headers: { 'Content-Type': 'application/json' } };
    const opened = await service.send('POST', '/v1/self_tests', empty);
    assert.equal(opened.body.object, 'self_test', opened.text);
  });

  it('is in the OpenAPI document, with the errors that its parts imply', () => {
    const document = openapiDocument(resources, service.url, { operations });
    const body = JSON.parse(JSON.stringify(document));
    const { get } = body.paths['/v1/greetings/{unique_identifier}'];
    assert.equal(get.operationId, 'get_greeting');
    const names = get.parameters.map(({ name }: Body) => name).filter(Boolean);
    assert.deepEqual(names, ['unique_identifier', 'words']);
    const described = operationsIn(body).find(({ path }) => path.startsWith('/v1/greetings/'));
    for (const code of ['number_out_of_range', 'parameter_unknown', 'position_unknown'])
      assert.ok(described?.codes.has(code), code);
    assert.ok(!described?.codes.has('json_invalid'));
  });

  it('has its parameters in the log of requests, and no name of a caller', async () => {
    const { secret } = await service.newKey({ allow: ['requests'] });
    const { headers } = await service.get('/v1/greetings/grt_1?words=9&jane_doe=1');
    const path = `/v1/requests?request_id=${headers.get('request-id')}`;
    let entry: Body;
    await until(async () => {
      [entry] = (await service.get(path, { key: secret })).body.data;
      return entry !== undefined;
    });
    assert.equal(entry.path, '/v1/greetings/:unique_identifier');
    assert.deepEqual(pluck(entry.errors, 'param').sort(), ['*', 'words']);
  });

  it('is a method of the client', () => {
    const ours = clientOperations(resources, operations);
    const params = 'unique_identifier: string, params: GetGreetingParams = {}';
    const method = `retrieve(${params}, options?: RequestOptions): Promise<ApiKey>`;
    assert.ok(ours.text.includes(method), ours.text);
    assert.match(ledgerstoneText(resources, ours), /readonly greetings: GreetingsApi;/);
  });

  it('is called by a command, which has its options from the members', async () => {
    const flags = { words: new Option('--words <number>') };
    const [command] = addDerived(new Command(), {
      ...{ name: 'greetings', says: '', operations: [greeting], takes: [] },
      commands: { 'show <id>': { of: 'get_greeting', examples: {} } },
    }).commands;
    assert.match(command?.helpInformation() ?? '', /--words <number> +How many words/);
    const by: Pick<Performer, 'perform'> = {
      perform: (one, request) => performed(one, {}, request, operatorOf([])),
    };
    const call = (members: object) => callOperation(greeting, by, { id: 'grt_1', flags, members });
    const answer = { object: 'greeting', unique_identifier: 'grt_1', words: 3 };
    assert.deepEqual(await call({ words: '3' }), answer);
    await assert.rejects(call({ words: '9' }), /^Mistake: --words must be/);
  });

  it('says so where there are no parameters at all', async () => {
    const { body } = await service.get('/v1/me?verbose=1');
    const { message } = body.error;
    assert.equal(message, 'verbose is not a parameter here: there are none. Leave it out.');
  });
});

describe('the operations', () => {
  it('have a name each, and are answered by a run or a route', () => {
    const names = operations.map(({ name }) => name);
    assert.deepEqual([...new Set(names)], names);
    const routes = operations.filter(({ run }) => run === undefined).map(({ name }) => name);
    const handled = operations.filter((one) => one.handled === true).map(({ name }) => name);
    assert.deepEqual(routes, ['list_changes', 'copy_erasure', ...handled]);
  });
});
