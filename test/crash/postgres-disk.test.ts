/** A database whose disk is full: what does not fit is refused, and nothing that was answered is lost. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Client } from 'pg';
import { sharedDatabase, wantReady, wantRefusal } from '../support/cli-postgres.ts';
import { onOwnPostgres } from '../support/store-postgres.ts';

const DISK = '48m';
const UPSERTS = 200;
const LARGE = { note: 'x'.repeat(60_000) };

await onOwnPostgres((server) => {
  describe('A service whose database', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-disk-'));
    const skip = mount(folder);
    after(() => {
      if (skip === false) execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    });

    it('has a full disk answers 503 to what does not fit, keeps what it answered, and goes on when there is room', {
      skip,
    }, async () => {
      await makeTablespace(server.url, folder);
      const shared = await sharedDatabase(server.url, 'small');
      const { service } = shared;
      const send = (name: string) => shared.upsert(name, LARGE);
      const filler = join(folder, 'filler');
      fill(filler);
      const answered = [];
      let refused = 0;
      for (let count = 0; refused < 5; count++) {
        assert.ok(count < UPSERTS, 'the disk is never full');
        const answer = await send(`${count}`);
        if (answer.status === 200) answered.push({ name: `${count}`, text: answer.text });
        else {
          wantRefusal(answer);
          refused += 1;
        }
      }
      assert.equal((await fetch(`${service.url}/healthz`)).status, 200);

      rmSync(filler);
      await shared.wantRecovery();
      await wantReady(service, true);
      for (const { name, text } of answered) assert.equal((await send(name)).text, text);
      assert.equal((await send('more')).status, 200);
    });
  });
});

/** Why there is no small disk at that folder, or `false` where there is one. */
function mount(folder: string): string | false {
  try {
    const words = ['-t', 'tmpfs', '-o', `size=${DISK},mode=0755`, 'none', folder];
    execFileSync('mount', words, { stdio: 'pipe' });
    return false;
  } catch {
    return 'Only root can make a disk that is small enough to be filled.';
  }
}

/** On that disk, which then belongs to whoever runs the server. */
async function makeTablespace(url: string, folder: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const { uid, gid } = statSync(`/proc/${rows[0].pid}`);
  const own = join(folder, 'tablespace');
  execFileSync('install', ['-d', '-m', '0700', '-o', `${uid}`, '-g', `${gid}`, own]);
  execFileSync('chmod', ['0755', folder]);
  await client.query(`CREATE TABLESPACE small LOCATION '${own}'`);
  await client.end();
}

/** With bytes that nobody wants, until nothing more fits. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const bytes = Buffer.alloc(4_096); ; ) writeSync(descriptor, bytes);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    closeSync(descriptor);
  }
}
