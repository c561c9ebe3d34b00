/**
 * A page of any list ends where its bytes do, says so, and the pages together have everything once. All lists are
 * made by the same machinery, which is tried with the largest entries of lists of each kind.
 */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { ownColumns } from '../../src/core/objects/own-object.ts';
import { ownTables } from '../../src/core/objects/tables/all.ts';
import { resources } from '../../src/core/registry.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import { consoleOperations } from '../../src/edge/console/mount.ts';
import { accountOperations } from '../../src/edge/operations/accounts.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import { MAX_PAGE_BYTES } from '../../src/edge/operations/pages.ts';
import { rights } from '../../src/records/auth/principal.ts';
import { inserted, newRow } from '../../src/store/books/rows/own-rows.ts';
import { ask } from '../support/ask.ts';
import { administrator, type ConsoleBrowser, invitation } from '../support/console.ts';
import { expectedOf } from '../support/expected.ts';
import { AT, type Listed, many, of, RECORD, wide } from '../support/largest.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import type { Answer, Body, Service } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import { world } from '../support/world.ts';

/** Of the envelope, and of one more member of each entry. */
const MORE = 100_000;
const COUNT = 45;
const MANY = 7_000;

/** Where pages are made: of records, and of all else. */
const MAKERS = ['src/core/schema/present/present.ts', 'src/edge/operations/pages.ts'];

/** Lists of the core; those of features stand in their `expected.ts`. */
const LISTS: Readonly<Record<string, Listed | string>> = {
  ...expectedOf('lists'),
  list_changes: 'walked below',
  list_removals: 'read as records are, in pages of the log',
  list_proposals: 'read as records are, in pages of the log',
  list_location_settings: 'fifty at most, of a location and a region each',
  list_erasures: {
    ...{ table: 'erasure', count: 45 },
    entry: {
      ...{ status: 'ready', reference: wide(200), received_at: AT, due_at: AT },
      matches: many(1_000, { ...RECORD, reasons: ['phone_number', 'name_and_date'] }),
      records: many(1_000, RECORD.record),
      past_only: many(1_000, RECORD.record),
      left: many(1_000, { record: RECORD.record, code: 'record_held', held_by: of('hld_') }),
      ...{ looked: 'everywhere', refused_rows: 0, named_in: [], places: [], image_hosts: [] },
      ...{ by: of('key_'), revision: 1, inserted_at: AT, updated_at: AT },
    },
  },
  list_syncs: {
    ...{ table: 'sync', count: 250 },
    entry: {
      ...{ location: null, resource: 'event', source: 1, at_most: 5, stored_status: 'undone' },
      ...{ seen: 1, repeated: 0, marked: 0, removed: { event: 1 }, left_count: 1, step: 1 },
      records: many(100, { ...RECORD, external_identifier: null }),
      left: many(100, { ...RECORD, external_identifier: null, reason: 'held' }),
      ...{ restored: 1, key: of('key_'), inserted_at: AT, expires_at: AT, finished_at: AT },
    },
  },
  list_requests: {
    ...{ table: 'refused_request', count: 1_100, cursor: 'request_id' },
    entry: {
      ...{ time: Date.now(), key: of('key_'), authentication: 'known', address: '::1' },
      ...{ method: 'POST', path: `/${wide(500)}`, status: 400, code: 'value_invalid', nth: 1 },
      faults: many(20, { param: wide(60), code: 'value_invalid', message: wide(60) }),
      codes: ['value_invalid'],
    },
  },
  list_activity: {
    ...{ table: 'request_activity', count: 1_100, cursor: 'cursor' },
    entry: {
      ...{ hour: Math.floor(Date.now() / 3_600_000) * 3_600_000, last_at: Date.now() },
      ...{ key: of('key_'), resource: 'event', outcome: 'created', count: 1 },
    },
  },
  list_audit: {
    ...{ table: 'audit_entry', count: 1_100 },
    entry: {
      ...{ time: AT, by: of('key_'), action: 'read', what: wide(500), count: 1, address: '::1' },
      ...{ chain: 'a', mac: 'mac', written_at: AT },
    },
  },
  list_sources: {
    ...{ table: 'source', count: 1_100 },
    entry: { inserted_at: AT },
  },
};

