/** The programs in PHP, C#, Java and Ruby run as the page shows them: they load, repeat what was refused for a moment, and verify webhooks. */
// needs: --all, program, waits

import assert from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { whenOver } from '../support/at-end.ts';
import { isThere, ownFolder } from '../support/cli-program.ts';
import { joinService } from '../support/service.ts';
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
}

/** What any Rack server does with the file. */
const RACK = `require 'socket'
def run(app) = $app = app
load ARGV[0]
server = TCPServer.new('127.0.0.1', ARGV[1].to_i)
loop do
  client = server.accept
  env = {}
  client.gets
  while (line = client.gets.chomp) != ''
    name, value = line.split(': ', 2)
    env["HTTP_#{name.upcase.tr('-', '_')}"] = value
  end
  require 'stringio'
  env['rack.input'] = StringIO.new(client.read(env['HTTP_CONTENT_LENGTH'].to_i) || '')
  client.write "HTTP/1.1 #{$app.call(env)[0]} x\\r\\nConnection: close\\r\\nContent-Length: 0\\r\\n\\r\\n"
  client.close
end
`;

const LANGUAGES: Readonly<Record<string, Language>> = {
  php: {
    needs: ['php'],
    files: ['load.php', 'webhook.php'],
    run: (file) => ['php', file],
    serve: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
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
  },
  ruby: {
    needs: ['ruby'],
    files: ['load.rb', 'config.ru'],
    run: (file) => ['ruby', file],
    serve: (file, port) => ['ruby', '-e', RACK, './'.concat(file), String(port)],
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
        const { stdout } = await run(program, words, { cwd, env, timeout: 60_000 });
        assert.match(stdout, /visitor_full_name|refused/, outcome);
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

    it('takes a notification that is signed, and refuses others', async () => {
      const cwd = prepared();
      const [, receiver] = files;
      const [compiler, ...options] = compile?.(receiver) ?? [];
      if (compiler !== undefined) execFileSync(compiler, options, { cwd });
      const port = await freePort();
      const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, no?').toString('base64')}`;
      const [program = '', ...words] = how.serve?.(receiver, port) ?? how.run(receiver);
      const env = { PATH: process.env.PATH, PORT: String(port), SECRET: secret };
      const child: ChildProcess = spawn(program, words, { cwd, env, stdio: 'ignore' });
      whenOver(() => child.kill('SIGKILL'));
      const url = `http://127.0.0.1:${port}/`;
      const post = (headers: Record<string, string>, body: string) =>
        fetch(url, { method: 'POST', headers, body }).then(({ status }) => status);
      const body = JSON.stringify({ type: 'event.updated', data: { name: 'Zoë' } });
      const signed = (at: Date, by = secret) => ({
        'webhook-id': 'chg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': `v1,AAAA ${new Webhook(by).sign('chg_1', at, body)}`,
      });
      const now = new Date();
      await until(() =>
        post(signed(now), body).then(
          (status) => status === 204,
          () => false,
        ),
      );
      const other = `whsec_${Buffer.from('another secret of many bytes').toString('base64')}`;
      assert.equal(await post(signed(now, other), body), 400);
      assert.equal(await post(signed(now), body.replace('Zoë', 'Zoe')), 400);
      assert.equal(await post(signed(new Date(now.getTime() - 600_000)), body), 400);
      assert.equal(await post({}, body), 400);
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
