/** A certificate that clients would refuse is told by what its file lacks. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readCertificate } from '../../src/core/network/certificate.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { ownFolder } from '../support/cli-program.ts';

it('the chain of a certificate is whole, or it is said what is missing or out of order', () => {
  const root = makeCertificate('Root');
  const between = makeCertificate('Between', 30, { name: 'Root', ...root });
  const leaf = makeCertificate('localhost', 30, { name: 'Between', ...between });
  const cases: readonly (readonly [name: string, certs: readonly string[], fault?: RegExp])[] = [
    ['whole', [leaf.cert, between.cert, root.cert]],
    ['the service alone', [leaf.cert], /issued by Between\. Put the certificates between behind/],
    ['without its end', [leaf.cert, between.cert], /issued by Root\./],
    ['with a hole', [leaf.cert, root.cert], /^certificate 2 in .* is not that of who issued/],
    ['out of order', [leaf.cert, root.cert, between.cert], /^certificate 2 in /],
    ['with lines between', [leaf.cert, '# the authority\n', between.cert, root.cert]],
  ];
  for (const [name, certs, fault] of cases) {
    const files = writeCertificate(ownFolder(), { cert: certs.join('\n'), key: leaf.key });
    const found = readCertificate(files).chainFault();
    if (fault === undefined) assert.equal(found, undefined, name);
    else assert.match(found ?? '', fault, name);
  }
  const own = writeCertificate(ownFolder(), makeCertificate());
  assert.equal(readCertificate(own).chainFault(), undefined, 'signed by itself');
});
