/**
 * Each wait for a time in the tests, by its file: the line, and why it stays. `waits.test.ts` fails for any other. What
 * belongs here plays somebody slow or a moment of chance, or is a limit far beyond anything.
 */
export const WAITS: Readonly<Record<string, readonly (readonly [line: string, why: string])[]>> = {
  'test/api/changes.test.ts': [
    [
      'signal: AbortSignal.any([gone.signal, AbortSignal.timeout(LONG_MS)]),',
      'A limit far beyond anything: a stream that never ends fails the test.',
    ],
    [
      'signal: AbortSignal.timeout(LONG_MS),',
      'A limit far beyond anything: a stream that never ends fails the test.',
    ],
  ],
  'test/api/damaged-changes.test.ts': [
    [
      'signal: AbortSignal.timeout(LONG_MS),',
      'A limit far beyond anything: a stream that never ends fails the test.',
    ],
  ],
  'test/api/event-source-clients.test.ts': [
    ['setInterval(() => {}, 60_000);', 'It keeps a program alive, and nothing waits for it.'],
  ],
  'test/api/rows-under-way.test.ts': [
    [
      'signal: AbortSignal.timeout(LONG_MS),',
      'A limit far beyond anything: a stream that never ends fails the test.',
    ],
  ],
  'test/api/syncs-doubt-waits.test.ts': [
    [
      'await pause(3_500);',
      'Tries are counted in it, of which there is one in a second at most; a busy machine makes fewer.',
    ],
  ],
  'test/browser/console-held-keys.test.ts': [
    [
      'if (every > 0) await page.waitForTimeout(every);',
      'It plays a keyboard, which repeats a held key at a pace; however long that takes, the outcome is the same.',
    ],
  ],
  'test/browser/console-import-sitting.test.ts': [
    [
      'await page.waitForTimeout(WORD_ENDS_MS);',
      'The browser puts keys within a second together; it is tried again until that was so.',
    ],
  ],
  'test/browser/console-kept-text.test.ts': [
    [
      'await new Promise((resolve) => setTimeout(resolve, 1_000));',
      'It plays a slow network; the outcome does not depend on how slow it is.',
    ],
  ],
  'test/cli/backup.test.ts': [
    [
      "await Promise.race([pause((whole * at) / 8), once(restoring, 'exit')]);",
      'It kills a restore at a chance moment, a part of the time that the same test has just measured.',
    ],
  ],
  'test/cli/connections.test.ts': [
    [
      "const trickle = setInterval(() => slow.socket.write('x'), 500);",
      'It plays a sender that trickles.',
    ],
  ],
  'test/cli/follow.test.ts': [
    ['await pause(Math.random() * 1_000);', 'It kills a follower at a chance moment.'],
  ],
  'test/cli/launcher.test.ts': [
    [
      "const needed = 'cat cp dirname ln mkdir ps readlink rm rmdir sh sleep touch uname'.split(' ');",
      'It names the tools that the launcher calls, and waits for nothing.',
    ],
  ],
  'test/crash/citus-servers.test.ts': [
    [
      'await pause(1_000);',
      'What is known of a key in another process is looked up again after half a second of its clock.',
    ],
    ['await pause(4_000);', 'It plays a coordinator that is frozen for long.'],
    ['await pause(below(50));', 'A kill at a random moment.'],
    ['await pause(below(20));', 'A kill at a random moment.'],
  ],
  'test/crash/history.test.ts': [['await pause(below(20));', 'A kill at a random moment.']],
  'test/crash/kill.test.ts': [
    ['await pause(5 * round);', 'A kill at a moment of its own in each round.'],
  ],
  'test/crash/postgres-refusals.test.ts': [
    [
      'await pause(STOP_MS);',
      'It plays a process that stands still for longer than any of its limits.',
    ],
  ],
  'test/crash/postgres-stopped.test.ts': [
    ['await pause(Math.random() * 10);', 'A stop at a random moment.'],
  ],
  'test/crash/sqlite-files.test.ts': [
    ['await pause(Math.random() * 100);', 'A kill at a random moment.'],
  ],
  'test/crash/webhooks-processes.test.ts': [
    ['await pause(Math.random() * 200);', 'A kill at a random moment.'],
  ],
  'test/deploy/proxies.test.ts': [
    [
      'return { signal: AbortSignal.timeout(LONG_MS) };',
      'A limit far beyond what any answer takes.',
    ],
  ],
  'test/erasures/journal-busy.test.ts': [
    [
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500);',
      'It plays a process that is busy for longer than a disk may take, which is what it proves.',
    ],
  ],
  'test/followers/followers.test.ts': [
    [
      'isDone = await Promise.race([writing.then(() => true), pause(200 + random(1_500), false)]);',
      'A kill at a random moment.',
    ],
  ],
  'test/harness/never-ends.ts': [
    [
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
      'It plays a test that never ends.',
    ],
  ],
  'test/http/bodies-in-turn.test.ts': [
    [
      "assert.notEqual(Atomics.wait(sent, 0, 0, LONG_MS), 'timed-out');",
      'It waits until the other thread says that it has sent; the time is a limit far beyond that.',
    ],
    [
      'if (bytes % 4000 === 0) await new Promise((resolve) => setTimeout(resolve, 1));',
      'It plays a reader who takes a body slowly; how slowly does not matter.',
    ],
  ],
  'test/http/early-answers.test.ts': [
    [
      "const drops = setInterval(() => talking.clients[0]?.write('x'), 50);",
      'It plays a client that goes on sending a little; how often does not matter.',
    ],
  ],
  'test/observe/outage.test.ts': [
    [
      'await pause(1_300);',
      'It plays a sender who is slow: a request is slow from a second on, and may be slower.',
    ],
    [
      'await pause(400);',
      'It gives the background work of another process, which shows nothing of it, a chance to meet the outage; what is wanted is the same if it does not.',
    ],
  ],
  'test/outbound/outbound.test.ts': [
    [
      "const drip = setInterval(() => response.write('.'), 20);",
      'It plays a server whose answer trickles without an end; how fast does not matter.',
    ],
    [
      "response.on('finish', () => setTimeout(() => socket.destroy(), 20));",
      'It plays a server that ends a connection at a chance moment; the request is answered whenever that is.',
    ],
    [
      'await new Promise((resolve) => setTimeout(resolve, 15 + 2 * round));',
      'The next request comes at about the moment when the connection ends, before or after; it is answered in any case.',
    ],
  ],
  'test/releases/page.test.ts': [
    [
      '[ ! -e "$STATE/pid" ] || { kill "$(cat "$STATE/pid")"; while kill -0 "$(cat "$STATE/pid")" 2>/dev/null; do sleep 0.1; done; rm "$STATE/pid"; }',
      'A loop of the shell, which plays systemd and waits for a condition.',
    ],
    [
      'until grep -q \'"listening"\' "$STATE/log"; do kill -0 "$(cat "$STATE/pid")" || { cat "$STATE/log"; exit 1; }; sleep 0.1; done',
      'A loop of the shell, which plays systemd and waits for a condition.',
    ],
  ],
  'test/releases/upgrade.test.ts': [
    ["postgres: 'SELECT pg_sleep(3600)',", 'A statement that does not end before it is killed.'],
  ],
  'test/siege/bodies.test.ts': [
    [
      'await pause(PASSING_MS);',
      'How much is read in a time is what it proves; what is allowed follows from the time that has passed.',
    ],
    [
      'await pause(1_000);',
      'It plays senders who trickle, for longer than the service lets them; how much longer does not matter.',
    ],
  ],
  'test/store/sqlite-search.test.ts': [
    [
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);',
      'It holds the lock so long.',
    ],
    ['setInterval(() => database, 60_000);`,', 'It keeps the file open until the test ends.'],
    [
      'await pause(times % 3);',
      'It asks at chance moments, some just as the thread ends; each request is answered in any case.',
    ],
  ],
  'test/store/sqlite-threads.test.ts': [
    [
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);',
      'It plays a thread that is busy, so that a reply and the end of the other thread come together; if they do not, the outcome is the same.',
    ],
  ],
  'test/support/blocking-client.ts': [
    ["const late = setTimeout(() => end('nothing more came'), LONGEST_MS);", 'A long limit.'],
    [
      'else setTimeout(() => writeEach(others), PIECE_MS);',
      'It plays a sender that sends the end of its body a moment apart.',
    ],
    [
      'const goOn = setTimeout(body, EXPECTING_MS);',
      'It plays curl, which waits a second for 100 Continue.',
    ],
  ],
  'test/support/cli-service.ts': [
    ['const late = pause(LONG_MS, undefined, { ref: false }).then(() => {', 'A long limit.'],
  ],
  'test/support/follower-worker.ts': [
    [
      "if (follower.name === 'slow' && account === slow) await pause(50);",
      'It plays a follower that is slow.',
    ],
    [
      'await pause(10);',
      'It plays the background work of a service, which rests between two rounds until the process is killed.',
    ],
  ],
  'test/support/history/clients.ts': [
    ['await pause(AGAIN_MS);', 'It plays a client that tries again a moment later.'],
  ],
  'test/support/job-worker.ts': [
    [
      'await pause(20);',
      'It plays jobs whose pieces take a while, and work that rests between two rounds, until the process is killed.',
    ],
    [
      'await pause(20);',
      'It plays jobs whose pieces take a while, and work that rests between two rounds, until the process is killed.',
    ],
  ],
  'test/support/jobs.ts': [['const limit = setTimeout(() => {', 'A long limit.']],
  'test/support/power/witness.ts': [
    ['await pause(5);', 'It plays a reader who looks now and then; nothing depends on how often.'],
  ],
  'test/support/slow-wire.ts': [
    ['if (wire.delayMs > 0) await pause(wire.delayMs);', 'It plays a slow wire.'],
  ],
  'test/support/until.ts': [
    [
      'for (const end = Date.now() + ms; !(await is()); await pause(wait)) {',
      'It is what waits for conditions.',
    ],
  ],
  'test/support/webhook-siege.ts': [
    ['await pause(everyMs);', 'It plays a sender who takes a while between two writes.'],
    ['await pause(chance < 0.1 ? 400 : 5);', 'It plays a receiver that is slow now and then.'],
  ],
  'test/support/wire.ts': [
    ['const timer = setTimeout(() => {', 'A long limit.'],
    [
      'if (pause > 0) await new Promise((resume) => setTimeout(resume, pause));',
      'It plays a slow sender.',
    ],
  ],
};
