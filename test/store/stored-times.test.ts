/** Each stored time says by which clock it is judged, and nothing in the service compares one with another clock. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { time } from '../../src/core/objects/kinds.ts';
import { tableColumns } from '../../src/core/objects/own-object.ts';
import { ownTables } from '../../src/core/objects/tables/all.ts';

const SRC = join(import.meta.dirname, '../../src');

/**
 * `strict`: by the clock of the machine, so that nobody is let in whom that calls late; they are again once it is right.
 * `written`: it is shown, sorted or filtered by, and decides nothing by itself. `lease`: SQL compares it by the clock of
 * the store, and one beyond what a lease lasts is none. `judged`: by the time that is believed. `ends`: the same, and what
 * ends so does not come back, so it ends only while the clock is not ahead.
 */
type Rule = 'written' | 'lease' | 'judged' | 'ends' | 'strict';

const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  api_key: {
    ...{ inserted_at: 'written', expires_at: 'judged', suspended_at: 'written' },
    ...{ revoked_at: 'written', last_used_at: 'written' },
  },
  staff_passkey: { inserted_at: 'written', used_at: 'written' },
  staff_identity: { inserted_at: 'written' },
  erased: { erased_at: 'written' },
  erasure_note: { first_at: 'ends', last_at: 'written' },
  follower: { at: 'ends' },
  erasure: {
    ...{ received_at: 'written', due_at: 'judged', inserted_at: 'written', updated_at: 'ends' },
  },
  request_activity: { hour: 'ends', last_at: 'judged' },
  audit_entry: { time: 'written', written_at: 'ends' },
  refused_request: { time: 'ends' },
  source: { inserted_at: 'written' },
  staff: {
    ...{ inserted_at: 'written', signed_in_at: 'written', disabled_at: 'written' },
    ...{ invitation_expires_at: 'strict' },
  },
  staff_ceremony: { expires_at: 'strict' },
  staff_session: { proved_at: 'strict', inserted_at: 'strict', seen_at: 'strict' },
  checked_backup: { taken_at: 'written', checked_at: 'written' },
  followed_backup: {
    ...{ until: 'lease', since: 'written', shows_at: 'written', whole_at: 'written' },
  },
  seen_time: { at: 'judged', rewritten_at: 'written' },
  import_run: { inserted_at: 'written', updated_at: 'ends' },
  job: { until: 'lease', began_at: 'written', progressed_at: 'ends' },
  sync: { as_of: 'written', inserted_at: 'ends', expires_at: 'judged', finished_at: 'written' },
  first_sync: { finished_at: 'written' },
  sync_doubt: { at: 'ends' },
  expectation: {
    ...{ since: 'ends', silent_since: 'ends', last_at: 'ends', refused_at: 'ends' },
    ...{ inserted_at: 'written', updated_at: 'ends' },
  },
  tick: { said_at: 'written', last_at: 'written', inserted_at: 'written' },
  expectation_watch: { looked_at: 'ends', learned_at: 'ends' },
  follow_up: {
    ...{ claim_ends_at: 'ends', due_at: 'written', next_at: 'ends', inserted_at: 'written' },
    ...{ updated_at: 'written', closed_at: 'written', gone_at: 'written' },
  },
  hold: { until: 'ends', released_at: 'ends', inserted_at: 'written' },
  no_contact: { until: 'ends', lifted_at: 'ends', inserted_at: 'written' },
  retention_rule: {
    ...{ enabled_at: 'ends', counting_since: 'ends', inserted_at: 'written' },
    ...{ updated_at: 'written' },
  },
  retention_run: { began_at: 'ends', ended_at: 'ends', enabled_at: 'written' },
  upload: { inserted_at: 'ends', expires_at: 'judged' },
  self_test: { inserted_at: 'ends', expires_at: 'judged' },
  self_test_sighting: { at: 'judged' },
  webhook_delivery: { next_at: 'judged', inserted_at: 'written', updated_at: 'ends' },
  webhook_endpoint: {
    ...{
      failing_since: 'written',
      next_at: 'judged',
      inserted_at: 'written',
      updated_at: 'written',
    },
    ...{ lease_until: 'lease' },
  },
};

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => [path, readFileSync(join(SRC, path), 'utf8')] as const);

