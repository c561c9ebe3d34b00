/** The programs in PHP, C#, Java and Ruby run as the page shows them: they load, repeat what was refused for a moment, and verify webhooks. */
// needs: --all, program, waits

import assert from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { whenOver } from '../support/at-end.ts';
import { type MadeCertificate, makeCertificate, writeCertificate } from '../support/certificate.ts';
import { finish, isThere, ownFolder } from '../support/cli-program.ts';
import { joinService } from '../support/service.ts';
import { MESSAGE, type Trouble, troubled } from '../support/troubled.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/other-languages.md'), 'utf8');

interface Language {
  readonly needs: readonly string[];
  /** The files of the load and of the receiver, and how they are compiled and run. */
  readonly files: readonly [load: string, receiver: string];
  readonly compile?: (file: string) => readonly string[];
  readonly run: (file: string) => readonly string[];
  /** Where the receiver is not run as the load is. */
  readonly serve?: (file: string, port: number) => readonly string[];
  /** The environment in which it trusts the certificate in that file, where one run can be told so. */
  readonly trusting?: (file: string) => Readonly<Record<string, string>>;
}

/** What any Rack server does with the file. */
const RACK = `require 'socket'
def run(app) = $app = app
load ARGV[0]
server = TCPServer.new('127.0.0.1', ARGV[1].to_i)
loop do
  client = server.accept
  env = {}
  next if client.gets.nil?
  while (line = client.gets.chomp) != ''
    name, value = line.split(/: ?/, 2)
    env["HTTP_#{name.upcase.tr('-', '_')}"] = value
  end
  require 'stringio'
  env['rack.input'] = StringIO.new(client.read(env['HTTP_CONTENT_LENGTH'].to_i) || '')
  status = begin
    $app.call(env)[0]
  rescue StandardError
    500
  end
  client.write "HTTP/1.1 #{status} x\\r\\nConnection: close\\r\\nContent-Length: 0\\r\\n\\r\\n"
  client.close
end
`;

const LANGUAGES: Readonly<Record<string, Language>> = {
  php: {
    needs: ['php'],
    files: ['load.php', 'webhook.php'],
    run: (file) => ['php', file],
    serve: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
    trusting: (file) => ({ SSL_CERT_FILE: file }),
  },
  csharp: {
    needs: ['mcs', 'mono'],
    files: ['Load.cs', 'Webhook.cs'],
    compile: (file) => ['mcs', '-langversion:latest', '-r:System.Net.Http', file],
    run: (file) => ['mono', file.replace('.cs', '.exe')],
  },
  java: {
    needs: ['java', 'javac'],
    files: ['Load.java', 'Webhook.java'],
    run: (file) => ['java', file],
    trusting: (file) => {
      const store = `${file}.p12`;
      const of = ['-keystore', store, '-storepass', 'changeit', '-storetype', 'PKCS12'];
      execFileSync('keytool', ['-importcert', '-noprompt', '-file', file, ...of], {
        stdio: 'ignore',
      });
      const options = `"-Djavax.net.ssl.trustStore=${store}" -Djavax.net.ssl.trustStorePassword=changeit`;
      return { JAVA_TOOL_OPTIONS: options };
    },
  },
  ruby: {
    needs: ['ruby'],
    files: ['load.rb', 'config.ru'],
    run: (file) => ['ruby', file],
    serve: (file, port) => ['ruby', '-e', RACK, './'.concat(file), String(port)],
    trusting: (file) => ({ SSL_CERT_FILE: file }),
  },
};