const literal = (value: unknown): string =>
  value === null || value === undefined
    ? 'NULL'
    : typeof value === 'string'
      ? `'${value.replaceAll("'", "''")}'`
      : typeof value === 'object'
        ? literal(JSON.stringify(value))
        : String(value);

const identifiers = (prefix: string, count: number): readonly string[] =>
  Array.from(Array(count).keys(), (at) => `${prefix}${String(at).padStart(22, '0')}`);

const endpointOf = (unique_identifier: string, { account }: Service) => ({
  ...{ unique_identifier, account: account.unique_identifier, key: of('key_'), secrets: [] },
  ...{ status: 'paused' as const, reason: null, failing_since: null, position: null },
  settings: {
    ...{ url: 'https://example.com/', description: '漢'.repeat(500), payload: 'thin' as const },
    ...{ notifications: ['*'], locations: identifiers('loc_', MANY) },
  },
});

/** The most that a page of the list may have. */
function mostOf(list: string): number {
  const { query = {} } = operationsOf(resources).find(({ name }) => name === list) ?? {};
  return Number((query as Members).limit?.kind.schema.maximum);
}

describe('Every list', () => {
  it('has its pages made in one of two places', () => {
    const makers = globSync('src/**/*.ts').filter((path) =>
      /object: 'list'|"object":"list"/.test(readFileSync(path, 'utf8')),
    );
    assert.deepEqual(makers.toSorted(), MAKERS);
  });

  it('can be walked', () => {
    const all = operationsOf(resources).filter(
      ({ answers, run, query = {} }) =>
        answers.schema.endsWith('List') && run !== undefined && !('starting_after' in query),
    );
    // The pins of a record have at most 256 KiB, as what can be pinned.
    const walked = all.filter(({ answers }) => answers.schema !== 'PinList');
    assert.deepEqual(pluck(walked, 'name'), []);
    const lists = operationsOf(resources).filter(
      ({ name = '', answers }) => name.startsWith('list_') && answers.schema !== 'PinList',
    );
    assert.deepEqual(
      pluck(lists, 'name').toSorted(),
      Object.keys(LISTS).toSorted(),
      'say how large the entries of each list can be: in `lists` of expected.ts of its feature in test/features, or here',
    );
    const ours = [...consoleOperations([]), ...accountOperations];
    const consoles = ours.filter(({ name = '' }) => name.startsWith('list_'));
    assert.ok(consoles.length >= 3);
    for (const { name, query = {} } of consoles) assert.ok('starting_after' in query, String(name));
  });
});

