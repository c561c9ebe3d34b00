/** The client in a real browser: a page of another origin writes, walks and removes. */
// needs: browser

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { packages } from '../support/built-client.ts';
import { localServer } from '../support/local-server.ts';
import { startService } from '../support/service.ts';

const { browser, skip } = await launchBrowser();

/** What the page does, in the page. */
async function program({ key, url, account }: { key: string; url: string; account: string }) {
  const where = '/client/index.js';
  const { Ledgerstone, answerOf } = (await import(
    where
  )) as typeof import('../../client/src/index.ts');
  const api = new Ledgerstone({ key, url });
  const location = (external_identifier: string) => ({
    account_unique_identifier: account,
    external_identifier,
    location_name: 'Main Street Chapel',
  });
  const made = await api.locations.upsert(location('page'), { mode: 'create_only' });
  const rows = Array.from({ length: 12 }, (_, index) => location(`row ${index}`));
  let written = 0;
  for await (const { outcome } of api.locations.upsertMany(rows, { rows: 5 })) {
    if (outcome === 'created') written += 1;
  }
  let walked = 0;
  for await (const _ of api.locations.list({ limit: 5 })) walked += 1;
  const refused = await api.locations.retrieve('loc_nothing').catch((error) => error.code);
  const removed = await api.locations.remove(made.unique_identifier);
  return {
    told: [answerOf(made)?.outcome, answerOf(removed)?.outcome, answerOf(removed)?.removed],
    written,
    walked,
    refused,
    known: answerOf(made)?.requestId?.startsWith('req_'),
  };
}

it('works on a page whose origin the operator has allowed', { skip }, async () => {
  const dist = join(packages(), '@ledgerstone', 'client', 'dist');
  const origin = await localServer(({ url = '/' }, answer) => {
    const isPage = url === '/';
    answer.writeHead(200, { 'Content-Type': isPage ? 'text/html' : 'text/javascript' });
    answer.end(isPage ? '<!doctype html>' : readFileSync(join(dist, url.slice('/client/'.length))));
  });
  const service = await startService({ settings: { cors_origins: origin } });
  const page = await browser?.newPage();
  assert.ok(page);
  await page.goto(origin);
  const { key, url, account } = service;
  assert.deepEqual(await page.evaluate(program, { key, url, account: account.unique_identifier }), {
    told: ['created', 'deleted', 1],
    written: 12,
    walked: 13,
    refused: 'resource_missing',
    known: true,
  });
});
