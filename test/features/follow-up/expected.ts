/** Expectations of follow-ups that tests of the whole service check. */
import { examples } from '../../support/bodies.ts';
import type { Expected } from '../../support/expected.ts';
import { AT, of, wide } from '../../support/largest.ts';
import { until } from '../../support/until.ts';

const CARD = examples.find(({ path }) => path === 'direct_mail_replies');

export const expected: Expected = {
  lists: {
    list_follow_ups: 'walked with the most attempts, in test/api/own-pages.test.ts',
    list_ticks: {
      ...{ table: 'tick', count: 1_100 },
      entry: {
        ...{ name: wide(500), record: of('dmr_'), last_at: AT, inserted_at: AT },
        ...{ meaning: 'nothing', said_by: of('stf_'), said_at: AT, cards: 1, counted: 1 },
      },
    },
  },
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
  locks: { follow_up: ['follow_up_reader', 'follow_up', 'tick'] },
  calls: ({ visitor, does }) => {
    const begun = async (): Promise<string> =>
      (await does('POST', '/v1/follow_ups', { record: (await visitor()).id })).unique_identifier;
    const ticked = async (): Promise<string> => {
      await does('GET', '/v1/follow_ups');
      const [home] = (await does('GET', '/v1/locations?limit=1')).data;
      await does('POST', '/v1/direct_mail_replies/upsert', {
        ...{ ...CARD?.least, location_unique_identifier: home.unique_identifier },
        additional_metadata: { 'Home phone': 'x' },
      });
      const found = async () => (await does('GET', '/v1/ticks')).data;
      await until(async () => (await found()).length > 0);
      return (await found())[0].unique_identifier;
    };
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
      'GET /v1/ticks': async () => [{}],
      'PATCH /v1/ticks/:unique_identifier': async () => [
        { id: await ticked(), body: { meaning: 'nothing' } },
      ],
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
