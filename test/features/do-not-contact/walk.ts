/** The register as it is seen in the console: who is in it, how somebody and a list are entered, and the page of a record. */
import type { MakeWalks } from '../../support/console-walk.ts';
import { visitorBody } from '../../support/sent.ts';

const VISITS = 'event_check_in_records';

export const walks: MakeWalks = async ({ service, made, officer }) => {
  const sent = visitorBody(made.event, 'asked', { visitor_phone_number: '+14155550177' });
  const { unique_identifier: record } = (await service.json(`/v1/${VISITS}/upsert`, sent)).body;
  await officer.post('/v1/do_not_contact', { record, reason: 'Case 7' });
  return [
    { screen: 'do-not-contact', ready: 'Case 7' },
    { screen: 'do-not-contact', at: `?record=${record}&add=`, ready: 'doNotContact.addOfHint' },
    { screen: 'do-not-contact', at: '?q=4155550177', ready: 'doNotContact.asked' },
    { screen: VISITS, at: `/${record}`, ready: 'doNotContact.panelHint' },
  ];
};
