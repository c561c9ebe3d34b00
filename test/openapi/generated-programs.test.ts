/** What other generators make of the OpenAPI document compiles and speaks to a running service: it writes, filters, reads and sees errors. */
// needs: --all
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { compilers, complaints, DOCUMENT, write } from '../support/compile.ts';
import { GENERATORS, lacks } from '../support/extras.ts';
import type { Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const run = promisify(execFile);
const skip = lacks('orval', 'generators');

interface Generator {
  /** Files that it makes the program's `made` of, by what runs it. */
  readonly make: (folder: string) => Promise<unknown>;
  /** Exports `run(baseUrl, key, account)`, which does the same by the names that this generator gives. */
  readonly program: string;
  /** Packages that it needs in another version, by name, each with the name that it has here. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Why it cannot run here. */
  readonly lacks?: string | false;
  /** The code and the parameter of another error, where the program itself refuses a name that is empty. */
  readonly refuses?: readonly [code: string, param: string];
}

const command =
  (name: string, ...args: readonly string[]) =>
  (folder: string) =>
    run(process.execPath, [join(GENERATORS, '.bin', name), ...args], {
      cwd: folder,
      timeout: 240_000,
      maxBuffer: 64 * 1_048_576,
      env: { ...process.env, NO_UPDATE_NOTIFIER: '1', CI: 'true' },
    });

const lacksOf = (program: string, ...args: readonly string[]): string | false =>
  spawnSync(program, args, { timeout: 60_000 }).status === 0
    ? false
    : `there is no ${program} ${args.at(-1)}`;

/** The document in OpenAPI 3.0, which openapi-generator reads before version 7. */
function documentOf30(): string {
  const require = createRequire(join(GENERATORS, 'any.js'));
  const { Converter } = require('@apiture/openapi-down-convert');
  const converted = new Converter(JSON.parse(readFileSync(DOCUMENT, 'utf8'))).convert();
  // The converter leaves the type null where it stands alone; OpenAPI 3.0 has no such type.
  return JSON.stringify(converted, (_name, value) => {
    if (value?.type === 'null') return { ...value, type: undefined, nullable: true };
    if (!Array.isArray(value?.anyOf)) return value;
    const { anyOf, ...others } = value;
    const left = anyOf.filter((one: Body) => one.type !== 'null');
    if (left.length === anyOf.length) return value;
    return { ...others, ...(left.length === 1 ? left[0] : { anyOf: left }), nullable: true };
  });
}

/** Lets openapi-generator make a program in the folder's `made`. */
const openapiGenerator = (kind: string) => async (folder: string) => {
  write(folder, { 'openapi-3.0.json': documentOf30() });
  const jar = join(GENERATORS, '@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
  const given = ['-g', kind, '-i', 'openapi-3.0.json', '-o', 'made', '--skip-validate-spec'];
  const options = { cwd: folder, timeout: 240_000, maxBuffer: 64 * 1_048_576 };
  await run('java', ['-Xmx1g', '-jar', jar, 'generate', ...given], options);
};

const orval = (client: string) => async (folder: string) => {
  const how = { input: DOCUMENT, output: { target: join(folder, 'made.ts'), client } };
  write(folder, { 'orval.config.json': JSON.stringify({ made: how }) });
  await command('orval', '-c', 'orval.config.json')(folder);
};

/** What every program does; the document's words are `upsert`, `list`, `read` and `change`. */
const told = `
interface Told { made: unknown; listed: unknown; read: unknown; refused: unknown; gone: unknown }
interface Refusal { error: { errors: { code: string; param?: string }[] } }
const refusal = (body: unknown) => (body as Refusal).error.errors.map(({ code, param }) => [code, param]);
const location = (account_unique_identifier: string) =>
  ({ account_unique_identifier, external_identifier: 'generated', location_name: 'Riverside' });
const since = '2020-01-01T00:00:00Z';
const bearer = (key: string) => ({ Authorization: 'Bearer ' + key });
`;

const generators: Readonly<Record<string, Generator>> = {
  'swagger-typescript-api': {
    make: command('swagger-typescript-api', 'generate', '-p', DOCUMENT, '-o', '.', '-n', 'made.ts'),
    program: `import { Api } from './made.ts';
export async function run(baseUrl: string, key: string, account: string): Promise<Told> {
  const { v1 } = new Api({ baseUrl, baseApiParams: { headers: bearer(key) } });
  const made = (await v1.upsertLocation(location(account))).data;
  const listed = (await v1.listLocations({ external_identifier: 'generated', 'inserted_at[gte]': since, 'expand[]': ['account', 'identifiers'] })).data;
  const read = (await v1.getLocation(made.unique_identifier)).data;
  const refused = await v1.patchLocation(made.unique_identifier, { location_name: '' }).catch((error) => error.error);
  const gone = (await v1.deleteLocation(made.unique_identifier)).data.deleted;
  return { made: made.external_identifier, listed: listed.data.map((one) => [one.name, one.account?.unique_identifier]), read: read.location_name, refused: refusal(refused), gone };
}`,
  },
  oazapfts: {
    make: command('oazapfts', DOCUMENT, 'made.ts'),
    program: `import * as api from './made.ts';
export async function run(baseUrl: string, key: string, account: string): Promise<Told> {
  Object.assign(api.defaults, { baseUrl, headers: bearer(key) });
  const made = await api.upsertLocation(location(account));
  if (made.status !== 200) throw new Error(String(made.status));
  const listed = await api.listLocations({ externalIdentifier: 'generated', insertedAtGte: since, expand: ['account', 'identifiers'] });
  if (listed.status !== 200) throw new Error(String(listed.status));
  const { unique_identifier } = made.data;
  const read = await api.getLocation(unique_identifier);
  if (read.status !== 200) throw new Error(String(read.status));
  const refused = await api.patchLocation(unique_identifier, { location_name: '' });
  const gone = await api.deleteLocation(unique_identifier);
  if (gone.status !== 200) throw new Error(String(gone.status));
  return { made: made.data.external_identifier, listed: listed.data.data.map((one) => [one.name, one.account?.unique_identifier]), read: read.data.location_name, refused: refusal(refused.data), gone: gone.data.deleted };
}`,
  },
  'typed-openapi': {
    make: command('typed-openapi', DOCUMENT, '-o', 'made.ts'),
    program: `import { createApiClient } from './made.ts';
export async function run(baseUrl: string, key: string, account: string): Promise<Told> {
  const api = createApiClient({
    fetch: ({ method, url, urlSearchParams, parameters }) => {
      if (urlSearchParams) url.search = urlSearchParams.toString();
      const body = parameters?.body === undefined ? null : JSON.stringify(parameters.body);
      return fetch(url, { method: method.toUpperCase(), body, headers: { ...bearer(key), ...(body && { 'Content-Type': 'application/json' }) } });
    },
  }, baseUrl);
  const made = await api.post('/v1/locations/upsert', { query: {}, header: {}, body: location(account) });
  const listed = await api.get('/v1/locations', { query: { external_identifier: 'generated', 'inserted_at[gte]': since, 'expand[]': ['account', 'identifiers'] }, header: {} });
  const path = { unique_identifier: made.unique_identifier };
  const read = await api.get('/v1/locations/{unique_identifier}', { path, query: {}, header: {} });
  const refused = await api.patch('/v1/locations/{unique_identifier}', { path, query: {}, header: {}, body: { location_name: '' }, withResponse: true, throwOnStatusError: false });
  const gone = (await api.delete('/v1/locations/{unique_identifier}', { path, query: {}, header: {} })).deleted;
  return { made: made.external_identifier, listed: listed.data.map((one) => [one.name, one.account?.unique_identifier]), read: read.location_name, refused: refusal(refused.data), gone };
}`,
  },
  'ng-openapi-gen': {
    make: command('ng-openapi-gen', '-i', DOCUMENT, '-o', 'made'),
    program: `import '@angular/compiler';
import { HttpClient, HttpErrorResponse, HttpHandler, HttpRequest, HttpResponse } from '@angular/common/http';
import { firstValueFrom, from, Observable, switchMap } from 'rxjs';
import { deleteLocation } from './made/fn/locations/delete-location';
import { getLocation } from './made/fn/locations/get-location';
import { listLocations } from './made/fn/locations/list-locations';
import { patchLocation$Json } from './made/fn/locations/patch-location-json';
import { upsertLocation$Json } from './made/fn/locations/upsert-location-json';
export async function run(baseUrl: string, key: string, account: string): Promise<Told> {
  const send = async (request: HttpRequest<unknown>) => {
    const headers = new Headers(bearer(key));
    for (const name of request.headers.keys()) headers.set(name, request.headers.get(name) ?? '');
    const type = request.detectContentTypeHeader();
    if (type !== null && !headers.has('Content-Type')) headers.set('Content-Type', type);
    const answer = await fetch(request.urlWithParams, { method: request.method, headers, body: request.serializeBody() as string | null });
    const body = await answer.json();
    if (!answer.ok) throw new HttpErrorResponse({ error: body, status: answer.status });
    return new HttpResponse({ body, status: answer.status });
  };
  class ByFetch extends HttpHandler {
    handle(request: HttpRequest<unknown>): Observable<HttpResponse<unknown>> {
      return from(Promise.resolve(request)).pipe(switchMap(send));
    }
  }
  const http = new HttpClient(new ByFetch());
  const made = (await firstValueFrom(upsertLocation$Json(http, baseUrl, { body: location(account) }))).body;
  const listed = (await firstValueFrom(listLocations(http, baseUrl, { external_identifier: 'generated', 'inserted_at[gte]': since, 'expand[]': ['account', 'identifiers'] }))).body;
  const { unique_identifier } = made;
  const read = (await firstValueFrom(getLocation(http, baseUrl, { unique_identifier }))).body;
  const refused = await firstValueFrom(patchLocation$Json(http, baseUrl, { unique_identifier, body: { location_name: '' } })).catch((error: HttpErrorResponse) => error.error);
  const gone = (await firstValueFrom(deleteLocation(http, baseUrl, { unique_identifier }))).body.deleted;
  return { made: made.external_identifier, listed: listed.data.map((one) => [one.name, one.account?.unique_identifier]), read: read.location_name, refused: refusal(refused), gone };
}`,
  },
  'orval with fetch': {
    make: orval('fetch'),
    program: `import * as api from './made.ts';
export async function run(baseUrl: string, key: string, account: string): Promise<Told> {
  const { fetch } = globalThis;
  globalThis.fetch = (path, options) => fetch(baseUrl + path, options);
  const options = { headers: bearer(key) };
  const made = await api.upsertLocation(location(account), {}, options);
  if (made.status !== 200) throw new Error(String(made.status));
  const listed = await api.listLocations({ external_identifier: 'generated', 'inserted_at[gte]': since, 'expand[]': ['account', 'identifiers'] }, options);
  if (listed.status !== 200) throw new Error(String(listed.status));
  const { unique_identifier } = made.data;
  const read = await api.getLocation(unique_identifier, {}, options);
  if (read.status !== 200) throw new Error(String(read.status));
  const refused = await api.patchLocation(unique_identifier, { location_name: '' }, {}, options);
  const gone = await api.deleteLocation(unique_identifier, {}, options);
  if (gone.status !== 200) throw new Error(String(gone.status));
  return { made: made.data.external_identifier, listed: listed.data.data.map((one) => [one.name, one.account?.unique_identifier]), read: read.data.location_name, refused: refusal(refused.data), gone: gone.data.deleted };
}`,
  },
  'orval with axios': {
    make: orval('axios'),
    program: `import axios from 'axios';
import { getLedgerstone } from './made.ts';
export async function run(baseURL: string, key: string, account: string): Promise<Told> {
  const api = getLedgerstone(axios.create({ baseURL, headers: bearer(key), validateStatus: () => true }));
  const made = (await api.upsertLocation(location(account))).data;
  const listed = (await api.listLocations({ external_identifier: 'generated', 'inserted_at[gte]': since, 'expand[]': ['account', 'identifiers'] })).data;
  const read = (await api.getLocation(made.unique_identifier)).data;
  const refused = (await api.patchLocation(made.unique_identifier, { location_name: '' })).data;
  const gone = (await api.deleteLocation(made.unique_identifier)).data.deleted;
  return { made: made.external_identifier, listed: listed.data.map((one) => [one.name, one.account?.unique_identifier]), read: read.location_name, refused: refusal(refused), gone };
}`,
  },
  'orval with zod': {
    make: orval('zod'),
    instead: { zod: 'zod/v4' },
    program: `import * as api from './made.ts';
export async function run(baseUrl: string, key: string, account: string): Promise<Told> {
  const send = (method: string, path: string, body?: unknown) =>
    fetch(baseUrl + path, { method, headers: { ...bearer(key), 'Content-Type': 'application/json' }, ...(body !== undefined && { body: JSON.stringify(body) }) }).then((answer) => answer.json());
  const made = api.UpsertLocationResponse.parse(await send('POST', '/v1/locations/upsert', api.UpsertLocationBody.parse(location(account))));
  const asked = api.ListLocationsQueryParams.parse({ external_identifier: 'generated', 'inserted_at[gte]': since, 'expand[]': ['account', 'identifiers'] });
  const query = new URLSearchParams(Object.entries(asked).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])));
  const listed = api.ListLocationsResponse.parse(await send('GET', '/v1/locations?' + query));
  const read = api.GetLocationResponse.parse(await send('GET', '/v1/locations/' + made.unique_identifier));
  const refused = await send('PATCH', '/v1/locations/' + made.unique_identifier, { location_name: '' });
  const gone = api.DeleteLocationResponse.parse(await send('DELETE', '/v1/locations/' + made.unique_identifier)).deleted;
  return { made: made.external_identifier, listed: listed.data.map((one) => [one.name, one.account?.unique_identifier]), read: read.location_name, refused: refusal(refused), gone };
}`,
  },
  'openapi-typescript with openapi-fetch': {
    make: async (folder) => {
      const made = await openapiTypescript(pathToFileURL(DOCUMENT), { silent: true });
      write(folder, { 'made.ts': astToString(made) });
    },
    program: `import createClient from 'openapi-fetch';
import type { paths } from './made.ts';
export async function run(baseUrl: string, key: string, account: string): Promise<Told> {
  const api = createClient<paths>({ baseUrl, headers: bearer(key) });
  const made = (await api.POST('/v1/locations/upsert', { body: location(account) })).data;
  const listed = (await api.GET('/v1/locations', { params: { query: { external_identifier: 'generated', 'inserted_at[gte]': since, 'expand[]': ['account', 'identifiers'] } } })).data;
  const params = { path: { unique_identifier: made?.unique_identifier ?? '' } };
  const read = (await api.GET('/v1/locations/{unique_identifier}', { params })).data;
  const refused = (await api.PATCH('/v1/locations/{unique_identifier}', { params, body: { location_name: '' } })).error;
  const gone = (await api.DELETE('/v1/locations/{unique_identifier}', { params })).data?.deleted;
  return { made: made?.external_identifier, listed: listed?.data.map((one) => [one.name, one.account?.unique_identifier]), read: read?.location_name, refused: refusal(refused), gone };
}`,
  },
  'openapi-zod-client': {
    make: command('openapi-zod-client', DOCUMENT, '-o', 'made.ts', '--with-alias'),
    refuses: ['value_invalid', 'external_identifier'],
    program: `import { isAxiosError } from 'axios';
import { createApiClient } from './made.ts';
export async function run(baseUrl: string, key: string, account: string): Promise<Told> {
  const api = createApiClient(baseUrl, { axiosConfig: { headers: bearer(key) } });
  const made = await api.upsert_location(location(account) as never);
  const listed = await api.list_locations({ queries: { external_identifier: 'generated', 'inserted_at[gte]': since, 'expand[]': ['account', 'identifiers'] } });
  const params = { unique_identifier: made.unique_identifier };
  const read = await api.get_location({ params });
  const refused = await api.patch_location({ external_identifier: 'another' }, { params }).catch((error) => isAxiosError(error) ? error.response?.data : error);
  const gone = (await api.delete_location(undefined, { params })).deleted;
  return { made: made.external_identifier, listed: listed.data.map((one) => [one.name, one.account?.unique_identifier]), read: read.location_name, refused: refusal(refused), gone };
}`,
  },
  'openapi-generator with axios': {
    make: openapiGenerator('typescript-axios'),
    lacks: lacksOf('java', '-version'),
    program: `import { isAxiosError } from 'axios';
import { Configuration, LocationsApi } from './made';
export async function run(basePath: string, accessToken: string, account: string): Promise<Told> {
  const api = new LocationsApi(new Configuration({ basePath, accessToken }));
  const made = (await api.upsertLocation(location(account))).data;
  const none = undefined;
  // Its arguments have places, not names, and it writes several values with commas.
  const listed = (await api.listLocations(none, none, none, none, none, none, 'generated', none, none, since, none, none, none, none, none, none, none, none, none, none, ['account'])).data;
  const read = (await api.getLocation(made.unique_identifier)).data;
  const refused = await api.patchLocation(made.unique_identifier, { location_name: '' }).catch((error) => isAxiosError(error) ? error.response?.data : error);
  const gone = (await api.deleteLocation(made.unique_identifier)).data.deleted;
  return { made: made.external_identifier, listed: listed.data.map((one) => [one.name, one.account?.unique_identifier]), read: read.location_name, refused: refusal(refused), gone };
}`,
  },
  'openapi-typescript-codegen': {
    make: command('openapi', '-i', DOCUMENT, '-o', 'made', '-c', 'fetch', '--useOptions'),
    program: `import { ApiError, LocationsService, OpenAPI } from './made';
export async function run(baseUrl: string, key: string, account: string): Promise<Told> {
  Object.assign(OpenAPI, { BASE: baseUrl, TOKEN: key });
  const made = await LocationsService.upsertLocation({ requestBody: location(account) as never });
  const listed = await LocationsService.listLocations({ externalIdentifier: 'generated', insertedAtGte: since, expandArray: ['account', 'identifiers'] });
  const { unique_identifier: uniqueIdentifier } = made;
  const read = await LocationsService.getLocation({ uniqueIdentifier });
  const refused = await LocationsService.patchLocation({ uniqueIdentifier, requestBody: { location_name: '' } as never }).catch((error: ApiError) => error.body);
  const gone = (await LocationsService.deleteLocation({ uniqueIdentifier })).deleted;
  return { made: made.external_identifier, listed: listed.data.map((one: any) => [one.name, one.account?.unique_identifier]), read: read.location_name, refused: refusal(refused), gone };
}`,
  },
};

/** A program of the client in Python, which does the same. */
const inPython = `import json, os, sys
import openapi_client as made
host, key, account = sys.argv[1:]
configuration = made.Configuration(host=host)
configuration.access_token = key
# The service is to refuse what the program would refuse.
configuration.client_side_validation = False
made.Configuration.set_default(configuration)
api = made.LocationsApi(made.ApiClient(configuration))
location = made.FuneralLocationUpsert(account_unique_identifier=account, external_identifier='generated', location_name='Riverside')
written = api.upsert_location(location)
listed = api.list_locations(external_identifier='generated', inserted_at_gte='2020-01-01T00:00:00Z', expand=['account', 'identifiers'])
read = api.get_location(written.unique_identifier)
try:
    refused = api.patch_location(written.unique_identifier, made.FuneralLocationPatch(location_name='', local_vars_configuration=configuration))
except made.ApiException as error:
    refused = [[one['code'], one['param']] for one in json.loads(error.body)['error']['errors']]
gone = api.delete_location(written.unique_identifier)
print(json.dumps({
    'made': written.external_identifier,
    'listed': [[one.name, one.account.unique_identifier] for one in listed.data],
    'read': read.location_name,
    'refused': refused,
    'gone': gone.deleted,
}))
`;

/** What people compile generated programs with, which most of them need. */
const options = {
  exactOptionalPropertyTypes: false,
  noPropertyAccessFromIndexSignature: false,
  noUncheckedIndexedAccess: false,
  skipLibCheck: true,
  experimentalDecorators: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
};

const stage = world();

for (const [name, client] of Object.entries(generators))
  describe(`what ${name} makes`, { skip: skip || (client.lacks ?? false) }, () => {
    const { make, program, instead = {} } = client;
    const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-generated-'));
    before(async () => {
      symlinkSync(GENERATORS, join(folder, 'node_modules'));
      write(folder, { 'package.json': '{"type":"module"}', 'program.ts': `${told}${program}\n` });
      await make(folder);
    });
    after(() => rmSync(folder, { recursive: true }));

    it('compiles', async () => {
      const paths = Object.fromEntries(
        Object.entries(instead).map(([one, other]) => [one, [`./node_modules/${other}`]]),
      );
      const how = { ...options, paths };
      const found = await complaints(folder, compilers['TypeScript 7'] ?? '', how);
      assert.equal([...found.values()].join('').slice(0, 3_000), '');
    });

    it('writes, finds by filters, reads, sees an error and removes', async () => {
      const { url, key, account } = stage.service;
      const outfile = join(folder, 'bundle.mjs');
      await build({
        entryPoints: [join(folder, 'program.ts')],
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        nodePaths: [GENERATORS],
        alias: instead,
        preserveSymlinks: true,
        banner: {
          js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
        },
        logLevel: 'error',
      });
      const call = `const { run } = await import(${JSON.stringify(pathToFileURL(outfile).href)});
console.log(JSON.stringify(await run(...process.argv.slice(1))));`;
      const { unique_identifier } = account;
      const { stdout } = await run(
        process.execPath,
        ['--input-type=module', '-e', call, url, key, unique_identifier],
        { timeout: 60_000 },
      );
      const { refused, ...done } = JSON.parse(stdout);
      assert.deepEqual(done, {
        made: 'generated',
        listed: [['Riverside', unique_identifier]],
        read: 'Riverside',
        gone: true,
      });
      const asked = client.refuses ?? ['parameter_missing', 'location_name'];
      assert.deepEqual(refused, [asked]);
    });
  });

describe('what openapi-generator makes in Python', {
  skip:
    skip ||
    lacksOf('java', '-version') ||
    lacksOf('python3', '-c', 'import certifi, dateutil, six, urllib3'),
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-generated-'));
  before(async () => {
    await openapiGenerator('python')(folder);
    write(folder, { 'made/program.py': inPython });
  });
  after(() => rmSync(folder, { recursive: true }));

  it('compiles', async () => {
    const given = ['-m', 'compileall', '-q', 'made/openapi_client'];
    await run('python3', given, { cwd: folder, timeout: 60_000 });
  });

  it('writes, finds by filters, reads, sees an error and removes', async () => {
    const { url, key, account } = stage.service;
    const { unique_identifier } = account;
    const given = ['program.py', url, key, unique_identifier];
    const { stdout } = await run('python3', given, { cwd: join(folder, 'made'), timeout: 60_000 });
    assert.deepEqual(JSON.parse(stdout), {
      made: 'generated',
      listed: [['Riverside', unique_identifier]],
      read: 'Riverside',
      refused: [['parameter_missing', 'location_name']],
      gone: true,
    });
  });
});

describe('nodes that @devlikeapro/n8n-openapi-node makes', { skip }, () => {
  let properties: readonly Body[];
  before(() => {
    const require = createRequire(join(GENERATORS, 'any.js'));
    const { N8NPropertiesBuilder } = require('@devlikeapro/n8n-openapi-node');
    properties = new N8NPropertiesBuilder(require(DOCUMENT), {}).build();
  });

  /** The fields of an operation, by name, without its notice. */
  const fieldsOf = (operation: string): ReadonlyMap<string, Body> =>
    new Map(
      properties
        .filter(
          ({ displayOptions, type }) =>
            type !== 'notice' && displayOptions?.show?.operation?.includes(operation),
        )
        .map((one) => [one.name, one]),
    );

  it('have every field of a body, and of a query', () => {
    for (const name of ['account_unique_identifier', 'external_identifier', 'location_name'])
      assert.ok(fieldsOf('Upsert Location').has(name), name);
    for (const name of ['visitor_full_name', 'visitor_phone_number', 'event_unique_identifier'])
      assert.ok(fieldsOf('Upsert Event Check In Record').has(name), name);
    for (const name of ['external_identifier', 'inserted_at[gte]', 'expand[]', 'limit'])
      assert.ok(fieldsOf('List Locations').has(name), name);
  });

  it('write, find, read and see errors by what their fields say', async () => {
    const send = async (operation: string, values: Readonly<Record<string, unknown>>) => {
      const fields = fieldsOf(operation);
      const at: Body = properties
        .filter((one) => one.name === 'operation' && one.type === 'options')
        .flatMap((one) => one.options)
        .find((one: Body) => one.value === operation);
      const { method, url } = at.routing.request;
      const query = new URLSearchParams();
      const body: Body = {};
      let path: string = url.replace(/^=/, '');
      for (const [name, value] of Object.entries(values)) {
        const { routing } = fields.get(name) ?? {};
        if (routing?.send?.type === 'query')
          for (const one of [value].flat()) query.append(routing.send.property, String(one));
        else if (routing?.send?.type === 'body') body[routing.send.property] = value;
        else
          path = path.replace(
            /\{\{\s*\$parameter\["(\w+)"\]\s*\}\}/,
            encodeURIComponent(String(value)),
          );
      }
      const { service } = stage;
      const headers = { 'Content-Type': 'application/json' };
      return service.send(method, `${path}?${query}`, {
        headers,
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      });
    };
    const { unique_identifier: account } = stage.service.account;
    const made = await send('Upsert Location', {
      account_unique_identifier: account,
      external_identifier: 'by a node',
      location_name: 'Riverside',
    });
    assert.equal(made.status, 200, made.text);
    const listed = await send('List Locations', {
      external_identifier: 'by a node',
      'expand[]': ['account', 'identifiers'],
    });
    assert.equal(listed.body.data[0].account.unique_identifier, account, listed.text);
    const { unique_identifier } = made.body;
    const read = await send('Get Location', { unique_identifier });
    assert.equal(read.body.location_name, 'Riverside', read.text);
    const refused = await send('Patch Location', { unique_identifier, location_name: '' });
    assert.deepEqual([refused.status, refused.body.error.param], [400, 'location_name']);
  });

  it('rehearse nothing, and remove nothing more, unless somebody says so', () => {
    for (const { name, default: value, displayOptions } of properties)
      if (['dry_run', 'cascade', 'atomic'].includes(name))
        assert.equal(value, false, `${name} of ${displayOptions.show.operation}`);
  });
});