for (const [language, { needs, files, compile, ...how }] of Object.entries(LANGUAGES)) {
  const absent = needs.find((program) => !isThere(program));
  const skip = absent !== undefined && `there is no ${absent} on this machine to run them`;

  const prepared = () => {
    const folder = ownFolder();
    const blocks = [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
    assert.equal(blocks.length, files.length);
    for (const [index, [, text = '']] of blocks.entries()) {
      const file = files[index] ?? '';
      writeFileSync(join(folder, file), text);
      assert.ok(text.includes(file), `${file} is named in its program`);
    }
    return folder;
  };

  describe(`on the page, ${language}`, { skip }, () => {
    it('loads a location, a service and its visitors, once however often it runs, and waits where it is told to', async () => {
      const cwd = prepared();
      const service = await (await joinService()).another();
      const account = service.account.unique_identifier;
      const at = `${account},riverside,case-1041`;
      const columns =
        'account_unique_identifier,location_external_identifier,event_external_identifier,external_identifier,visitor_full_name,visitor_phone_number';
      const rows = [`${at},visitor-1,Zoë Müller,+14155550123`, `${at},visitor-2,,+14155550124`];
      writeFileSync(join(cwd, 'visitors.csv'), `${[columns, ...rows].join('\n')}\n`);
      // Each request is refused once before it reaches the service: 429, 503, and no answer at all.
      const refusals = [429, 503, 0];
      const front = createServer(async (request, response) => {
        const body = Buffer.concat(await request.toArray());
        const refusal = refusals.shift();
        if (refusal === 0) return request.socket.destroy();
        if (refusal !== undefined)
          return response.writeHead(refusal, { 'Retry-After': '1' }).end('{}');
        const { authorization = '', 'content-type': type = '' } = request.headers;
        const headers = { Authorization: authorization, 'Content-Type': type };
        const answer = await fetch(service.url + request.url, { method: 'POST', headers, body });
        response.writeHead(answer.status).end(await answer.bytes());
      });
      await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
      whenOver(() => front.close());
      const { port } = front.address() as AddressInfo;
      const env = {
        ...{ PATH: process.env.PATH, HOME: cwd, LANG: 'C.UTF-8' },
        ...{ API: `http://127.0.0.1:${port}`, KEY: service.key, ACCOUNT: account },
      };
      const [load] = files;
      const [compiler, ...options] = compile?.(load) ?? [];
      if (compiler !== undefined) await run(compiler, options, { cwd });
      const [program = '', ...words] = how.run(load);
      for (const outcome of ['created', 'unchanged']) {
        // A row is refused: the job that runs it must know.
        const refused = await run(program, words, { cwd, env, timeout: 60_000 }).catch(
          (error) => error,
        );
        assert.ok(refused.code > 0, outcome);
        assert.match(refused.stdout, /visitor_full_name|refused/, outcome);
      }
      assert.deepEqual(refusals, []);
      const { body } = await service.get('/v1/event_check_in_records?expand[]=event');
      const [visitor] = body.data;
      assert.equal(body.data.length, 1);
      assert.deepEqual(
        [
          visitor.visitor_full_name ?? visitor.public_data.visitor_full_name,
          visitor.event.event_datetime,
        ],
        ['Zoë Müller', '2027-03-20T14:30:00Z'],
      );
      const { body: history } = await service.get(
        `/v1/event_check_in_records/${visitor.unique_identifier}/history`,
      );
      assert.equal(history.data.length, 1, 'the second run changed nothing');
    });

    it('fails, with what it was answered, where anything was not done', async () => {
      const cwd = prepared();
      const service = await (await joinService()).another();
      const account = service.account.unique_identifier;
      writeFileSync(
        join(cwd, 'visitors.csv'),
        `account_unique_identifier,location_external_identifier,event_external_identifier,external_identifier,visitor_full_name,visitor_phone_number\n${account},riverside,case-1041,visitor-1,Zoë Müller,+14155550123\n`,
      );
      const [load] = files;
      const [compiler, ...options] = compile?.(load) ?? [];
      if (compiler !== undefined) await run(compiler, options, { cwd });
      const [program = '', ...words] = how.run(load);
      const loaded = async (
        trouble: (request: number) => Trouble | undefined,
        { certificate, more = {} }: { certificate?: MadeCertificate; more?: object } = {},
      ) => {
        const { url } = await troubled(service.url, trouble, certificate);
        const set = { API: url, KEY: service.key, ACCOUNT: account, ...more };
        const env = { PATH: process.env.PATH, HOME: cwd, LANG: 'C.UTF-8', ...set };
        const { code, stdout, stderr } = await finish(
          spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }),
        );
        return { code, said: stdout + stderr };
      };
      for (const once of [undefined, 429, 503, 'cut'] as const) {
        const { code, said } = await loaded((request) => (request === 2 ? once : undefined));
        assert.equal(code, 0, `${once}: ${said}`);
      }
      // Libraries have errors of their own for what breaks off under TLS.
      if (how.trusting !== undefined) {
        const certificate = makeCertificate();
        const more = how.trusting(writeCertificate(cwd, certificate).cert);
        for (const at of [1, 2]) {
          const { code, said } = await loaded((request) => (request === at ? 'cut' : undefined), {
            certificate,
            more,
          });
          assert.equal(code, 0, `cut under TLS: ${said}`);
        }
      }
      for (const status of [401, 409, 413] as const)
        for (const from of [1, 2, 3]) {
          const { code, said } = await loaded((request) => (request >= from ? status : undefined));
          assert.notEqual(code, 0, `${status} from request ${from} on: ${said}`);
          assert.ok(said.includes(MESSAGE), said);
        }
      const row = await loaded((request) => (request === 3 ? 'refused row' : undefined));
      assert.notEqual(row.code, 0, row.said);
      assert.ok(row.said.includes(MESSAGE), row.said);
      // It ends, and does not try for ever.
      const [down, cut] = await Promise.all([
        loaded(() => 503),
        loaded((request) => (request > 2 ? 'cut' : undefined)),
      ]);
      assert.ok(down.code !== 0 && down.said.includes(MESSAGE), down.said);
      assert.notEqual(cut.code, 0, cut.said);
    });

    const receiving = async (secret: string | undefined): Promise<Receiver> => {
      const cwd = prepared();
      const [, receiver] = files;
      const [compiler, ...options] = compile?.(receiver) ?? [];
      if (compiler !== undefined) execFileSync(compiler, options, { cwd });
      const port = await freePort();
      return started(how.serve?.(receiver, port) ?? how.run(receiver), { cwd, port, secret });
    };

    it('takes a notification that is signed, and refuses others', () => takesSigned(receiving));

    it('refuses all where its secret is missing or is none', () => trustsNobody(receiving));
  });
}

