/** The metrics tell what the service stands on: whether it takes records, its disks, its certificate and the index of search. */
// needs: --all, program
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { renameSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { ownFolder } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { scrape } from '../support/scrape.ts';
import { until } from '../support/until.ts';

it('what an operator must watch of the machine is in the metrics', async () => {
  const cwd = ownFolder();
  const certificate = makeCertificate('localhost', 60);
  writeCertificate(cwd, certificate);
  const env = { METRICS_PORT: '0', LOG_LEVEL: 'info', BACKUP_TO: 'disk/moments' };
  const service = await startProcess({ cwd, env, words: ['serve'] });
  const printed = await service.printed(/"msg":"metrics"/);
  const [, address = ''] = /"address":"([^"]+\/metrics)"/.exec(printed) ?? [];
  let good = await scrape(address);
  // The process that writes there says it as soon as it runs.
  await until(async () => {
    good = await scrape(address);
    return good.value('ledgerstone_disk_size_bytes', { disk: 'backups' }) !== undefined;
  });
  assert.equal(good.value('ledgerstone_ready'), 1);
  assert.equal(good.value('ledgerstone_certificate_expires_timestamp_seconds'), 0);
  const { blocks, bsize } = statfsSync(cwd);
  for (const disk of ['store', 'backups']) {
    assert.equal(good.value('ledgerstone_disk_size_bytes', { disk }), blocks * bsize);
    const free = good.value('ledgerstone_disk_free_bytes', { disk }) ?? 0;
    assert.ok(free > 0 && free < blocks * bsize, String(free));
  }
  const search = good.value('ledgerstone_store_size_bytes', { part: 'search' }) ?? -1;
  const path = join(cwd, 'data/ledgerstone.db-search');
  assert.ok(search === 0 || search >= statSync(path).size);

  // The store is gone.
  renameSync(join(cwd, 'data/ledgerstone.db'), join(cwd, 'data/elsewhere.db'));
  const lost = await scrape(address);
  assert.equal(lost.value('ledgerstone_ready'), 0);
  renameSync(join(cwd, 'data/elsewhere.db'), join(cwd, 'data/ledgerstone.db'));
  await service.stop();

  const words = ['serve', '--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
  const encrypted = await startProcess({ cwd, env, words });
  const said = await encrypted.printed(/"msg":"metrics"/);
  const [, other = ''] = /"address":"([^"]+\/metrics)"/.exec(said) ?? [];
  const ends = Date.parse(new X509Certificate(certificate.cert).validTo) / 1000;
  const shown = (await scrape(other)).value('ledgerstone_certificate_expires_timestamp_seconds');
  assert.equal(shown, ends);
});
