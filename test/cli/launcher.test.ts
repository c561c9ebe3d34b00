/** The launcher finds its Node and installs what is missing, from anywhere, once. */
// needs: --all, program
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { finish, LAUNCHER, ownFolder, run, start, watch } from '../support/cli-program.ts';
import { until } from '../support/until.ts';

/** Says how it was started, in place of the real program. */
const MAIN =
  'console.log(JSON.stringify({ words: process.argv.slice(2), flags: process.execArgv, cwd: process.cwd(), pid: process.pid }));';
const PACKAGE = basename(dirname(dirname(process.execPath)));
const MODULES = join(dirname(LAUNCHER), '../node_modules');
const INSTALLING = 'Installing dependencies (once) …\n';

const lockfile = (version: string, tools: object = {}) => {
  const x = { version, integrity: `sha512-${version}` };
  return JSON.stringify({ packages: { '': {}, 'node_modules/x': x, ...tools } }, null, 2);
};

/** A project with the real launcher, and an npm that only notes that it was called and puts Node in place. */
function makeProject() {
  const folder = realpathSync(ownFolder());
  const project = join(folder, 'the project');
  cpSync(dirname(LAUNCHER), join(project, 'bin'), { recursive: true });
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'src/main.ts'), MAIN);
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  writeFileSync(join(project, 'package-lock.json'), lockfile('1'));
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  const npm = (body: string): void => {
    writeFileSync(join(tools, 'npm'), `#!/bin/sh\necho "$*" >>"${folder}/calls"\n${body}\n`);
    chmodSync(join(tools, 'npm'), 0o755);
  };
  const bin = `node_modules/${PACKAGE}/bin`;
  const installs = `mkdir -p ${bin} && ln -sf "${process.execPath}" ${bin}/node
    cp package-lock.json node_modules/.package-lock.json`;
  npm(installs);
  const called = (): string[] =>
    existsSync(join(folder, 'calls'))
      ? readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n')
      : [];
  const options = {
    cwd: folder,
    program: join(project, 'bin/ledgerstone'),
    env: { PATH: `${tools}:/usr/bin:/bin` },
  };
  return {
    folder,
    project,
    tools,
    npm,
    installs,
    called,
    calls: () => called().length,
    options,
    launch: (...words: string[]) => run(words, options),
  };
}

const skip = !/^node-/.test(PACKAGE) && 'these tests run under another Node than the pinned one';

