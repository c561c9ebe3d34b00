/** The lines of *Run it in production* that upgrade, and those that go back, do so as they stand there, from each release. */
// needs: --all, program, waits, long
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import about from '../../package.json' with { type: 'json' };
import { whenOver } from '../support/at-end.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder } from '../support/cli-program.ts';
import { findServer } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';
import { EARLIER, PROJECT, programOf, rowsOf, storeOf } from '../support/versions.ts';

const TARBALL = `ledgerstone-${about.version}-linux-${process.arch}.tar.gz`;
const PAGE = readFileSync(join(PROJECT, 'docs/production.md'), 'utf8');

/** The blocks of shell of a section, in their order. */
const blocksOf = (heading: string): readonly string[] => {
  const [, section = ''] = new RegExp(`^## ${heading}\n(.*?)^## `, 'ms').exec(PAGE) ?? [];
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);
};

/** The tarball of this version. */
function made(): string {
  const { TEST_DIST } = process.env;
  if (TEST_DIST !== undefined) return join(TEST_DIST, TARBALL);
  const to = join(ownFolder(), 'dist');
  const words = ['scripts/release.ts', '--arch', process.arch, '--to', to];
  execFileSync(process.execPath, words, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
  return join(to, TARBALL);
}

/** What stands for systemd: it runs what the units run, as whoever runs the test. */
const STUBS: Readonly<Record<string, string>> = {
  sudo: 'exec "$@"',
  ledgerstone: 'cd "$STATE" && exec "$OPT/ledgerstone/bin/ledgerstone" "$@"',
  systemctl: `
    stop() {
      [ ! -e "$STATE/pid" ] || { kill "$(cat "$STATE/pid")"; while kill -0 "$(cat "$STATE/pid")" 2>/dev/null; do sleep 0.1; done; rm "$STATE/pid"; }
    }
    start() {
      cd "$STATE"
      "$OPT/ledgerstone/bin/ledgerstone" serve --port 0 >"$STATE/log" 2>&1 </dev/null & echo $! >"$STATE/pid"
      until grep -q '"listening"' "$STATE/log"; do kill -0 "$(cat "$STATE/pid")" || { cat "$STATE/log"; exit 1; }; sleep 0.1; done
    }
    case "$1 $2" in
      'start ledgerstone-backup.service')
        mkdir -p "$STATE/backups" && ledgerstone backup "$STATE/backups" --keep 7d,4w,12m && ledgerstone restore --check "$STATE/backups" ;;
      'stop ledgerstone') stop ;;
      'start ledgerstone') start ;;
      'restart ledgerstone') stop; start ;;
      *) echo "systemctl $*"; exit 1 ;;
    esac`,
};

for (const release of EARLIER)
  describe(`Whoever runs ${release}`, () => {
    it('upgrades by the lines of the page, and goes back by them', async () => {
      const folder = ownFolder();
      const at = await storeOf(release, 'sqlite');
      const state = at.cwd;
      const journal = join(state, 'erasures.ndjson');
      copyFileSync(join(PROJECT, 'test/releases', release, 'erasures.ndjson'), journal);
      const opt = join(folder, 'opt');
      const bin = join(folder, 'bin');
      for (const one of [opt, bin, join(folder, 'cache')]) mkdirSync(one);
      symlinkSync(programOf(release), join(opt, `ledgerstone-${release}`));
      symlinkSync(`ledgerstone-${release}`, join(opt, 'ledgerstone'));
      symlinkSync(made(), join(folder, TARBALL));
      for (const [name, text] of Object.entries(STUBS)) {
        writeFileSync(join(bin, name), `#!/bin/sh\nset -e\n${text}\n`);
        chmodSync(join(bin, name), 0o700);
      }
      const shell = (text: string, more: Readonly<Record<string, string>> = {}): string => {
        const script = text
          .replaceAll('/var/lib/ledgerstone', '"$STATE"')
          .replaceAll('-C /opt', '-C "$OPT"')
          .replaceAll('/opt/', '"$OPT"/')
          .replaceAll('x64', process.arch)
          .replaceAll('ledgerstone-1.0.1', `ledgerstone-${release}`);
        return execFileSync('sh', ['-euc', script], {
          cwd: folder,
          encoding: 'utf8',
          env: {
            ...{ PATH: `${bin}:${process.env.PATH}`, ...at.env, STATE: state, OPT: opt },
            ...{ NODE_COMPILE_CACHE: join(folder, 'cache'), ...more },
          },
        });
      };
      const pid = join(state, 'pid');
      whenOver(() => existsSync(pid) && process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL'));
      const version = () => shell('sudo ledgerstone --version').trim();
      shell('sudo systemctl start ledgerstone');
      const [upgrade = '', back = ''] = blocksOf('6. Upgrade');
      assert.ok(upgrade.includes(TARBALL.replace(process.arch, 'x64')), upgrade);
      const [erased] = await rowsOf(
        at,
        'SELECT unique_identifier, external_identifier FROM event_check_in_record LIMIT 1',
      );
      const count = async (): Promise<number> =>
        Number((await rowsOf(at, 'SELECT count(*) AS count FROM location'))[0]?.count);
      const before = await count();

      const said = shell(upgrade);
      assert.match(said, /migration 1\.1\.0_/);
      assert.equal(version(), about.version);
      const backup =
        readdirSync(join(state, 'backups')).find((name) => name.startsWith('ledgerstone-')) ?? '';
      // Somebody is erased by the new version, and something is written.
      shell(
        `sudo ledgerstone accounts create --name 'Written since'
        id=$(sudo ledgerstone erasures create --account "$ACCOUNT" --record ${erased?.unique_identifier} --json | sed -n 's/^ *"unique_identifier": "\\(ers_[^"]*\\)".*/\\1/p' | head -1)
        sudo ledgerstone erasures run "$id" --all --yes`,
        {
          ACCOUNT: String(
            (
              await rowsOf(
                at,
                `SELECT a.unique_identifier FROM account a JOIN event_check_in_record r ON r.account = a.number
                WHERE r.unique_identifier = '${erased?.unique_identifier}'`,
              )
            )[0]?.unique_identifier,
          ),
        },
      );

      await until(() => readFileSync(journal, 'utf8').includes(String(erased?.unique_identifier)));

      shell(back, { BEFORE: join(state, 'backups', backup) });
      assert.equal(version(), release);
      assert.equal(await count(), before);
      const accounts = shell('sudo ledgerstone accounts list');
      assert.doesNotMatch(accounts, /Written since/);
      assert.ok(readdirSync(join(state, 'newer')).includes('ledgerstone.db'));
      const again = await rowsOf(
        at,
        `SELECT 1 FROM event_check_in_record WHERE unique_identifier = '${erased?.unique_identifier}'`,
      );
      assert.deepEqual(again, [], 'who was erased since stays so');
      shell('sudo systemctl stop ledgerstone');
    });

    it('goes back on PostgreSQL by a backup from before, in an empty database', async () => {
      const old = join(programOf(release), 'bin/ledgerstone');
      const at = await storeOf(release, 'postgres');
      const { env } = await emptyDatabase(await findServer());
      const now = join(PROJECT, 'bin/ledgerstone');
      const shell = (text: string) =>
        execFileSync('sh', ['-euc', text], {
          ...{ cwd: at.cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
          env: {
            ...{ PATH: process.env.PATH, ...at.env, OLD: old, NEW: now },
            ...{ EMPTY: env.DATABASE_URL, NODE_COMPILE_CACHE: join(at.cwd, 'cache') },
          },
        });
      shell('"$OLD" backup before');
      shell('"$NEW" migrate');
      shell('"$NEW" backup after');
      assert.throws(() => shell('"$OLD" accounts list'), /was migrated by Ledgerstone 1\.1\.0/);
      assert.throws(
        () => shell('"$OLD" restore after --database-url "$EMPTY"'),
        /1\.1\.0/,
        'it names the version to use',
      );
      shell('"$OLD" restore before --database-url "$EMPTY"');
      const restored = { ...at, url: String(env.DATABASE_URL) };
      for (const table of ['account', 'location', 'event_check_in_record', 'change']) {
        const [was, is] = await Promise.all(
          [at, restored].map((one) => rowsOf(one, `SELECT count(*) AS count FROM ${table}`)),
        );
        assert.deepEqual(is, was, table);
      }
      assert.match(shell('"$OLD" accounts list --database-url "$EMPTY"'), /acct_/);
    });
  });

it('The pages name this version where they install it', () => {
  const files = [...globSync('docs/*.md', { cwd: PROJECT }), 'README.md', 'deploy/oci/build'];
  for (const file of files)
    for (const [text, version] of readFileSync(join(PROJECT, file), 'utf8').matchAll(
      /ledgerstone-(\d+\.\d+\.\d+)-linux|ledgerstone:\d+\.\d+\.\d+/g,
    ))
      assert.equal(version ?? text.split(':')[1], about.version, `${basename(file)}: ${text}`);
});
