/** The operations that prove an erasure. */
import { type Operation, operation } from '../operation.ts';

const one = { says: 'Identifies the erasure', prefix: 'ers_' } as const;

export const erasureProofOperations: readonly Operation[] = [
  operation({
    ...{ tag: 'Erasures', id: one },
    needs: { permission: 'read', right: 'erase', whole: true },
    name: 'get_erasure_certificate',
    route: 'GET /v1/erasures/:unique_identifier/certificate',
    summary: 'Get the certificate of an erasure',
    description:
      'Answers what was done, as of now: the request, its dates, the erased records by resource, what waits and why, and until when backups can hold them. It has nothing of the person, and a seal that only the key of the service can make: `ledgerstone erasures verify` checks it.',
    answers: { schema: 'ErasureCertificate', says: 'The certificate.' },
    errors: ['resource_missing', 'erasure_keyless'],
    run: async ({ erasures }, { caller, id }) => erasures.certificate(caller, id),
  }),
];
