/** Times, phone numbers and amounts as people read them, in their zone. */

import { dayBegan, now } from '../clock.ts';
import { locale } from '../locale.ts';
import { texts } from '../texts.ts';
import { midnight } from './days.ts';

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** `America/Chicago` is "Chicago time". */
export const zoneName = zone.includes('/')
  ? texts.times.zone(zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' '))
  : zone;

const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const dayThisYear = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});
const dayOtherYear = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const longDay = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
const calendarDay = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const relativeDay = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' });

const DAY_MS = 86_400_000;

function daysUntil(time: Date): number {
  return Math.round((midnight(time).getTime() - dayBegan.value) / DAY_MS);
}

/** "today 14:02", "Tue, 18 Nov, 14:02". */
export function timeText(text: string): string {
  const time = new Date(text);
  return `${dayText(time)}, ${clock.format(time)}`;
}

/** Within a sentence: "today at 14:02", "on Tue, Nov 18 at 14:02". */
export function momentText(text: string): string {
  const time = new Date(text);
  const days = daysUntil(time);
  const day = Math.abs(days) <= 1 ? relativeDay.format(days, 'day') : texts.times.on(dayText(time));
  return texts.times.at(day, clock.format(time));
}

/** "Nov 18, 2026, 14:02": on paper, "today" means nothing. */
export function paperTimeText(text: string): string {
  const time = new Date(text);
  return `${dayOtherYear.format(time)}, ${clock.format(time)}`;
}

export function clockText(text: string): string {
  return clock.format(new Date(text));
}

export function dayText(time: Date): string {
  const days = daysUntil(time);
  if (Math.abs(days) <= 1) return capitalised(relativeDay.format(days, 'day'));
  const isThisYear = time.getFullYear() === new Date(dayBegan.value).getFullYear();
  return (isThisYear ? dayThisYear : dayOtherYear).format(time);
}

export function longDayText(time: Date): string {
  return longDay.format(time);
}

export function fullTimeText(text: string): string {
  return full.format(new Date(text));
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

/** `+14155550123` is "(415) 555-0123"; numbers of other countries stay as they are. */
export function phoneText(text: string): string {
  const digits = /^\+?1?(\d{3})(\d{3})(\d{4})$/.exec(text.replace(/[\s().-]/g, ''));
  return digits === null ? text : `(${digits[1]}) ${digits[2]}-${digits[3]}`;
}

/** What calls that number. */
export function phoneLink(number: string): string {
  return `tel:${number.replace(/[^\d+]/g, '')}`;
}

/** A link that opens a message to that address only: as anyone can send us an address, it may contain `?bcc=`. */
export function emailLink(address: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`;
}

/** A number of the US as people type it, in E.164: `(415) 555-0123` is `+14155550123`. Anything else stays as it is. */
export function typedPhone(text: string): string {
  const bare = text.replace(/[\s().-]/g, '');
  const digits = /^(?:\+?1)?([2-9]\d{9})$/.exec(bare);
  return digits === null ? text.trim() : `+1${digits[1]}`;
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

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