describe('Pages of the largest entries', () => {
  let officer: ConsoleBrowser;
  const on = world({ settings: keyed(), store: serviceGround }, async ({ service }) => {
    officer = await administrator(service);
    await service.app.store.webhooks.create(endpointOf(of('whk_'), service));
  });

  /** All entries, page by page, each of which must be bounded. */
  const walk = async (
    get: (query: string) => Promise<Answer>,
    cursor = 'unique_identifier',
    isFew = false,
  ): Promise<readonly Body[]> => {
    const all: Body[] = [];
    let pages = 0;
    for (let query = ''; ; ) {
      const { status, body, text } = await get(query);
      assert.equal(status, 200, text.slice(0, 500));
      const bytes = Buffer.byteLength(text);
      assert.ok(bytes <= MAX_PAGE_BYTES + MORE || body.data.length === 1, `${bytes} bytes`);
      assert.ok(body.data.length > 0);
      all.push(...body.data);
      pages += 1;
      if (!body.has_more) break;
      query = `starting_after=${body.data.at(-1)[cursor] ?? body[cursor]}`;
    }
    assert.ok(pages > 1 || isFew, 'all on one page');
    const ids = all.map((one) => one[cursor] ?? one.unique_identifier);
    assert.equal(new Set(ids).size, ids.length);
    return all;
  };
  const having = (all: readonly Body[], made: readonly string[]): void => {
    const found = new Set(pluck(all, 'unique_identifier'));
    assert.deepEqual(
      made.filter((one) => !found.has(one)),
      [],
    );
  };

  for (const [name, listed] of Object.entries(LISTS)) {
    if (typeof listed === 'string') continue;
    const { table, count, entry, path, cursor } = listed;
    it(`of ${name}`, async () => {
      const { secret: key } = await on.service.newKey({ allow: Object.keys(rights) });
      const object = ownTables.find((one) => one.table === table);
      assert.ok(object);
      const account = on.account;
      const rows = Array.from(Array(count).keys(), (at) => {
        const id = String(at).padStart(22, '0');
        const own = Object.entries(object.fields).flatMap(
          ([member, { kind }]): [string, unknown][] =>
            ['unique_identifier', 'request_id', 'change', 'folded'].includes(member)
              ? [[member, `${kind.prefix ?? 'req_'}${id}`]]
              : ['location', 'source', 'anchor'].includes(member) && !(member in entry)
                ? [[member, member === 'source' ? `src_${id}` : `loc_${id}`]]
                : member === 'accounts'
                  ? [[member, [account]]]
                  : member === 'name'
                    ? [[member, `${wide(90)}${at}`]]
                    : member === 'number'
                      ? [[member, at + 1_000]]
                      : [],
        );
        const row = newRow(object, { account, ...Object.fromEntries(own), ...entry });
        const local = Object.entries(entry).filter(
          ([member]) => !ownColumns(object).some((column) => column.member === member),
        );
        const more = (all: readonly string[]) => ['', ...all].join(', ');
        return inserted(object)
          .replaceAll(/\$(\d+)/g, (_, place) => literal(row[place - 1]))
          .replace(/\)\s+VALUES/, `${more(local.map(([member]) => member))}) VALUES`)
          .replace(/\)$/, `${more(local.map(([, value]) => literal(value)))})`);
      });
      await ask(on.ground.url, ...rows);
      const at = path ?? (object as { readonly path?: string }).path;
      const all = await walk(
        (query) => on.service.get(`${at}?limit=${mostOf(name)}&${query}`, { key }),
        cursor,
        true,
      );
      assert.ok(all.length >= count, `${all.length} of ${count}`);
    });
  }

  it('of keys', async () => {
    const made: string[] = [];
    for (let count = 0; count < COUNT; count++) {
      const { key } = await on.service.newKey({ anchors: identifiers('loc_', MANY) });
      made.push(key.unique_identifier);
    }
    having(await walk((query) => officer.get(`/keys?${query}`)), made);
  });

  it('of people', async () => {
    for (let count = 0; count < COUNT; count++)
      await invitation(on.service, `${count}@example.com`, {
        anchors: identifiers('loc_', MANY),
      });
    const all = await walk((query) => officer.get(`/staff?${query}`));
    assert.equal(all.length, COUNT + 1);
  });

  it('of webhook endpoints', async () => {
    const { webhooks } = on.service.app.store;
    const ids = identifiers('whk_', COUNT);
    for (const unique_identifier of ids)
      await webhooks.create(endpointOf(unique_identifier, on.service));
    const all = await walk((query) =>
      on.service.get(`/v1/webhook_endpoints?${query}`, { key: on.officer }),
    );
    having(all, ids);
  });

  describe('of what became of records', () => {
    let record: string;
    const PATH = '/v1/online_arrangements';

    before(async () => {
      for (let count = 0; count < COUNT; count++) {
        const sent = { cart_summary: String(count).padStart(3) + '漢'.repeat(21_000) };
        const more = { additional_data: { text: '漢'.repeat(20_000) } };
        const person = { person_full_name: 'Ádám 🕯', person_phone_number: '+14155550123' };
        record = (
          await on.ok(`${PATH}/upsert`, {
            ...{ location_unique_identifier: on.location, external_identifier: 'one' },
            ...{ ...person, ...sent, ...more },
          })
        ).unique_identifier;
      }
    });

    it('by its history', async () => {
      const all = await walk((query) =>
        on.service.get(`${PATH}/${record}/history?limit=100&${query}`),
      );
      assert.equal(all.length, COUNT);
    });

    it('by the log of changes with records', async () => {
      const all = await walk(
        (query) => on.service.get(`/v1/changes?limit=1000&expand[]=record&${query}`),
        'position',
      );
      assert.equal(all.filter((one) => one.record === record).length, COUNT);
    });
  });
});