it('each column that holds a time says how it is judged', () => {
  const { shown, column } = time();
  const found = ownTables.flatMap((table) =>
    tableColumns(table)
      .filter(({ kind, field }) => {
        const shownAs = JSON.stringify(field.kind.shown);
        return kind === column && shownAs === JSON.stringify(shown);
      })
      .map(({ name }) => `${table.table} ${name}`),
  );
  const said = Object.entries(rules).flatMap(([table, columns]) =>
    Object.keys(columns).map((name) => `${table} ${name}`),
  );
  assert.deepEqual(said.sort(), found.sort(), 'say in this table how the time is judged');
});

it('a lease is compared in SQL as all leases are', () => {
  const leases = Object.entries(rules).flatMap(([table, columns]) =>
    Object.keys(columns)
      .filter((name) => columns[name] === 'lease')
      .map((name) => [table, name] as const),
  );
  for (const [table, name] of leases) {
    const statements = sources.filter(([, text]) =>
      new RegExp(`(UPDATE|INTO|FROM) ${table}\\b`).test(text),
    );
    const ways = statements.flatMap(([, text]) => text.match(/isFree\(\s*'[^']*'/g) ?? []);
    const own = ways.filter((way) => new RegExp(`[.'](${name})'`).test(way));
    assert.ok(own.length > 0, `${table}.${name} is compared with isFree`);
    for (const [path, text] of statements)
      assert.doesNotMatch(
        text,
        new RegExp(`\\b${name} <=? (\\$\\{now\\}|excluded\\.\\w+\\b|\\$\\d)(?! -)`),
        `${path}: a lease of the future would never end`,
      );
  }
});

/**
 * Where the clock of the machine is read, and for what. Whatever else has a time takes the one that is believed, which
 * `createApp` gives to all services.
 */
const CLOCK_READERS: Readonly<Record<string, string>> = {
  'app/bag.ts': 'a default of commands',
  'app/app.ts': 'where the time that is believed is made',
  'core/observe/': 'the log, and ages that are shown',
  'core/schema/fields/kinds/datetime.ts': 'an example',
  'core/temporary.ts': 'folders that a killed process has left',
  'records/ingest/one/restore-removal.ts': 'a default of commands',
  'features/imports/serves/': 'times that a report of an import shows, for commands and workers',
  'services/moments/keeper.ts': 'since when a folder is followed, which is shown',
  'store/believed-time.ts': 'where it is judged',
  'store/open.ts': 'a default of commands, and the name of a copy',
  'store/postgres/dump/examine.ts': 'the end of a password, for the doctor',
  'store/sqlite/file/': 'patience with a file that others have open, and the name of a copy',
  'store/sqlite/open.ts': 'patience with a file that others have open',
  'store/sqlite/search/search-thread.ts': 'a thread that has only the index',
  'store/sqlite/threads/thread.ts': 'a default of threads without requests of a service',
};
/** Commands are run by somebody who sees what they do, and end at once. */
const COMMANDS = /^cli\/|\/command(?:\.ts$|\/)/;

it('the clock of the machine is read nowhere but where that is said', () => {
  const readers = sources
    .filter(([path, text]) => /\bDate\.now\b|new Date\(\)/.test(text) && !COMMANDS.test(path))
    .map(([path]) => path);
  const known = Object.keys(CLOCK_READERS);
  const unknown = readers.filter((path) => !known.some((one) => path.startsWith(one)));
  assert.deepEqual(unknown, [], 'take the time that is believed: `now` of the parts');
  const idle = known.filter((one) => !readers.some((path) => path.startsWith(one)));
  assert.deepEqual(idle, [], 'say no more than there is');
});

it('the clock of the database is read nowhere but for leases, jobs and migrations', () => {
  const CLOCK =
    /statement_timestamp|clock_timestamp|transaction_timestamp|current_timestamp|unixepoch|\bDEFAULT now\(\)/i;
  const readers = sources.filter(([, text]) => CLOCK.test(text)).map(([path]) => path);
  assert.deepEqual(readers.sort(), [
    'store/books/dialects.ts',
    'store/postgres/schema/migrate.ts',
    'store/postgres/schema/waiting.ts',
    'store/postgres/statements/search.ts',
  ]);
  const users = sources.filter(([, text]) => /\(\{[^}]*\bnow\b[^}]*\}\) =>\s*`/.test(text));
  assert.deepEqual(users.map(([path]) => path).sort(), [
    'features/webhooks/store.ts',
    'store/books/backups.ts',
    'store/books/log/jobs.ts',
  ]);
});
