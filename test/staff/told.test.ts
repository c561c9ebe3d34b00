/** What operators are told of people who sign in, and what they are not; and that what is under way ends with a session. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { administrator, browserAt, OWN, PASSWORD, signedIn } from '../support/console.ts';
import { type CountedService, startCounted } from '../support/counted-service.ts';
import { startService } from '../support/service.ts';

describe('Operators', () => {
  let service: CountedService;
  before(async () => {
    service = await startCounted();
  });

  it('are told of each sign-in and of each change of a key or a person, and of no email, password or token', async () => {
    const email = 'somebody@example.com';
    const { session, cookie } = await signedIn(service, email);
    const staff = session.staff.unique_identifier;
    const wrong = 'a password that is wrong';
    for (let tries = 0; tries < 6; tries++)
      await browserAt(service).post('/sign_in', { email, password: wrong });
    const admin = await administrator(service);
    const by = admin.session.staff.unique_identifier;
    const made = await admin.post('/keys', { accounts: [service.account.unique_identifier] });
    await admin.post(`/staff/${staff}/end_sessions`);

    const { lines } = service;
    const signIns = lines.filter(({ msg }) => msg === 'sign-in');
    assert.deepEqual(
      signIns.map(({ method, outcome, staff: who }) => [method, outcome, who]),
      [
        ['password', 'succeeded', staff],
        ...Array.from({ length: 5 }, () => ['password', 'failed', staff]),
        ['password', 'limited', undefined],
        ['passkey', 'succeeded', by],
      ],
    );
    assert.deepEqual(
      lines
        .filter(({ msg }) => msg === 'administered')
        .map(({ what, by: who, target }) => [what, who, target]),
      [
        ['key_created', by, made.body.unique_identifier],
        ['sessions_ended', by, staff],
      ],
    );
    const text = JSON.stringify(lines);
    const token = cookie?.split('=')[1] ?? '';
    for (const secret of [email, wrong, PASSWORD, token, made.body.secret])
      assert.ok(!text.includes(secret), secret);
  });

  it('see how many sign-ins succeeded, failed and had to wait', async () => {
    const shown = await service.scrape();
    const count = (method: string, outcome: string) =>
      shown.value('ledgerstone_sign_ins_total', { method, outcome });
    assert.equal(count('password', 'succeeded'), 1);
    assert.equal(count('password', 'failed'), 5);
    assert.equal(count('password', 'limited'), 1);
    assert.equal(count('passkey', 'succeeded'), 1);
    assert.equal(count('single_sign_on', 'failed'), 0);
  });
});

describe('A stream', () => {
  it('ends with the session that it was begun with', async () => {
    const service = await startService();
    const person = await signedIn(service);
    const answer = await fetch(`${service.url}/console/api/v1/changes`, {
      headers: { ...OWN, Cookie: person.cookie ?? '', Accept: 'text/event-stream' },
    });
    assert.equal(answer.status, 200);
    const ended = (async () => {
      for await (const _ of answer.body ?? []) {
        // Until there is no more.
      }
    })().catch(() => undefined);
    const other = browserAt(service);
    await other.post('/sign_in', { email: 'editor@example.com', password: PASSWORD });
    await other.post('/account/sessions/end_others');
    await ended;
    assert.equal((await person.get('/session')).status, 401);
  });
});
