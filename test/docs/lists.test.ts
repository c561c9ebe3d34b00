/** What pages list is what there is: the rights of keys and people, and the commands that work from another machine. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rights, rightsByName } from '../../src/records/auth/principal.ts';
import { commands } from '../support/commands.ts';

const page = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

describe('a list on a page', () => {
  it('has every right that a key can be given', () => {
    const listed = [...page('keys.md').matchAll(/^\| `--allow (\w+)`/gm)].map(([, name]) => name);
    assert.deepEqual(listed.toSorted(), Object.keys(rights).toSorted());
  });

  it('has every right that people are given by name', () => {
    const [, table = ''] = page('who-may-sign-in.md').split('| Right | What the person may do |');
    const [rows = ''] = table.split('\n\n');
    const listed = [...rows.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    assert.deepEqual(listed.toSorted(), [...rightsByName].toSorted());
  });

  it('has every command that takes --url', async () => {
    const [, line = ''] = /^This goes for (.*?);/m.exec(page('production.md')) ?? [];
    const listed = [...line.matchAll(/`([\w-]+)/g)].map(([, name]) => name);
    const takes = (await commands()).filter(([, { options }]) =>
      options.some(({ long }) => long === '--url'),
    );
    const names = new Set(takes.map(([words]) => words.split(' ')[0]));
    assert.deepEqual(listed.toSorted(), [...names].toSorted());
  });
});
