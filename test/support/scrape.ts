/** Scrapes metrics as Prometheus does, and reads its text format strictly: what Prometheus would refuse throws. */
import assert from 'node:assert/strict';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples of one metric. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

export interface Scrape {
  readonly text: string;
  readonly families: ReadonlyMap<string, Family>;
  /** The value of the one series with that name and these labels, in any order; `undefined` where there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
  samples(name: string): readonly Sample[];
}

export async function scrape(address: string): Promise<Scrape> {
  const answer = await fetch(address);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const families = readFamilies(text);
  const samples = (name: string): readonly Sample[] =>
    [...families.values()].flatMap((family) => family.samples.filter((one) => one.name === name));
  return {
    text,
    families,
    samples,
    value: (name, labels = {}) => samples(name).find((one) => same(one.labels, labels))?.value,
  };
}

/** Requests by `resource outcome status`, of those that there were any of. */
export function countsOf(scraped: Scrape): Record<string, number> {
  return Object.fromEntries(
    scraped
      .samples('ledgerstone_requests_total')
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => [`${labels.resource} ${labels.outcome} ${labels.status}`, value]),
  );
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\[\\\\n"])*)"';
const LINE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`);

function readFamilies(text: string): ReadonlyMap<string, Family> {
  assert.ok(text.endsWith('\n'), 'the last line has no end');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current: { name: string; help: string; type: string; samples: Sample[] } | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, word, named = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (word === 'HELP') {
      assert.ok(!families.has(named), `${named} stands there twice`);
      current = { name: named, help: rest, type: '', samples: [] };
      families.set(named, current);
    } else if (word === 'TYPE') {
      assert.ok(current?.name === named && current.type === '', line);
      assert.match(rest, /^(?:counter|gauge|histogram|summary)$/);
      current.type = rest;
    } else {
      const [, name = '', labels = ''] = LINE.exec(line) ?? assert.fail(line);
      const value = readValue(line.slice(line.lastIndexOf(' ') + 1));
      assert.ok(value !== undefined, line);
      assert.ok(current !== undefined && current.type !== '', line);
      const suffix = name.slice(current.name.length);
      assert.ok(
        name.startsWith(current.name) && suffixes(current.type).includes(suffix),
        `${line} stands below ${current.name}`,
      );
      const sample = { name, labels: readLabels(labels), value };
      const series = line.slice(0, line.lastIndexOf(' '));
      assert.ok(!seen.has(series), `${series} stands there twice`);
      seen.add(series);
      current.samples.push(sample);
    }
  }
  return families;
}

/** As Prometheus reads them, by the rules of Go. */
function readValue(text: string): number | undefined {
  if (/^nan$/i.test(text)) return Number.NaN;
  const value = Number(text.replace(/^([+-])Inf$/, '$1Infinity'));
  return text === '' || Number.isNaN(value) ? undefined : value;
}

function suffixes(type: string): readonly string[] {
  if (type === 'histogram') return ['_bucket', '_sum', '_count'];
  return type === 'summary' ? ['', '_sum', '_count'] : [''];
}

function readLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(new RegExp(LABEL, 'g')), ([, name = '', value = '']) => [name, value]),
  );
}

function same(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}
