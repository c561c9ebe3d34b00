/** Expectations of follow-ups that tests of the whole service check. */
import type { Expected } from '../../support/expected.ts';

export const expected: Expected = {
  lists: { list_follow_ups: 'walked with the most attempts, in test/api/own-pages.test.ts' },
  rights: { follow_up: ['editor', 'administrator'] },
  limitedRights: ['follow_up'],
  alike: { es: ['followUp.outcomes.no'] },
  answers: {
    list_follow_ups: 'leaves out other locations and resources',
    count_follow_ups: 'leaves out other locations and resources',
    get_follow_up_colleagues: 'of a record that it sees alone',
  },
  // How far the log was read moves first, so that one process opens what a change asks for; then one follow-up, or
  // those of a removed record.
  locks: { follow_up: ['follow_up_reader', 'follow_up'] },
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
      'GET /v1/follow_ups/counts': async () => [{}],
      'GET /v1/follow_ups/colleagues': async () => [{ query: `?record=${(await visitor()).id}` }],
      'POST /v1/follow_ups/:unique_identifier/hand_over': async () => {
        const id = await begun();
        const { record } = await does('GET', `/v1/follow_ups/${id}`);
        const { colleagues } = await does('GET', `/v1/follow_ups/colleagues?record=${record}`);
        return [{ id, body: { owner: colleagues[0].unique_identifier } }];
      },
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
