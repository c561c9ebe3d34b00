/** Texts about retention rules: what goes by itself when it is old enough. */
import { plural } from '../../texts.ts';

export const says = {
  about: 'Records that go by themselves when they are old enough.',
  none: 'Nothing goes by itself',
  noneHint:
    'A rule removes records of one kind when they are old enough, such as visitors three years after the service. It removes nothing until you have looked at what would go, and enabled it.',
  make: 'Make a rule',
  rule: 'Rule',
  lastRun: 'Last run',
  statuses: {
    paused: 'Paused',
    enabled: 'Enabled',
    stopped: 'Stopped',
    running: 'Running',
    done: 'Done',
  } as Readonly<Record<string, string>>,
  stopped: {
    twice_the_preview:
      'The service has stopped this rule, and removed nothing: more than twice as many records would have gone as were expected. Look at what would go now, and enable it again if that is right.',
    clock:
      'The service has stopped this rule: more than 31 days have passed since what was expected was counted, or the clock was changed. Look at what would go now, and enable it again.',
  } as Readonly<Record<string, string>>,

  /** "Remove visitors 3 years after the service". */
  sentence: (what: string, after: string, since: string): string =>
    `Remove ${what} ${after} after ${since}`,
  at: (where: string): string => `at ${where}`,
  unless: (what: string): string => `unless ${what}`,
  unlessOther: 'with exceptions',
  /** By the filter that finds them. */
  exceptions: {
    visitor_interested_in_pre_planning: 'they asked about pre-planning',
    person_interested_in_pre_planning: 'they asked about pre-planning',
    'additional_cart_metadata[is_abandoned_cart]': 'they were abandoned',
    incomplete: 'they are still to be read',
    proposed: 'a source disagrees with a correction',
  } as Readonly<Record<string, string>>,
  exception: (label: string): string => `“${label}” is yes`,
  years: (count: number): string => plural(count, 'year', 'years'),
  days: (count: number): string => plural(count, 'day', 'days'),
  sinces: {
    event_datetime: 'the service',
    inserted_at: 'they arrived',
    updated_at: 'their last change',
  } as Readonly<Record<string, string>>,

  form: {
    title: 'Make a rule',
    change: 'Change the rule',
    account: 'Account',
    what: 'Remove',
    after: 'When they are this old',
    unit: 'Years or days',
    units: { years: 'years', days: 'days' },
    since: 'Counted from',
    where: 'Where',
    everywhere: 'All locations',
    unless: 'Unless',
    noException: 'No exception',
    least: 'Keep them at least, in days',
    leastHint:
      'Nobody can remove them before that, and no erasure either, also while the rule is paused. Leave it empty if no law asks for it.',
    basis: 'Why',
    basisHint: 'The law, the contract or the policy, without names. It is stored with the rule.',
    basisPlaceholder: 'Such as “Privacy policy, section 4”',
    submit: 'Make the rule',
    noAge: 'Say how old they are when they go.',
    next: 'Nothing is removed yet: you look at what would go first.',
    paused: 'The rule is paused then, until you have looked at what would go.',
  },

  preview: {
    title: 'What would go',
    none: 'Look at what the rule would remove before you enable it. Nothing is removed by looking.',
    look: 'Look at what would go',
    again: 'Look again',
    counting: 'Counting. You may leave this page.',
    before: 'Counted before the last run.',
    old: 'This is more than a day old: look again before you enable the rule.',
    goes: 'go',
    held: 'are held',
    spared: 'are spared',
    hints: {
      goes: 'older than the rule says',
      held: 'a hold, a law, or something that belongs to them keeps them',
      spared: 'the exception keeps them',
    },
    below: (what: string): string => `With them go ${what}.`,
    soon: (count: string): string => `${count} more become old enough within a month.`,
    nothing: 'Nothing is old enough yet.',
    byYear: 'By year',
    byLocation: 'By location',
    others: 'Other locations',
    bar: (label: string, goes: string, held: string, spared: string): string =>
      `${label}: ${goes} go, ${held} are held, ${spared} are spared`,
  },

  enable: 'Enable',
  enableFirst: 'Look at what would go first.',
  enableSure: 'Enable this rule?',
  enableHint: (count: string): string =>
    `Within a minute it removes ${count} records, with all their history and for good, and from then on each day what has become old enough. Systems that follow changes are notified. Nothing here brings them back.`,
  word: 'REMOVE',
  typeWord: (word: string): string => `Type ${word} to confirm`,
  enabled: 'Enabled. It runs within a minute.',
  pause: 'Pause',
  paused: 'Paused. Nothing more is removed.',
  change: 'Change',
  changed: 'Changed. It is paused until you enable it again.',
  remove: 'Delete',
  removeSure: 'Delete this rule?',
  removeHint:
    'Nothing more goes by it, and the reports of its runs go. What it removed stays removed.',
  removed: 'Deleted.',
  lift: 'Let what it removed be sent again',
  liftSure: 'Let what this rule removed be sent again?',
  liftHint:
    'After a mistake: what it removed is no longer refused. It comes back only if the systems that have it send it again.',
  lifted: (count: number): string => `${plural(count, 'record', 'records')} can be sent again.`,
  because: 'Why',
  least: (days: string): string => `Nobody can remove them in the first ${days}.`,

  runs: {
    title: 'Runs',
    none: 'It has not run yet.',
    when: 'Began',
    status: 'Result',
    removed: 'Removed',
    held: 'Held',
    spared: 'Spared',
    took: 'Took',
    seconds: (count: number): string => `${count} s`,
    more: 'Older runs',
    removedThen: 'removed',
    stopped: {
      twice_the_preview: 'It found more than twice what was expected',
      clock: 'The clock had moved too far',
      paused: 'The rule was paused or changed',
    } as Readonly<Record<string, string>>,
  },
} as const;
