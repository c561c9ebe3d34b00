/** The operations that prove an erasure. */
import { present } from '../../../core/objects/own-object.ts';
import { erasureAcknowledgement } from '../../../core/objects/records/erasure-told.ts';
import { presentTime } from '../../../core/schema/present/present.ts';
import { type Operation, operation } from '../operation.ts';

const one = { says: 'Identifies the erasure', prefix: 'ers_' } as const;

export const erasureProofOperations: readonly Operation[] = [
  operation({
    tag: 'Erasures',
    id: one,
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
  operation({
    tag: 'Erasures',
    id: one,
    needs: { permission: 'read' },
    keysOnly: true,
    name: 'acknowledge_erasure',
    route: 'POST /v1/erasures/:unique_identifier/acknowledge',
    summary: 'Acknowledge an erasure',
    description:
      'Says that your system has purged what it had of the erased records: history, caches, search and backups. For systems that are told of changes by neither webhooks nor the feed, and for all that want to say so: the erasure and its certificate show it. Any key of the account acknowledges for itself. `erasure` of an `erased` change names the erasure.',
    answers: { schema: 'ErasureAcknowledgement', says: 'The acknowledgement.' },
    errors: ['resource_missing'],
    refusesIdempotencyKey: 'It may be repeated: send the request without an Idempotency-Key.',
    run: async ({ erasures }, { caller, id, params }) => {
      params();
      const at = await erasures.consumers.acknowledge(await erasures.find(caller, id), caller.key);
      const done = { erasure: id, key: caller.key, acknowledged_at: presentTime(at) };
      return present(erasureAcknowledgement, done, 'api', 0);
    },
  }),
];
