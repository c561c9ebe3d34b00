/** The OCI image is the same whenever it is built, has no shell, and serves as a user without rights. */
// needs: program, waits

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { isThere, ownFolder } from '../support/cli-program.ts';
import { until } from '../support/until.ts';

const PROJECT = join(import.meta.dirname, '../..');
const BUILD = join(PROJECT, 'deploy/oci/build');
const USER = 10001;

function reasonToSkip(): string | false {
  if (!process.env.TEST_IMAGE) return 'building it takes a minute: set TEST_IMAGE=1';
  if (!isThere('buildah')) return 'there is no buildah on this machine';
  return (
    process.getuid?.() !== 0 && 'only root can look into the image and run it without a container'
  );
}

it('two builds are one image, which serves as user 10001 and holds no shell', {
  skip: reasonToSkip(),
  timeout: 900_000,
}, async () => {
  const folder = ownFolder();
  const dist = join(folder, 'dist');
  const release = ['scripts/release.ts', '--arch', process.arch, '--to', dist];
  execFileSync(process.execPath, release, { cwd: PROJECT, stdio: 'ignore' });
  const [tarball = ''] = globSync(join(dist, '*.tar.gz'));
  const images = ['one', 'two'].map((name) => join(folder, name));
  const identifiers = images.map((place) =>
    execFileSync('sh', [BUILD, tarball, `oci:${place}`], { encoding: 'utf8' }).trim(),
  );
  const [one, two] = images.map((place) => readFileSync(join(place, 'index.json'), 'utf8'));
  assert.equal(one, two);

  const [image = ''] = identifiers;
  const buildah = (...words: string[]): string =>
    execFileSync('buildah', words, { encoding: 'utf8' }).trim();
  const container = buildah('from', image);
  const root = join(folder, 'root');
  try {
    cpSync(buildah('mount', container), root, { recursive: true, verbatimSymlinks: true });
  } finally {
    buildah('rm', container);
  }
  const programs = execFileSync('find', [root, '-type', 'f', '-perm', '/111'], {
    encoding: 'utf8',
  });
  assert.doesNotMatch(programs, /\/(?:bash|dash|sh|busybox|npm|apt|dpkg)$/m);
  const config = JSON.parse(buildah('inspect', '--type', 'image', image)).OCIv1.config;
  assert.equal(config.User, `${USER}:${USER}`);
  assert.deepEqual(Object.keys(config.Volumes), ['/data']);

  const data = join(root, 'data');
  mkdirSync(data, { recursive: true });
  chownSync(data, USER, USER);
  const words = [`--userspec=${USER}:${USER}`, root, ...config.Entrypoint, ...config.Cmd];
  const env = Object.fromEntries((config.Env as string[]).map((one) => one.split(/=(.*)/s)));
  const service = spawn('chroot', [...words, '--port', '0', '--host', '127.0.0.1'], {
    env: { ...env, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  whenOver(() => service.kill('SIGKILL'));
  let said = '';
  service.stdout.on('data', (text) => {
    said += String(text);
  });
  await until(() => said.includes('"listening"'));
  const [, url] = /"address":"([^"]+)"/.exec(said) ?? [];
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.equal(statSync(join(data, 'ledgerstone.db')).uid, USER);
  const exit = once(service, 'exit');
  service.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
});
