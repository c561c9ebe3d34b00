/** Expectations of follow-ups that tests of the whole service check. */
import type { Expected } from '../../support/expected.ts';

export const expected: Expected = {
  rights: { follow_up: ['editor', 'administrator'] },
  limitedRights: ['follow_up'],
  answers: { list_follow_ups: 'leaves out other locations and resources' },
  // How far the log was read moves first, so that one process opens what a change asks for; then one follow-up, or
  // those of a removed record, and whom nobody is to contact.
  locks: { follow_up: ['follow_up_reader', 'follow_up', 'do_not_contact'] },
  calls: ({ visitor, does }) => {
    const begun = async (): Promise<string> =>
      (await does('POST', '/v1/follow_ups', { record: (await visitor()).id })).unique_identifier;
    const acts = {
      ...{ claim: {}, release: {}, close: { outcome: 'done' } },
      ...{ attempt: { channel: 'call', outcome: 'reached' } },
      ...{ schedule: { next_at: '2100-01-01T00:00:00Z' }, reopen: { reason: 'again' } },
    };
    return {
      'GET /v1/follow_ups': async () => [{}],
      'GET /v1/follow_ups/:unique_identifier': async () => [{ id: await begun() }],
      'POST /v1/follow_ups': async () => [{ body: { record: (await visitor()).id } }],
      ...Object.fromEntries(
        Object.entries(acts).map(([verb, body]) => [
          `POST /v1/follow_ups/:unique_identifier/${verb}`,
          async () => {
            const id = await begun();
            if (verb === 'reopen')
              await does('POST', `/v1/follow_ups/${id}/close`, { outcome: 'done' });
            return [{ id, body }];
          },
        ]),
      ),
    };
  },
};