describe('the launcher', { skip }, () => {
  it('runs from any folder, through links and spaces, with its words as they are', async () => {
    const { folder, project, options, launch } = makeProject();
    await launch();
    symlinkSync('the project/bin/ledgerstone', join(folder, 'first link'));
    symlinkSync(join(folder, 'first link'), join(folder, 'second'));
    const words = ['a b', '', "it's", '*', '$HOME', '--x=1'];
    for (const program of [options.program, join(folder, 'first link'), join(folder, 'second')]) {
      const { code, stdout, stderr } = await run(words, { ...options, program, cwd: '/' });
      assert.deepEqual([code, stderr], [0, '']);
      const said = JSON.parse(stdout) as { words: string[]; cwd: string };
      assert.deepEqual([said.words, said.cwd], [words, '/']);
    }
    const { stdout } = await run(['bin/ledgerstone', 'x'], {
      ...options,
      cwd: project,
      program: 'sh',
    });
    assert.deepEqual((JSON.parse(stdout) as { words: string[] }).words, ['x']);
  });

  it('lets a service take the memory that makes it fast, and a command less', async () => {
    const { options, launch } = makeProject();
    await launch();
    for (const [words, isSmall] of [
      [['serve'], false],
      [['--database-url', 'sqlite:a', 'dev', '--sample'], false],
      [['import', 'events.csv'], true],
      [[], true],
    ] as const) {
      const { flags } = JSON.parse((await run(words, options)).stdout) as { flags: string[] };
      assert.equal(flags.includes('--max-semi-space-size=8'), isSmall, words.join(' '));
    }
  });

  it('leaves no process between the service and its signals', async () => {
    const { options, launch } = makeProject();
    await launch();
    const child = start([], options);
    let stdout = '';
    child.stdout?.on('data', (text) => {
      stdout += String(text);
    });
    await new Promise((resolve) => child.on('close', resolve));
    assert.equal((JSON.parse(stdout) as { pid: number }).pid, child.pid);
  });

  it('keeps what Node makes of the code for the next start, for its owner alone', async () => {
    const { folder, project, options } = makeProject();
    const kept = join(project, 'node_modules/.cache/ledgerstone');
    await run([], options);
    assert.equal(statSync(kept).mode & 0o777, 0o700);
    assert.notEqual(readdirSync(kept).length, 0);
    const elsewhere = join(folder, 'elsewhere');
    await run([], { ...options, env: { ...options.env, NODE_COMPILE_CACHE: elsewhere } });
    assert.notEqual(readdirSync(elsewhere).length, 0);
  });

  it('runs what the source says, from a bundle where the cache can be written', async () => {
    const { project, options, launch } = makeProject();
    await launch();
    for (const name of ['esbuild', '@esbuild'])
      symlinkSync(join(MODULES, name), join(project, 'node_modules', name));
    const cache = join(project, 'node_modules/.cache/ledgerstone');
    const bundles = () => readdirSync(cache).filter((name) => name.startsWith('program-')).length;
    for (const [count, word] of ['first', 'second', 'third', 'fourth'].entries()) {
      writeFileSync(
        join(project, 'src/main.ts'),
        `const word: string = '${word}'; console.log(word);`,
      );
      for (const _ of [1, 2]) assert.equal((await launch()).stdout, `${word}\n`);
      assert.equal(bundles(), Math.min(count + 1, 3));
    }
    const env = { ...options.env, NODE_COMPILE_CACHE: join(project, 'package.json', 'no-folder') };
    assert.equal((await run([], { ...options, env })).stdout, 'fourth\n');
    writeFileSync(join(project, 'src/main.ts'), 'this does not compile');
    assert.notEqual((await launch()).code, 0);
    assert.equal(bundles(), 3);
  });

  it('keeps the bundle that a program runs from until that ends, however many come after it', async () => {
    const { project, options, launch } = makeProject();
    await launch();
    for (const name of ['esbuild', '@esbuild'])
      symlinkSync(join(MODULES, name), join(project, 'node_modules', name));
    const cache = join(project, 'node_modules/.cache/ledgerstone');
    const bundles = () => readdirSync(cache).filter((name) => name.startsWith('program-')).length;
    const main = (text: string) => writeFileSync(join(project, 'src/main.ts'), text);
    writeFileSync(join(project, 'src/later.ts'), "export const later = 'it was there';");
    main(`console.log('waits');
      process.stdin.once('data', async () => {
        console.log((await import('./later.ts')).later);
        process.exit();
      });`);
    const begin = () => {
      const child = start([], options, { stdio: ['pipe', 'pipe', 'pipe'] });
      const printed = { stdout: '', stderr: '' };
      return { child, printed, end: finish(child, printed) };
    };
    const [lasting, killed] = [begin(), begin()];
    await until(() => [lasting, killed].every(({ printed }) => printed.stdout !== ''));
    killed.child.kill('SIGKILL');
    await killed.end;
    for (const word of ['second', 'third', 'fourth', 'fifth']) {
      main(`console.log('${word}');`);
      assert.equal((await launch()).stdout, `${word}\n`);
    }
    assert.equal(bundles(), 4);
    lasting.child.stdin?.write('now\n');
    assert.equal((await lasting.end).stdout, 'waits\nit was there\n');
    main("console.log('sixth');");
    await launch();
    assert.equal(bundles(), 3);
    assert.deepEqual(readdirSync(join(cache, 'in-use')), []);
  });

  it('keeps no note for ever of programs that were killed, though nothing is bundled again', async () => {
    const { project, options, launch } = makeProject();
    await launch();
    for (const name of ['esbuild', '@esbuild'])
      symlinkSync(join(MODULES, name), join(project, 'node_modules', name));
    writeFileSync(
      join(project, 'src/main.ts'),
      "console.log('waits'); if (process.argv[2] === 'for') process.stdin.once('data', () => process.exit());",
    );
    const notes = join(project, 'node_modules/.cache/ledgerstone/in-use');
    const begin = async () => {
      const child = start(['for', 'a word'], options, { stdio: ['pipe', 'pipe', 'pipe'] });
      const printed = { stdout: '', stderr: '' };
      const end = finish(child, printed);
      await until(() => printed.stdout !== '');
      return { child, end };
    };
    const lasting = await begin();
    const [kept = ''] = readdirSync(notes);
    const killed = await begin();
    killed.child.kill('SIGKILL');
    await killed.end;
    const left = readdirSync(notes).find((name) => name !== kept) ?? '';
    for (let times = 0; times < 100; times += 1)
      cpSync(join(notes, left), join(notes, `${left}-${times}`), { recursive: true });
    // Killed before it had written its note.
    mkdirSync(join(notes, 'nothing'));
    utimesSync(join(notes, 'nothing'), 0, 0);
    await launch();
    assert.deepEqual(readdirSync(notes), [kept]);
    lasting.child.stdin?.write('now\n');
    await lasting.end;
    assert.deepEqual(readdirSync(notes), []);
  });

  it('installs once, says so, and not twice when two start at once', async () => {
    const { calls, folder, installs, npm, options, project } = makeProject();
    // It installs until the other one waits for it.
    execFileSync('mkfifo', [join(folder, 'waits')]);
    npm(`read _ <"${folder}/waits"; ${installs}`);
    const starts = [watch([], options), watch([], options)];
    await until(() => starts.some(({ printed }) => printed.stderr.startsWith('Waiting for')));
    writeFileSync(join(folder, 'waits'), 'now\n');
    const both = await Promise.all(starts.map(({ end }) => end));
    for (const { code } of both) assert.equal(code, 0);
    assert.equal(both.filter(({ stderr }) => stderr === INSTALLING).length, 1);
    assert.ok(both.some(({ stderr }) => stderr.startsWith('Waiting for another start')));
    assert.equal(calls(), 1);
    assert.deepEqual([(await run([], options)).stderr, calls()], ['', 1]);
    assert.ok(!existsSync(join(project, '.installing')));
  });

  it('installs nothing for help, and says where to read', async () => {
    const { calls, launch } = makeProject();
    for (const words of [['--help'], ['keys', 'create', '-h']]) {
      const { code, stdout, stderr } = await launch(...words);
      assert.match(stdout, /^Nothing is installed here yet\..*\n.*README\.md/);
      assert.deepEqual([code, stderr, calls()], [0, '', 0]);
    }
    await launch();
    assert.doesNotMatch((await launch('--help')).stdout, /Nothing is installed/);
  });

  it('installs again when package-lock.json says otherwise, and not for its time alone', async () => {
    const { calls, launch, project } = makeProject();
    await launch();
    const file = join(project, 'package-lock.json');
    const later = new Date(Date.now() + 60_000);
    utimesSync(file, later, later);
    assert.deepEqual([(await launch()).stderr, calls()], ['', 1]);
    writeFileSync(file, lockfile('2'));
    utimesSync(file, later, later);
    assert.deepEqual([(await launch()).stderr, calls()], [INSTALLING, 2]);
  });

  it('installs no tools to run, all to develop, and keeps those that are there', async () => {
    const { called, launch, npm, options, project } = makeProject();
    const tools = { 'node_modules/tool': { version: '1', integrity: 'sha512-1', dev: true } };
    const write = (version: string): void => {
      writeFileSync(join(project, 'package-lock.json'), lockfile(version, tools));
      writeFileSync(join(project, 'without-tools.json'), lockfile(version));
    };
    write('1');
    const bin = `node_modules/${PACKAGE}/bin`;
    npm(`mkdir -p ${bin} && ln -sf "${process.execPath}" ${bin}/node
      case "$*" in *--omit=dev*) from=without-tools ;; *) from=package-lock ;; esac
      cp $from.json node_modules/.package-lock.json`);
    const develop = () => run(['-p', '1'], { ...options, program: join(project, 'bin/run') });
    const kinds = () => called().map((words) => /--(omit|include)=dev/.exec(words)?.[1]);
    await launch();
    await launch();
    assert.deepEqual(kinds(), ['omit']);
    assert.equal((await develop()).code, 0);
    await develop();
    await launch();
    assert.deepEqual(kinds(), ['omit', 'include']);
    write('2');
    assert.equal((await launch()).stderr, INSTALLING);
    assert.deepEqual(kinds(), ['omit', 'include', 'include'], 'the tools stay');
  });

  it('misses nothing where only what runs was copied, and the packages that the project makes were not', async () => {
    const { launch, npm, project, calls } = makeProject();
    const own = { client: { version: '1' }, 'node_modules/client': { link: true } };
    writeFileSync(join(project, 'package-lock.json'), lockfile('1', own));
    writeFileSync(join(project, 'without-client.json'), lockfile('1'));
    const bin = `node_modules/${PACKAGE}/bin`;
    npm(`mkdir -p ${bin} && ln -sf "${process.execPath}" ${bin}/node
      cp without-client.json node_modules/.package-lock.json`);
    await launch();
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(project, 'package-lock.json'), later, later);
    assert.deepEqual([(await launch()).stderr, calls()], ['', 1]);
  });

  it('shows what npm says only when it fails, and tries again next time', async () => {
    const { npm, launch, calls } = makeProject();
    npm('echo "npm error no network" >&2; exit 1');
    const { code, stdout, stderr } = await launch();
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /once\) …\nnpm error no network\nledgerstone: Its dependencies could not be installed; [^\n]+\n$/,
    );
    assert.equal((await launch()).code, 1);
    assert.equal(calls(), 2);
  });

  it('takes over the lock of a start that was killed', async () => {
    const { launch, project } = makeProject();
    mkdirSync(join(project, '.installing'));
    writeFileSync(join(project, '.installing/owner'), '4194305\n');
    assert.deepEqual([(await launch()).stderr], [INSTALLING]);
    assert.ok(!existsSync(join(project, '.installing')));
  });

  it('says what is missing when there is no npm, or no Node for the machine', async () => {
    const { launch, npm, tools, options } = makeProject();
    rmSync(join(tools, 'npm'));
    const needed = 'cat cp dirname ln mkdir ps readlink rm rmdir sh sleep touch uname'.split(' ');
    for (const tool of needed) {
      symlinkSync(
        existsSync(`/bin/${tool}`) ? `/bin/${tool}` : `/usr/bin/${tool}`,
        join(tools, tool),
      );
    }
    options.env.PATH = tools;
    const without = await launch();
    assert.equal(without.code, 1);
    const wrong = without.stderr;
    assert.match(wrong, /^ledgerstone: npm is needed [^\n]+ install Node 20 or newer[^\n]+\n$/);
    npm('mkdir node_modules; cp package-lock.json node_modules/.package-lock.json');
    const strange = await launch();
    assert.equal(strange.code, 1);
    assert.match(
      strange.stderr,
      /\nledgerstone: There is no Node for this machine \([^\n]+ install Node 26 or newer[^\n]+\n$/,
    );
    symlinkSync(process.execPath, join(tools, 'node'));
    assert.equal((await launch()).code, 0, 'a new enough Node on the PATH will do');
  });
});
