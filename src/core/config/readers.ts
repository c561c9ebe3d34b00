/** Readers of settings: each returns the value, or a complaint that completes "X must be …". */
import { readNetwork } from '../network/networks.ts';
import { redact } from '../observe/redact.ts';
import { parseDuration } from './duration.ts';

/** The value of a setting, or a complaint. */
export type SettingValue<Value> = { value: Value } | { complaint: string };

export function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

export function readNetworks(
  text: string,
  which: string,
  everything: string,
): SettingValue<readonly string[]> {
  const networks: string[] = [];
  for (const one of listed(text)) {
    const found = readNetwork(one);
    const wrong =
      'complaint' in found
        ? found.complaint
        : found.network.endsWith('/0')
          ? everything
          : undefined;
    if (wrong !== undefined)
      return {
        complaint: `must be addresses or networks ${which}, and ${quote(one)} ${wrong}`,
      };
    if ('network' in found) networks.push(found.network);
  }
  return { value: networks };
}

export function readPath(text: string): { value: string | undefined } {
  return { value: text === '' ? undefined : text };
}

export function readTime(text: string, least: number, word: string): SettingValue<number> {
  const value = parseDuration(text);
  return value !== undefined && value >= least
    ? { value }
    : { complaint: `must be a duration such as 10s, 5m or 7d, at least ${word}` };
}

export function readTruth(text: string, yes = 'true', no = 'false'): SettingValue<boolean> {
  return text === yes || text === no
    ? { value: text === yes }
    : { complaint: `must be ${yes} or ${no}` };
}

export function readHost(text: string): SettingValue<string> {
  return /^[\w.:-]+$/.test(text)
    ? { value: text }
    : { complaint: 'must be an address or a host name' };
}

export function readPort(text: string): SettingValue<number> {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? { value: Number(text) }
    : { complaint: 'must be a whole number from 0 to 65535' };
}

/** A value in a complaint: in one line, and without its password. */
export function quote(text: string): string {
  return JSON.stringify(redact(text));
}

export function readCount(text: string, least: number, most: number): SettingValue<number> {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most
    ? { value }
    : { complaint: `must be a whole number from ${least} to ${most}` };
}

export function readDistribution(text: string): SettingValue<'citus' | undefined> {
  return text === '' || text === 'citus'
    ? { value: text === '' ? undefined : text }
    : { complaint: 'must be citus, or not set' };
}

/** Where servers of a cluster are reached. */
export function readNodes(text: string): SettingValue<readonly string[]> {
  const wrong = listed(text).find((one) => !/^[^=\s]+:\d+=[^=\s]+:\d+$/.test(one));
  return wrong === undefined
    ? { value: listed(text) }
    : { complaint: `must be name:port=address:port, and ${quote(wrong)} is not` };
}
