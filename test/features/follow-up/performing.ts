/** Performs the commands of follow-ups. */
import type { Answer, PerformingGround } from '../../support/performing.ts';

export async function performs({ id, json, visitor }: PerformingGround): Promise<void> {
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
}