describe('on the page about webhooks, python', {
  skip: !isThere('python3') && 'there is no python3 on this machine',
}, () => {
  const receiving = async (secret: string | undefined): Promise<Receiver> => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
    const [values = '', receiver = ''] = [...text.matchAll(/^```python\n(.*?)^```$/gms)].map(
      ([, block = '']) => block,
    );
    assert.match(receiver, /^secret = ""$/m);
    const cwd = ownFolder();
    const port = await freePort();
    const own = receiver
      .replace('secret = ""', `secret = ${JSON.stringify(secret ?? '')}`)
      .replace('("127.0.0.1", 0)', `("127.0.0.1", ${port})`);
    writeFileSync(join(cwd, 'receive.py'), `${values}\n${own}\nthreading.Event().wait()\n`);
    return started(['python3', 'receive.py'], { cwd, port, secret });
  };

  it('takes a notification that is signed, and refuses others', () => takesSigned(receiving));

  it('refuses all where its secret is missing or is none', () => trustsNobody(receiving));
});

type Receiver = (headers: Record<string, string>, body: string | Blob) => Promise<number>;

const BODY = JSON.stringify({
  type: 'event.updated',
  data: { object: 'change', record: 'evt_1', outcome: 'updated', name: 'Zoë' },
});
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, no?').toString('base64')}`;

/** Runs a receiver, and answers how its answers are asked for. */
async function started(
  [program = '', ...words]: readonly string[],
  { cwd, port, secret }: { cwd: string; port: number; secret: string | undefined },
): Promise<Receiver> {
  const set = secret === undefined ? {} : { SECRET: secret };
  const env = { PATH: process.env.PATH, HOME: cwd, PORT: String(port), ...set };
  const child: ChildProcess = spawn(program, words, { cwd, env, stdio: 'ignore' });
  whenOver(() => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/`;
  const post: Receiver = (headers, body) =>
    fetch(url, { method: 'POST', headers, body }).then(({ status }) => status);
  await until(() => portTakes(port));
  return post;
}

/** The headers of a notification that was signed with the bytes of a key. */
function signedBy(key: Buffer, at = Date.now(), body = BODY): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signature = createHmac('sha256', key).update(`chg_1.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': 'chg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,AAAA v1,${signature}`,
  };
}

const keyOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64');

async function takesSigned(receiving: (secret: string) => Promise<Receiver>): Promise<void> {
  const post = await receiving(SECRET);
  const now = new Date();
  const good = signedBy(keyOf(SECRET), now.getTime());
  const [, theirs] = good['webhook-signature']?.split(' ') ?? [];
  assert.equal(theirs, new Webhook(SECRET).sign('chg_1', now, BODY));
  assert.equal(await post(good, BODY), 204);
  assert.equal(await post(signedBy(Buffer.from('another secret of many bytes')), BODY), 400);
  assert.equal(await post(good, BODY.replace('Zoë', 'Zoe')), 400);
  assert.equal(await post(signedBy(keyOf(SECRET), Date.now() - 600_000), BODY), 400);
  // Whoever finds the address sends anything: each is answered, and the receiver goes on.
  const values = ['', 'abc', '\u00b2', '1e9', '-1', '9'.repeat(400), 'v1,', 'v1,\u00fc\u00fc', ','];
  for (const name of Object.keys(good)) {
    const { [name]: _, ...others } = good;
    if (name !== 'webhook-id') assert.equal(await post(others, BODY), 400, `without ${name}`);
    for (const one of values)
      assert.equal(await post({ ...good, [name]: one }, BODY), 400, `${name}: ${one}`);
  }
  assert.equal(await post({}, BODY), 400);
  assert.equal(await post({}, ''), 400);
  assert.equal(await post(good, new Blob([Uint8Array.of(0xff, 0x00, 0xfe)])), 400);
  assert.equal(await post(good, BODY), 204);
}

/** Who forges knows the page, and so the key that a program without a secret would verify with. */
async function trustsNobody(
  receiving: (secret: string | undefined) => Promise<Receiver>,
): Promise<void> {
  for (const secret of [undefined, '', 'whsec_', 'whsec_!!!!', SECRET.slice(0, 3)]) {
    const post = await receiving(secret);
    for (const key of [Buffer.alloc(0), Buffer.from(secret ?? ''), Buffer.from('undefined')]) {
      const status = await post(signedBy(key), BODY).catch(() => 0);
      assert.ok(status >= 300 || status === 0, `${secret}: ${status}`);
    }
  }
}

/** Whether something listens there; unlike a request it leaves nothing to answer. */
function portTakes(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () =>
      resolve(false),
    );
    socket.on('connect', () => socket.destroy());
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
