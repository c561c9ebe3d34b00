/** Expectations of the register of whom nobody is to contact that tests of the whole service check. */
import type { Expected } from '../../support/expected.ts';
import { AT, of, wide } from '../../support/largest.ts';

export const expected: Expected = {
  lists: {
    list_do_not_contact: {
      ...{ table: 'no_contact', count: 1_100 },
      entry: {
        ...{ kind: 'unknown', reason: wide(1_000), lifted_because: wide(1_000) },
        ...{ source: 'list', said_by: of('key_'), inserted_at: AT },
      },
    },
  },
  rights: { do_not_contact: ['editor', 'administrator'] },
  limitedRights: ['do_not_contact'],
  answers: {
    list_do_not_contact: 'answers of one person that the caller names',
    get_do_not_contact: 'shows what was said of one, by an identifier that the caller was told',
    create_do_not_contact: 'enters what the caller names',
    add_do_not_contact_list: 'enters what the caller names',
    lift_do_not_contact: 'lifts what the caller can name',
  },
  // Written under the account, whose row is locked; what version 1.0 has left goes with what is lifted.
  locks: { no_contact: ['no_contact', 'do_not_contact'] },
  calls: ({ does }) => {
    let last = 1_000_000;
    const number = () => {
      last += 1;
      return `+1415${last}`;
    };
    const entered = async (): Promise<string> =>
      (await does('POST', '/v1/do_not_contact', { phone_number: number() })).unique_identifier;
    return {
      'GET /v1/do_not_contact': async () => [{}],
      'GET /v1/do_not_contact/:unique_identifier': async () => [{ id: await entered() }],
      'POST /v1/do_not_contact': async () => [{ body: { phone_number: number() } }],
      'POST /v1/do_not_contact/add_many': async () => [
        { body: { entries: [{ phone_number: number() }] } },
      ],
      'POST /v1/do_not_contact/:unique_identifier/lift': async () => [
        { id: await entered(), body: { reason: 'They asked us to call' } },
      ],
    };
  },
};
