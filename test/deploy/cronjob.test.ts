/** The CronJob is one that Kubernetes takes, and what its containers are told to do makes a backup and proves it. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { parse } from 'yaml';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn, run } from '../support/cli-program.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { compilers, complaints, write } from '../support/compile.ts';
import { EXTRAS, lacks } from '../support/extras.ts';
import { pluck } from '../support/pluck.ts';
import { onPostgres } from '../support/store-postgres.ts';

interface Container {
  readonly name: string;
  readonly command?: unknown;
  readonly args: readonly string[];
  readonly env?: unknown;
  readonly envFrom: readonly unknown[];
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

const FILE = join(import.meta.dirname, '../../deploy/kubernetes/backup.yaml');
const job = parse(readFileSync(FILE, 'utf8'), { merge: true });
const { spec } = job.spec.jobTemplate.spec.template;
/** As they run: the first ones one after the other, then the last. */
const containers: readonly Container[] = [...spec.initContainers, ...spec.containers];

it('Kubernetes knows each of its members, and takes their values', {
  skip: lacks('kubernetes-models'),
}, async () => {
  const folder = ownFolder();
  symlinkSync(EXTRAS, join(folder, 'node_modules'));
  const asCode = (value: object): string =>
    `import type { ICronJob } from 'kubernetes-models/batch/v1';\nexport const job: ICronJob = ${JSON.stringify(value, undefined, 2)};\n`;
  const text = JSON.stringify(job);
  write(folder, {
    'job.ts': asCode(job),
    'misspelt.ts': asCode(JSON.parse(text.replaceAll('envFrom', 'envfrom'))),
    'wrong.ts': asCode(JSON.parse(text.replaceAll('"Forbid"', '"Never"'))),
  });
  const compiler = compilers['TypeScript 7'] ?? '';
  const found = await complaints(folder, compiler, { skipLibCheck: true });
  assert.equal(found.get('job.ts'), undefined);
  // What is no CronJob is told from one.
  assert.deepEqual([...found.keys()].sort(), ['misspelt.ts', 'wrong.ts']);
});

it('its containers are those of the image, and may write only what is mounted', () => {
  assert.equal(spec.securityContext.runAsUser, 10_001);
  const names = spec.volumes.map(({ name }: { name: string }) => name);
  for (const { command, env, envFrom, securityContext, volumeMounts } of containers) {
    // The program is the entrypoint of the image; the address of the store is in the secret.
    assert.equal(command, undefined);
    assert.equal(env, undefined);
    assert.deepEqual(envFrom, [{ secretRef: { name: 'ledgerstone' } }]);
    assert.equal(securityContext.readOnlyRootFilesystem, true);
    for (const { name } of volumeMounts) assert.ok(names.includes(name), name);
  }
});

/** Runs the containers as the kubelet does: each when the one before it has succeeded. Tells how each ended. */
function podOf(env: Readonly<Record<string, string>>) {
  const root = ownFolder();
  // What a container writes elsewhere is seen here: the real one could not.
  const elsewhere = join(root, 'elsewhere');
  mkdirSync(elsewhere);
  const mounted = (path: string): string => join(root, path);
  return {
    backups: mounted('backups'),
    elsewhere,
    async run() {
      const ended: { name: string; code: number | null; stdout: string; stderr: string }[] = [];
      for (const { name, args, volumeMounts } of containers) {
        const paths = volumeMounts.map(({ mountPath }) => mountPath);
        for (const path of paths) mkdirSync(mounted(path), { recursive: true });
        const words = args.map((word) => (paths.includes(word) ? mounted(word) : word));
        const own = { ...env, HOME: elsewhere, TMPDIR: mounted('/tmp') };
        const one = await run(words, { cwd: elsewhere, env: own });
        ended.push({ name, ...one });
        if (one.code !== 0) break;
      }
      return ended;
    },
  };
}

await onPostgres(({ name, url }) => {
  it(`on ${name} it writes a backup, restores it once, and notes that for doctor`, async () => {
    const { env } = await emptyDatabase(url);
    const cwd = ownFolder();
    await makeAccount(cwd, env);
    const pod = podOf(env);
    const ended = await pod.run();
    assert.deepEqual(
      pluck(ended, 'name', 'code'),
      [
        ['backup', 0],
        ['check', 0],
      ],
      ended.at(-1)?.stderr ?? '',
    );
    assert.match(ended[1]?.stdout ?? '', /The backup is whole/);
    assert.equal(readdirSync(pod.backups).length, 1);
    assert.deepEqual(readdirSync(pod.elsewhere), []);
    const stdout = await programIn(cwd, env).ok('doctor');
    assert.match(stdout, /The last checked backup is \d+ minutes? old/);
  });

  it(`on ${name} it fails where the backup is damaged, or the store is out of reach`, async () => {
    const { env } = await emptyDatabase(url);
    await makeAccount(ownFolder(), env);
    const pod = podOf(env);
    await pod.run();
    const [file = ''] = readdirSync(pod.backups);
    truncateSync(join(pod.backups, file), 100);
    const [, check] = containers;
    assert.ok(check);
    const words = check.args.map((word) => (word === '/backups' ? pod.backups : word));
    assert.equal((await run(words, { cwd: pod.elsewhere, env })).code, 1);

    const address = new URL(env.DATABASE_URL ?? '');
    address.port = '9';
    const lost = podOf({ ...env, DATABASE_URL: address.href });
    const [only, ...others] = await lost.run();
    assert.equal(only?.code, 1, only?.stderr ?? '');
    assert.deepEqual(others, []);
  });
});
