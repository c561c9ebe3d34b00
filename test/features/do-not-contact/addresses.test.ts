/** An email address in the register is that of all records of the person, however each of the two is written; and of nobody else. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonical } from '../../../src/features/do-not-contact/store/signs.ts';
import { keyed } from '../../support/secret-key.ts';
import { world } from '../../support/world.ts';

/** Ways to write an address that are the same one. */
const WAYS: readonly ((address: string) => string)[] = [
  (address) => address,
  (address) => address.toUpperCase(),
  (address) => ` ${address}\t`,
  (address) => `${address}.`,
  (address) => `mailto:${address}`,
  (address) => `<${address}>`,
  (address) => `Jane Example <${address}>`,
  (address) => `"Example, Jane" <mailto:${address}>`,
  (address) => `\u202a${address}\u202c`,
  (address) => `${address.slice(0, 3)}\u200b${address.slice(3)}`,
  (address) => address.normalize('NFD'),
  (address) => `\ufeff${address}\u00a0`,
];
const DOMAINS = [
  ['funerals.org', 'funerals.org'],
  ['müller-söhne.de', 'xn--mller-shne-kcb9d.de'],
] as const;
const names = fc
  .string({ unit: fc.constantFrom(...'abcdefghijkäéñ.+-_0123456789'), minLength: 3, maxLength: 20 })
  .map((text) => `q${text}`);

describe('An email address', () => {
  it('is one, whatever stands around it, and another one is another', () => {
    const some = fc.constantFrom(...WAYS);
    const property = fc.property(
      ...[names, names, some, some, fc.constantFrom(...DOMAINS)],
      (name, other, write, again, [domain, coded]) => {
        const of = (text: string) => canonical({ as: 'email', text });
        const [one, same] = [write(`${name}@${domain}`), again(`${name}@${domain}`)];
        assert.equal(of(one), of(same), JSON.stringify([one, same]));
        assert.equal(of(`${name}@${coded}`), of(one), coded);
        assert.ok(of(one)?.startsWith(`${name.toLowerCase()}@`.normalize('NFC')));
        assert.equal(of(again(`${other}@${domain}`)) === of(one), other === name);
        assert.notEqual(of(`${name}@${domain} ${other}@${domain}`), of(one));
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });

  const on = world({ settings: keyed() });

  it('is found by what a record says of it, in whatever way that is written', async () => {
    for (const [at, write] of WAYS.entries()) {
      const address = `jane.${at}@müller-söhne.de`;
      const { unique_identifier: id } = await on.visit(`Written ${at}`, {
        visitor_email_address: write(address),
      });
      const sent = { account: on.account, email_address: WAYS[WAYS.length - 1 - at]?.(address) };
      await on.ok('/v1/do_not_contact', sent, on.officer);
      const path = `/v1/event_check_in_records/${id}?expand[]=do_not_contact`;
      assert.equal((await on.read(path)).do_not_contact, true, JSON.stringify(write(address)));
    }
  });

  it('that is lifted is lifted for the record that it was entered with, however that is written', async () => {
    for (const [at, write] of WAYS.entries()) {
      const address = `lifted.${at}@funerals.org`;
      const { unique_identifier: record } = await on.visit(`Lifted ${at}`, {
        ...{ visitor_email_address: write(address), visitor_phone_number: `+1415777${1_000 + at}` },
      });
      await on.ok('/v1/do_not_contact', { record }, on.officer);
      const query = `email_address=${encodeURIComponent(address)}`;
      for (const filter of [query, `phone_number=%2B1415777${1_000 + at}`]) {
        const { data } = await on.read(`/v1/do_not_contact?${filter}`);
        assert.equal(data.length, 1, filter);
        const lift = `/v1/do_not_contact/${data[0].unique_identifier}/lift`;
        await on.ok(lift, { reason: 'they called' }, on.officer);
      }
      const path = `/v1/event_check_in_records/${record}?expand[]=do_not_contact`;
      assert.equal((await on.read(path)).do_not_contact, false, JSON.stringify(write(address)));
    }
  });
});
