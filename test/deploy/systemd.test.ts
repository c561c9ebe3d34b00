/** The units are valid, let the service do nothing that it need not, and share its user. */
// needs: program, waits
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isThere, ownFolder } from '../support/cli-program.ts';

const UNITS = join(import.meta.dirname, '../../deploy/systemd');
const SERVICES = [
  'ledgerstone.service',
  'ledgerstone-doctor.service',
  'ledgerstone-backup.service',
  'ledgerstone-moments.service',
  'ledgerstone-import@.service',
];
const MAX_EXPOSED = 1.5;

describe('the systemd units', {
  skip: !isThere('systemd-analyze') && 'there is no systemd-analyze on this machine',
}, () => {
  for (const unit of SERVICES) {
    it(`${unit} is hardened`, () => {
      const said = execFileSync(
        'systemd-analyze',
        ['security', '--offline=true', '--no-pager', join(UNITS, unit)],
        { encoding: 'utf8' },
      );
      const [, level] = /Overall exposure level for \S+: (\d+\.\d+)/.exec(said) ?? [];
      assert.ok(Number(level) <= MAX_EXPOSED, said);
    });
  }

  it('are valid', () => {
    const folder = ownFolder();
    cpSync(UNITS, folder, { recursive: true });
    for (const unit of SERVICES) {
      const path = join(folder, unit);
      // The program is not where it will be.
      const text = readFileSync(path, 'utf8').replaceAll(
        '/opt/ledgerstone/bin/ledgerstone',
        '/bin/true',
      );
      writeFileSync(path, text);
    }
    const units = [...SERVICES, 'ledgerstone-doctor.timer', 'ledgerstone-backup.timer'].map(
      (unit) => join(folder, unit),
    );
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...units], {
      encoding: 'utf8',
    });
    assert.equal(`${stdout}${stderr}`, '');
  });
});

describe('files.conf', {
  skip: !isThere('systemd-analyze') && 'there is no systemd-analyze on this machine',
}, () => {
  it('is valid, and a link gives it to the other units', () => {
    const folder = ownFolder();
    cpSync(UNITS, folder, { recursive: true });
    const dropIns = join(folder, 'ledgerstone.service.d');
    mkdirSync(dropIns);
    mkdirSync(join(folder, 'ledgerstone-.service.d'));
    const link = join(folder, 'ledgerstone-.service.d/files.conf');
    symlinkSync('../ledgerstone.service.d/files.conf', link);
    const text = readFileSync(join(UNITS, 'files.conf'), 'utf8');
    for (const [content, expected] of [
      [text, /^$/],
      [`${text}NoSuchSetting=1\n`, /NoSuchSetting/],
    ] as const) {
      writeFileSync(join(dropIns, 'files.conf'), content);
      for (const unit of SERVICES) {
        const path = join(folder, unit);
        const program = readFileSync(path, 'utf8');
        writeFileSync(path, program.replaceAll('/opt/ledgerstone/bin/ledgerstone', '/bin/true'));
        const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', path], {
          encoding: 'utf8',
        });
        assert.match(`${stdout}${stderr}`, expected, unit);
      }
    }
  });
});

it('no crash and no signal lets out what is in memory', () => {
  for (const unit of SERVICES)
    assert.match(readFileSync(join(UNITS, unit), 'utf8'), /^LimitCORE=0$/m);
  assert.match(readFileSync(join(UNITS, 'ledgerstone'), 'utf8'), /-p LimitCORE=0/);
  for (const file of ['../../bin/ledgerstone', '../../deploy/oci/Containerfile'])
    assert.match(readFileSync(join(import.meta.dirname, file), 'utf8'), /--disable-sigusr1/);
});

it('the service may ask for the addresses of this machine, or it ends where it listens on all of them', () => {
  const unit = readFileSync(join(UNITS, 'ledgerstone.service'), 'utf8');
  const [, families = ''] = /^RestrictAddressFamilies=(.*)$/m.exec(unit) ?? [];
  assert.ok(families.split(' ').includes('AF_NETLINK'), families);
});

it('whatever opens the store may reach PostgreSQL by TCP and by its local socket', () => {
  for (const unit of SERVICES) {
    const text = readFileSync(join(UNITS, unit), 'utf8');
    const [, families = ''] = /^RestrictAddressFamilies=(.*)$/m.exec(text) ?? [];
    for (const family of ['AF_INET', 'AF_INET6', 'AF_UNIX'])
      assert.ok(families.split(' ').includes(family), `${unit}: ${families}`);
  }
});

describe('whatever opens the store uses one user, folder and store, or one would take the files from the other', () => {
  const shared = /^(User|DynamicUser|StateDirectory\w*|CacheDirectory\w*|UMask|Environment\w*)=/;
  const of = (settings: readonly string[]) => settings.filter((each) => shared.test(each)).sort();
  const units = SERVICES.map((unit) => of(readFileSync(join(UNITS, unit), 'utf8').split('\n')));

  it('all units', () => {
    for (const unit of units) assert.deepEqual(unit, units[0]);
  });

  it('the command for the operator', () => {
    const command = readFileSync(join(UNITS, 'ledgerstone'), 'utf8');
    const properties = [...command.matchAll(/-p (\S+)/g)].map(([, property = '']) => property);
    assert.deepEqual(of(properties), units[0]);
  });
});
