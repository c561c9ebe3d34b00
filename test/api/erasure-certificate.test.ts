/** The certificate of an erasure tells what was done, nothing of the person, and what was changed in it afterwards. */
// needs: both stores with --all, program
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readSealer } from '../../src/core/sealing/sealer.ts';
import { CERTIFICATES, faultsOf } from '../../src/services/erasures/certificate.ts';
import { programIn } from '../support/cli-program.ts';
import type { Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const MARK = 'Rumpelstilzchen';
const DAY_MS = 86_400_000;

describe('The certificate of an erasure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const keyFile = join(folder, 'secret-key');
  const newKey = () => `${randomBytes(32).toString('base64')}\n`;
  const now = Date.parse('2027-03-01T12:00:00Z');
  let clock = now;
  let erased: Body;
  let certificate: Body;
  writeFileSync(keyFile, newKey());
  const settings = { secret_key_file: keyFile };
  const on = world({ settings, now: () => clock }, async ({ location, run, visit }) => {
    const records: string[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      const visitor_email_address = `${MARK}@example.com`;
      const more = { visitor_phone_number: '+14155550199', visitor_email_address };
      records.push((await visit(`${MARK} ${name}`, more)).unique_identifier);
    }
    await service.app.store.backups.note({ taken_at: now - DAY_MS, checked_at: now, number: 1 });
    const { unique_identifier: id } = await on.begin([location], {
      ...{ phone_numbers: ['+14155550199'], reference: 'letter 7' },
      received_at: '2027-02-20T09:00:00Z',
    });
    // The location stays, since its service does.
    await run(id, [...records.slice(0, 1), location]);
    clock += 60_000;
    erased = await run(id, records.slice(1, 2));
    certificate = await certified(id);
  });
  const { service, ok } = on;
  after(() => rmSync(folder, { recursive: true }));
  const certified = (id: string): Promise<Body> => on.read(`/v1/erasures/${id}/certificate`);
  const faults = (content: Body, file = keyFile): readonly string[] =>
    faultsOf(content, readSealer(file).derived(CERTIFICATES));

  it('says what was done and when, what waits, and nothing of the person', async () => {
    const { seal, journal, audit_head, ...rest } = certificate;
    // Proved in test/api/erasure-proof.test.ts.
    const { places, files, rewritten_at, out_of_reach, out_of_reach_codes, ...members } = rest;
    assert.equal(out_of_reach_codes.length, out_of_reach.length);
    assert.ok(places.length > 0 && out_of_reach.length > 0);
    assert.deepEqual([typeof files, rewritten_at], ['string', null]);
    // The end of the chain that has its erasure.
    const [head] = await service.app.store.audit.heads();
    assert.deepEqual(Object.keys(audit_head[0]).toSorted(), ['chain', 'mac', 'number']);
    assert.ok(audit_head[0].number > 0 && audit_head[0].chain === head?.chain);
    const [at, issued_at] = ['2027-03-01T12:00:00Z', '2027-03-01T12:01:00Z'];
    assert.deepEqual(members, {
      ...{ object: 'erasure_certificate', erasure: erased.unique_identifier },
      ...{ account: on.account, status: erased.status, reference: 'letter 7', issued_at },
      ...{ received_at: '2027-02-20T09:00:00Z', due_at: '2027-04-06T09:00:00Z' },
      records: [{ resource: 'event_check_in_record', count: 2, first_at: at, last_at: issued_at }],
      ...{ left: erased.left, image_hosts: [], consumers: [], consumers_count: 0, basis: null },
      backups: [{ what: 'file', until: null }],
    });
    assert.equal(erased.left[0].code, 'record_has_children');
    const sealed = Object.keys({ ...rest, journal, audit_head });
    assert.deepEqual(Object.keys(seal.members).toSorted(), sealed.toSorted());
    assert.doesNotMatch(JSON.stringify(certificate), new RegExp(`${MARK}|0199`, 'i'));
  });

  it('names the hosts of images, earlier ones among them, and nothing else of these', async () => {
    const location_unique_identifier = await service.location('by mail');
    const replied = (...image_urls: string[]) =>
      ok('/v1/direct_mail_replies/upsert', {
        ...{ location_unique_identifier, external_identifier: 'reply', image_urls },
      });
    await replied(`https://cards.example.com:8443/${MARK}.jpg`);
    const { unique_identifier: record } = await replied(`https://images.example.com/${MARK}.jpg`);
    const ran = await on.erase(record);
    const { image_hosts, ...rest } = await certified(ran.unique_identifier);
    assert.deepEqual(image_hosts.toSorted(), ['cards.example.com:8443', 'images.example.com']);
    assert.deepEqual(ran.image_hosts, image_hosts);
    assert.doesNotMatch(JSON.stringify([ran, rest]), new RegExp(MARK, 'i'));
  });

  it('is verified on the command line, without a store', async () => {
    const verified = (content: string) => {
      const file = join(folder, 'certificate.json');
      writeFileSync(file, content);
      return programIn(folder, { SECRET_KEY_FILE: keyFile }).run('erasures', 'verify', file);
    };
    const whole = await verified(JSON.stringify(certificate, null, 2));
    assert.deepEqual([whole.code, whole.stdout], [0, 'The certificate is as it was issued.\n']);
    const changed = await verified(JSON.stringify({ ...certificate, due_at: 'later' }));
    assert.deepEqual([changed.code, changed.stdout], [1, '"due_at" was changed.\n']);
  });

  it('names each member that was changed, added or taken away, and what is of another certificate', async () => {
    const turned = Object.fromEntries(Object.entries(certificate).reverse());
    assert.deepEqual(faults(turned), [], 'programs may store members in another order');
    for (const name of Object.keys(certificate)) {
      if (name === 'seal' || name === 'object') continue;
      assert.deepEqual(faults({ ...certificate, [name]: 'else' }), [`"${name}" was changed.`]);
      const { [name]: _, ...rest } = certificate;
      assert.deepEqual(faults(rest), [`"${name}" is missing.`]);
    }
    assert.deepEqual(faults({ ...certificate, count: 3 }), ['"count" was added.']);
    clock += 60_000;
    const later = await certified(certificate.erasure);
    const members = { ...certificate.seal.members, issued_at: later.seal.members.issued_at };
    const seal = { ...certificate.seal, members };
    const mixed = { ...certificate, issued_at: later.issued_at, seal };
    assert.match(faults(mixed).join(), /not of one certificate/);
    for (const none of [{}, [], null, { object: 'erasure_certificate' }])
      assert.equal(faults(none).length, 1);
  });

  it('stays verifiable when the key is replaced, and not without its key', () => {
    const rotated = join(folder, 'rotated');
    writeFileSync(rotated, newKey() + readFileSync(keyFile, 'utf8'));
    assert.deepEqual(faults(certificate, rotated), []);
    const other = join(folder, 'other');
    writeFileSync(other, newKey());
    assert.match(faults(certificate, other).join(), /No key in SECRET_KEY_FILE/);
  });
});
