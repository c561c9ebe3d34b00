/** Times and amounts as people read them. Times are by the clock of their home. */

import { page as texts } from 'messages';
import { centsIn } from '../../../src/core/schema/money.ts';
import { dayBeganIn, now } from '../clock.ts';
import { locale } from '../messages.ts';
import { isMixed, usualZone } from '../places/zones.ts';
import { daysBetween, hasZone, knownZone, offsetAt } from './days.ts';

/** What the browser says of where its reader is; some say nothing, or a name that they do not know. */
const saidZone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone;
const isReaderPlaced = saidZone !== undefined && hasZone(saidZone);
export const readersZone = isReaderPlaced ? saidZone : 'UTC';

const ETC = /^Etc\/(?:GMT(?<sign>[+-])(?<hours>[1-9]\d?))?/i;

/**
 * What a zone is called: `America/Chicago` is "Chicago time". `Etc/GMT+5`, which is behind UTC, is "UTC-5". Of a clock
 * that is shown, `clockName` tells.
 */
export function zoneText(zone: string): string {
  const etc = ETC.exec(zone)?.groups;
  if (etc !== undefined)
    return etc.hours === undefined ? 'UTC' : `UTC${etc.sign === '+' ? '-' : '+'}${etc.hours}`;
  return zone.includes('/') ? texts.times.zone(cityOf(zone)) : zone;
}

/** The place that names a zone: "New York", also of `america/new_york`. */
export function cityOf(zone: string): string {
  const city = zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return city === city.toLowerCase()
    ? city.replace(/\b\p{Ll}/gu, (letter) => letter.toUpperCase())
    : city;
}

/** What the clock is called by which times of the zone are shown: UTC where this browser lacks the zone. */
export function clockName(zone: string): string {
  return zoneText(knownZone(zone));
}

/** Whose clock the times of a screen are by. */
export function timesText(): string {
  return isMixed.value ? texts.times.ofHomes : texts.timesIn(clockName(usualZone.value));
}

const FORMS = {
  clock: { hour: 'numeric', minute: '2-digit' },
  dayThisYear: { weekday: 'short', day: 'numeric', month: 'short' },
  dayOtherYear: { day: 'numeric', month: 'short', year: 'numeric' },
  longDay: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  full: { dateStyle: 'full', timeStyle: 'long' },
  zone: { hour: 'numeric', timeZoneName: 'short' },
  year: { year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string, form: keyof typeof FORMS): Intl.DateTimeFormat {
  const name = `${form} ${zone}`;
  let format = formats.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, { ...FORMS[form], timeZone: knownZone(zone) });
    formats.set(name, format);
  }
  return format;
}

const calendarDay = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const relativeDay = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' });

function daysUntil(time: Date, zone: string): number {
  return daysBetween(dayBeganIn(zone), time, zone);
}

/** The clock of the zone. It is named where the reader's shows another time, unless the screen says whose clock it is. */
export function clockText(text: string, zone = usualZone.value, isSaid = false): string {
  const time = new Date(text);
  const shown = formatIn(zone, 'clock').format(time);
  // UTC in place of a clock that the browser lacks is never left unnamed.
  if (isSaid && !isMixed.value && hasZone(zone)) return shown;
  const isReaders = isReaderPlaced && offsetAt(time, zone) === offsetAt(time, readersZone);
  if (isReaders && hasZone(zone)) return shown;
  const parts = formatIn(zone, 'zone').formatToParts(time);
  return `${shown} ${parts.find(({ type }) => type === 'timeZoneName')?.value ?? clockName(zone)}`;
}

/** "today 14:02", "Tue, 18 Nov, 14:02". */
export function timeText(text: string, zone = usualZone.value, isSaid = false): string {
  return `${dayText(new Date(text), zone)}, ${clockText(text, zone, isSaid)}`;
}

/** Within a sentence: "today at 14:02", "on Tue, Nov 18 at 14:02". */
export function momentText(text: string, zone = usualZone.value): string {
  const time = new Date(text);
  const days = daysUntil(time, zone);
  const isNear = Math.abs(days) <= 1;
  const day = isNear ? relativeDay.format(days, 'day') : texts.times.on(dayWithin(time, zone));
  const clock = clockText(text, zone);
  return texts.times.at({ day, clock, hour: Number.parseInt(clock, 10) });
}

/** "Nov 18, 2026, 14:02": on paper, "today" means nothing. */
export function paperTimeText(text: string, zone = usualZone.value): string {
  return `${formatIn(zone, 'dayOtherYear').format(new Date(text))}, ${clockText(text, zone)}`;
}

/** "Nov 18, 2026". */
export function dayOnPaper(text: string, zone = usualZone.value): string {
  return formatIn(zone, 'dayOtherYear').format(new Date(text));
}

export function dayText(time: Date, zone = usualZone.value): string {
  const days = daysUntil(time, zone);
  return capitalised(Math.abs(days) <= 1 ? relativeDay.format(days, 'day') : dayWithin(time, zone));
}

/** Within a sentence, where languages begin the names of days with a small letter. */
function dayWithin(time: Date, zone: string): string {
  const year = formatIn(zone, 'year');
  const isThisYear = year.format(time) === year.format(dayBeganIn(zone));
  return formatIn(zone, isThisYear ? 'dayThisYear' : 'dayOtherYear').format(time);
}

export function longDayText(time: Date, zone = usualZone.value): string {
  return capitalised(formatIn(zone, 'longDay').format(time));
}

export function fullTimeText(text: string, zone = usualZone.value): string {
  return formatIn(zone, 'full').format(new Date(text));
}

/** "3 min. ago", "in 40 min.": as long as it is shown, it stays true. */
export function agoText(text: string): string {
  const seconds = (new Date(text).getTime() - now()) / 1000;
  const away = Math.abs(seconds);
  if (away < 60) return relative.format(Math.round(seconds), 'second');
  if (away < 3600) return relative.format(Math.round(seconds / 60), 'minute');
  if (away < 86_400) return relative.format(Math.round(seconds / 3600), 'hour');
  return relative.format(Math.round(seconds / 86_400), 'day');
}

/** A day of the calendar, which is the same in every zone: `1948-02-29`. */
export function dateText(text: string): string {
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? text : calendarDay.format(day);
}

/** Without the marks that turn the direction of what follows. */
export function unturned(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** The last one that was used: the rows of a table mostly have the same. */
let money: { readonly currency: string; readonly format: Intl.NumberFormat } | undefined;

export function moneyText(cents: number, currency = 'USD'): string {
  try {
    if (money?.currency !== currency) {
      const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
      money = { currency, format };
    }
    return money.format.format(cents / 100);
  } catch {
    return `${cents / 100} ${currency}`;
  }
}

const amount = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
/** The sign before decimals, as the reader's language has it. */
const decimal = amount.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value;

/** An amount as it is typed, without its currency: "1,895.00". */
export function typedAmount(cents: number): string {
  return amount.format(cents / 100);
}

export function centsTyped(text: string): number | undefined {
  return centsIn(text, decimal === ',' ? ',' : '.');
}

/** "$", and "$ US" in French. */
export function currencySign(currency = 'USD'): string {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** "Phone: (217) 555-0134", as the language sets a colon. */
export function labelled(label: string, value = ''): string {
  return texts.labelled({ label, value });
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
