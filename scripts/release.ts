/**
 * Makes a release in `dist/`: for each architecture of Linux a tarball with the Node that it runs on, the program, the
 * manual and the console; the client's package; the list of parts and their licences (SPDX 2.3), and checksums. Two
 * builds of one commit are equal byte by byte.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../bin/bundle.mjs';
import { packageFile } from '../bin/client-package.ts';
import about from '../package.json' with { type: 'json' };

const PROJECT = join(import.meta.dirname, '..');
const ARCHES = ['x64', 'arm64'];
/** Files that the program reads, and those for whoever installs it. */
const FILES = [
  ...['LICENSE', 'CHANGELOG.md', 'bin/ledgerstone', 'deploy'],
  ...['src/services/sample/records.ndjson', 'src/services/sample/cards'],
  ...['src/store/sqlite/schema/migrations', 'src/store/postgres/schema/migrations'],
];
/** Packages that browsers get, beside those in the program. */
const IN_CONSOLE = ['preact', '@preact/signals', '@preact/signals-core'];

interface Part {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly folder: string;
}

const { values } = parseArgs({
  options: { arch: { type: 'string', multiple: true }, to: { type: 'string' } },
});
const to = values.to ?? join(PROJECT, 'dist');
const { arch: arches = ARCHES } = values;
const lock = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')).packages;
/** When the commit was made, in seconds since 1970: the time of all files. */
const time = Number(
  execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: PROJECT, encoding: 'utf8' }),
);
const work = mkdtempSync(join(tmpdir(), 'ledgerstone-release-'));
try {
  await release();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function release(): Promise<void> {
  const name = `ledgerstone-${about.version}`;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const root = join(work, name);
  for (const file of FILES) cpSync(join(PROJECT, file), join(root, file), { recursive: true });
  const made = await bundle(PROJECT, join(root, 'program'), { moves: true });
  mkdirSync(join(root, 'site'));
  const site = join(PROJECT, 'bin/site.ts');
  execFileSync(process.execPath, [site, join(root, 'site')], { stdio: 'ignore' });
  const files: string[] = [];
  const write = (file: string, content: string | Buffer): void => {
    writeFileSync(join(to, file), content);
    files.push(file);
  };
  const parts = partsOf(made);
  const spdx = `${JSON.stringify(spdxOf([nodePart(arches[0] ?? ''), ...parts]), undefined, 2)}\n`;
  writeFileSync(join(root, 'ledgerstone.spdx.json'), spdx);
  mkdirSync(join(root, 'licenses'));
  for (const { name, folder } of parts)
    for (const file of globSync('{LICEN[SC]E,NOTICE}*', { cwd: folder }).sort())
      cpSync(join(folder, file), join(root, 'licenses', `${name.replace('/', '-')}-${file}`));
  for (const arch of arches) {
    const { folder } = nodePart(arch);
    cpSync(join(folder, 'bin/node'), join(root, 'bin/node'));
    chmodSync(join(root, 'bin/node'), 0o755);
    cpSync(join(folder, 'LICENSE'), join(root, 'licenses/node-LICENSE'));
    write(`${name}-linux-${arch}.tar.gz`, packed(name));
  }
  write(`${name}.spdx.json`, spdx);
  const client = packageFile();
  write(`ledgerstone-${basename(client)}`, readFileSync(join(PROJECT, client)));
  const sums = files.sort().map((file) => `${sumOf('sha256', join(to, file))}  ${file}`);
  writeFileSync(join(to, 'SHA256SUMS'), `${sums.join('\n')}\n`);
  for (const file of [...files, 'SHA256SUMS']) process.stdout.write(`${join(to, file)}\n`);
}

/** One order, owner, mode and time, whoever packs it and when. */
function packed(name: string): Buffer {
  const tar = execFileSync(
    'tar',
    [
      ...['--sort=name', '--format=ustar', '--owner=0', '--group=0', '--numeric-owner'],
      ...[`--mtime=@${time}`, '--mode=u+rwX,go+rX,go-w', '-C', work, '-c', name],
    ],
    { maxBuffer: 2 ** 30 },
  );
  return execFileSync('gzip', ['-9', '-n'], { input: tar, maxBuffer: 2 ** 30 });
}

/** The packages that files are of. */
function partsOf(files: readonly string[]): readonly Part[] {
  const named = files.flatMap(
    (file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  );
  return [...new Set([...named, ...IN_CONSOLE])].sort().map(partAt);
}

function partAt(name: string): Part {
  const folder = join(PROJECT, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} does not say its licence.`);
  return { name, version, license, folder };
}

/** Node for an architecture: that of this machine is installed, another one is fetched as the lockfile has it. */
function nodePart(arch: string): Part {
  const name = `node-linux-${arch}`;
  const { version, integrity } = lock[`node_modules/${name}`];
  let folder = join(PROJECT, 'node_modules', name);
  if (!existsSync(folder)) {
    folder = join(work, name);
    if (!existsSync(folder)) {
      const words = ['pack', `${name}@${version}`, '--silent', '--pack-destination', work];
      const file = join(work, execFileSync('npm', words, { encoding: 'utf8' }).trim());
      if (`sha512-${sumOf('sha512', file, 'base64')}` !== integrity)
        throw new Error(`${name} is not what package-lock.json has.`);
      mkdirSync(folder);
      execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1']);
    }
  }
  return { name: 'node', version, license: 'MIT', folder };
}

function sumOf(hash: string, file: string, as: 'hex' | 'base64' = 'hex'): string {
  return createHash(hash).update(readFileSync(file)).digest(as);
}

/** The list of parts as an SPDX document. */
function spdxOf(parts: readonly Part[]) {
  const own = { name: about.name, version: about.version, license: about.license };
  const packages = [own, ...parts].map(({ name, version, license }) => ({
    SPDXID: `SPDXRef-${name.replace(/[^A-Za-z0-9.]+/g, '-')}`,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: license,
    copyrightText: 'NOASSERTION',
    externalRefs: [
      {
        referenceCategory: 'PACKAGE-MANAGER',
        referenceType: 'purl',
        referenceLocator: `pkg:${name === 'node' ? 'generic' : 'npm'}/${name.replace('@', '%40')}@${version}`,
      },
    ],
  }));
  const document = 'SPDXRef-DOCUMENT';
  const [first, ...others] = packages.map(({ SPDXID }) => SPDXID);
  const name = `ledgerstone-${about.version}`;
  const hash = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: document,
    name,
    documentNamespace: `https://spdx.org/spdxdocs/${name}-${hash}`,
    creationInfo: {
      created: `${new Date(time * 1000).toISOString().slice(0, 19)}Z`,
      creators: ['Tool: ledgerstone-scripts-release'],
    },
    packages,
    relationships: [
      { spdxElementId: document, relationshipType: 'DESCRIBES', relatedSpdxElement: first },
      ...others.map((other) => ({
        spdxElementId: first,
        relationshipType: 'CONTAINS',
        relatedSpdxElement: other,
      })),
    ],
  };
}
