/** Performs the commands of follow-ups. */
import { examples } from '../../support/bodies.ts';
import type { Answer, PerformingGround } from '../../support/performing.ts';
import { until } from '../../support/until.ts';

const CARD = examples.find(({ path }) => path === 'direct_mail_replies');

export async function performs({
  at,
  id,
  json,
  all,
  send,
  location,
  visitor,
}: PerformingGround): Promise<void> {
  const followUp = await id('follow-ups', 'create', '--record', visitor);
  await json('follow-ups', 'list');
  await json('follow-ups', 'counts');
  await json('follow-ups', 'show', followUp);
  await json('follow-ups', 'release', followUp);
  await json('follow-ups', 'claim', followUp);
  await json('follow-ups', 'attempt', followUp, '--channel', 'call', '--outcome', 'no_answer');
  await json('follow-ups', 'schedule', followUp, '--next-at', '2099-01-31T18:00:00Z');
  await json('follow-ups', 'close', followUp, '--outcome', 'done');
  await json('follow-ups', 'reopen', followUp, '--reason', 'the family called');
  const { colleagues } = await json('follow-ups', 'colleagues', '--record', visitor);
  const [colleague] = colleagues as readonly Answer[];
  const owner = colleague?.unique_identifier ?? '';
  await json('follow-ups', 'hand-over', followUp, '--owner', owner);

  await send('/direct_mail_replies/upsert', {
    ...{ ...CARD?.least, location_unique_identifier: location },
    additional_metadata: { 'Home phone': 'x' },
  });
  await until(async () => (await at.ok('follow-ups', 'ticks')).includes('Home phone'));
  const [tick] = await all('follow-ups', 'ticks', '--meaning', 'unsaid');
  await json('follow-ups', 'tick', tick?.unique_identifier ?? '', '--meaning', 'nothing');
}
