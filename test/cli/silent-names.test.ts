/** A name of a host that is looked up for ever keeps nobody from signing in, and no command and no service from ending. */
// needs: --ci, program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settings } from '../../src/core/config.ts';
import type { Finding } from '../../src/core/observe/finding.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn, watch } from '../support/cli-program.ts';
import { call, type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { type LookedUp, silentNames, skip } from '../support/silent-names.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

/** More than a process has threads for passwords. */
const PEOPLE = 6;

/** Settings with an address to which the service connects; browsers alone go to the last. */
const CONNECTED = settings
  .filter(({ option }) => option.endsWith('<url>'))
  .map(({ variable }) => variable)
  .filter((variable) => variable !== 'PUBLIC_URL');

const provider = {
  OIDC_ISSUER: 'https://sign-in.silent.example',
  OIDC_CLIENT_ID: 'ledgerstone',
  OIDC_NAME: 'Office',
};

/** Whoever may say where notifications go. */
async function callerIn(cwd: string) {
  const { account } = await makeAccount(cwd);
  const { secret } = await programIn(cwd).newKey(account, '--allow', 'webhooks');
  return { account, secret };
}

type Caller = Awaited<ReturnType<typeof callerIn>>;

function sendTo(service: RunningService, { secret, account }: Caller, url: string) {
  return call(service.url, secret, '/v1/webhook_endpoints', { account, url });
}

/** What the console's page asks for. */
async function fromPage(service: RunningService, path: string, body: object) {
  const answer = await fetch(`${service.url}/console/api${path}`, {
    method: 'POST',
    headers: {
      ...{ 'Content-Type': 'application/json', 'Ledgerstone-Console': '1' },
      'Sec-Fetch-Site': 'same-origin',
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

async function signIns(service: RunningService): Promise<readonly number[]> {
  return Promise.all(
    Array.from({ length: PEOPLE }, async (_, at) => {
      const asked = { email: `person${at}@example.com`, password: 'a long enough password' };
      return (await fromPage(service, '/sign_in', asked)).status;
    }),
  );
}

const ownLookUps = ({ process: { pid } }: RunningService, all: readonly LookedUp[]) =>
  all.filter((one) => one.pid === pid);

describe('where a name is looked up for ever', { skip, concurrency: true }, () => {
  it('each setting with an address has its test below', () => {
    assert.deepEqual(CONNECTED, ['DATABASE_URL', 'OIDC_ISSUER']);
  });

  it('people sign in, and the service ends, whatever else it looks up', async () => {
    const cwd = ownFolder();
    const { env, lookedUp } = silentNames();
    const callers = [await callerIn(cwd), await callerIn(cwd)];
    const service = await startProcess({
      cwd,
      env: { ...env, ...provider, SECRET_KEY_FILE: secretKeyFile() },
    });
    const looksUp = (name: string) =>
      until(() => lookedUp().some((looked) => looked.name === name));

    const begun = fromPage(service, '/single_sign_on/begin', {});
    const made = callers.map((caller, at) =>
      sendTo(service, caller, `https://hooks${at}.silent.example/`),
    );
    for (const name of ['sign-in', 'hooks0', 'hooks1']) await looksUp(`${name}.silent.example`);
    assert.deepEqual(await signIns(service), Array(PEOPLE).fill(401));
    assert.match((await begun).text, /"code":"single_sign_on_failed"/);
    for (const { status, text } of await Promise.all(made)) assert.equal(status, 200, text);

    assert.equal((await service.stop()).code, 0);
    assert.deepEqual(ownLookUps(service, lookedUp()), []);
  });

  it('doctor says so of the provider, and ends', async () => {
    const cwd = ownFolder();
    const { env, lookedUp } = silentNames();
    await makeAccount(cwd);
    const doctor = watch(['doctor', '--json'], { cwd, env: { ...env, ...provider } });
    const { code, stdout, stderr } = await doctor.end;
    assert.equal(code, 1, stderr);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const [found] = findings.filter(({ says }) => says.includes('sign-in.silent.example'));
    assert.equal(found?.state, 'bad', stdout);
    assert.ok(lookedUp().some(({ name }) => name === 'sign-in.silent.example'));
  });

  it('a command says so of the database, and ends', async () => {
    const { env } = silentNames();
    const DATABASE_URL = 'postgres://somebody:secret@database.silent.example/ledgerstone';
    const asked = { cwd: ownFolder(), env: { ...env, DATABASE_URL } };
    const { code, stderr } = await watch(['accounts', 'list'], asked).end;
    assert.equal(code, 1);
    assert.match(stderr, /^ledgerstone: [^\n]*database\.silent\.example:5432[^\n]*\n$/);
  });
});

await onPostgres(({ name, url: server }) => {
  describe(`where ${name} is named by a name`, { skip }, () => {
    it('the process that serves does not look it up itself', async () => {
      const { url, env: store } = await emptyDatabase(server);
      const { env, lookedUp } = silentNames();
      const DATABASE_URL = url.replace('127.0.0.1', 'localhost');
      const cwd = ownFolder();
      const service = await startProcess({ cwd, env: { ...store, ...env, DATABASE_URL } });
      const { secret } = await makeAccount(cwd, store);
      assert.equal((await call(service.url, secret, '/v1/accounts')).status, 200);
      assert.deepEqual(await signIns(service), Array(PEOPLE).fill(401));
      assert.equal((await service.stop()).code, 0);
      assert.ok(lookedUp().some((one) => one.name === 'localhost'));
      assert.deepEqual(ownLookUps(service, lookedUp()), []);
    });
  });
});
