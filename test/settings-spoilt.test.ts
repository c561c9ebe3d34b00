/** A value that a file of settings has spoilt is refused by the name of its setting, and no password is ever shown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSettings, settings } from '../src/core/config.ts';
import { redact, withoutSecrets } from '../src/core/observe/redact.ts';

/** How files of Windows, `docker --env-file` and editors leave a value. */
const SPOILT: readonly ((text: string) => string)[] = [
  (text) => `${text}\r`,
  (text) => `${text}\n`,
  (text) => `\ufeff${text}`,
  (text) => ` ${text}`,
  (text) => `${text}\t`,
  (text) => `"${text}"`,
  (text) => `'${text}'`,
  (text) => `"${text}"\r`,
  (text) => text.replace(/^(sqlite:)?/, '$1"'),
  (text) => `${text}"`,
  (text) => text.replace(/^(sqlite:)?/, '$1 '),
];

/** Values that each setting takes, which are more than its default. */
const RIGHT: Readonly<Record<string, string>> = {
  ...{ host: 'localhost', metrics_host: 'localhost', public_url: 'https://records.example.com' },
  ...{ oidc_issuer: 'https://login.example.com', oidc_client_id: 'ledgerstone', tls_key: 'key' },
  ...{ database_distribution: 'citus', citus_nodes: 'one:1=10.0.0.1:1', metrics_port: '9464' },
  ...{ cors_origins: 'https://console.example.com', trust_proxy: '10.0.0.0/8' },
  ...{ webhook_allow: '10.0.0.0/8', rate_limit: '100/s', tls_cert: 'cert', max_connections: '8' },
};

describe('a spoilt value', () => {
  for (const { name, variable, default: otherwise } of settings)
    it(`is refused by name, or means the same: ${name}`, () => {
      const right = RIGHT[name] ?? (otherwise === '' ? '/srv/some file' : otherwise);
      const read = (text: string) => {
        const all = findSettings({}, { OIDC_CLIENT_ID: 'x', [variable]: text });
        return all.find(({ setting }) => setting.name === name) ?? assert.fail();
      };
      const clean = read(right);
      if ('complaint' in clean) assert.match(clean.complaint, /certificate|key|TLS/);
      for (const spoil of SPOILT) {
        const found = read(spoil(right));
        if ('complaint' in found) assert.match(found.complaint, new RegExp(`^${variable} must `));
        else assert.deepEqual('value' in clean && clean.value, found.value, spoil(right));
      }
    });

  it('that names a file says what is wrong with it', () => {
    const found = findSettings({}, { BACKUP_TO: '"/srv/moments"', DATABASE_URL: 'sqlite:/s.db\r' });
    const complaints = found.flatMap((one) => ('complaint' in one ? [one.complaint] : []));
    assert.match(complaints.join('\n'), /^DATABASE_URL must have no line end .* Windows/m);
    assert.match(complaints.join('\n'), /^BACKUP_TO must be written without quotes/m);
  });
});

describe('a password in an address', () => {
  /** Each has a character that means something in an address, or is read as another part. */
  const PASSWORDS = ['p@hidden', 'p/hidden', 'p#hidden', 'p?hidden', 'p%zhidden', '12/hidden'];
  PASSWORDS.push(
    '12#hidden',
    '12?hidden',
    'p:hidden',
    'p hidden',
    'p&hidden',
    'hidden@',
    '@hidden',
  );

  it('is never shown, and percent-encoding is suggested where it is not understood', () => {
    let refused = 0;
    for (const password of PASSWORDS) {
      for (const url of [
        `postgres://me:${password}@db.example.com:5432/records`,
        `postgresql://me:${password}@db.example.com,other.example.com/records`,
        `postgres://db.example.com/records?user=me&password=${password}`,
        `postgres://db.example.com/records?sslpassword=${password}`,
        `postgre://me:${password}@db.example.com/records`,
        `me:${password}@db.example.com/records`,
      ]) {
        assert.ok(!redact(url).includes('hidden'), redact(url));
        // What follows an & is another parameter, which is named.
        if (/=.*&hidden/.test(url)) continue;
        const found = findSettings({}, { DATABASE_URL: url });
        const one = found.find(({ setting }) => setting.name === 'database_url');
        if (one === undefined || !('complaint' in one)) continue;
        refused += 1;
        assert.ok(!one.complaint.includes('hidden'), one.complaint);
        const isOfAddress = /^postgres(?:ql)?:\/\/me:/.test(url) && !url.includes(',');
        if (isOfAddress) assert.match(one.complaint, /percent-encoded, such as %40/, url);
      }
    }
    assert.ok(refused > PASSWORDS.length);
  });

  it('is in no message of a command, nor is a key', () => {
    const said = 'postgres://me:hidden@db.example.com failed, and sk_live_hiddenhidden is unknown';
    assert.ok(!withoutSecrets(said).includes('hidden'), withoutSecrets(said));
  });
});
