/** The alert rules and the dashboard ask for exactly what a real scrape shows. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { type CountedService, startCounted } from '../support/counted-service.ts';
import type { Scrape } from '../support/scrape.ts';
import { keyed } from '../support/secret-key.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly description?: string;
    readonly type: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
  readonly annotations: { readonly list: readonly { readonly expr?: string }[] };
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly definition?: string }[];
  };
}

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../docs', path), 'utf8');
const rules: readonly Rule[] = (
  parse(read('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const dashboard: Dashboard = JSON.parse(read('grafana/ledgerstone.json'));
const targets = dashboard.panels.flatMap(({ targets = [] }) => targets);
const asked = [
  ...targets.map(({ expr }) => expr),
  ...dashboard.annotations.list.flatMap(({ expr }) => expr ?? []),
  ...dashboard.templating.list.flatMap(({ definition }) => definition ?? []),
];

/** Figures of stores of another kind, with their labels. */
const OF_POSTGRES = new Map([['ledgerstone_tables_refusing', ['table']]]);

/** Labels that Prometheus adds to everything it scrapes. */
const OF_PROMETHEUS = new Set(['job', 'instance']);

const settings = keyed();
const moments = mkdtempSync(join(tmpdir(), 'moments-'));
let receiver: Receiver;
let service: CountedService;
let scraped: Scrape;
before(async () => {
  receiver = await startReceiver();
  service = await startCounted({ ...settings, backup_to: moments });
  const location = await service.location();
  const { secret: key } = await service.newKey({ allow: ['webhooks'] });
  await service.json('/v1/webhook_endpoints', { url: receiver.url }, { key });
  await service.event(location);
  await service.json('/v1/events/upsert_many', [{}]);
  await service.get('/v1/locations');
  await receiver.count(1);
  await until(async () => {
    scraped = await service.scrape();
    return scraped.samples('ledgerstone_webhook_tries_total').length > 0;
  });
});
after(async () => {
  await service?.stop();
  rmSync(moments, { recursive: true, force: true });
});

/** What is wrong with what an expression asks for. */
function faultsOf(expression: string): string[] {
  return selectorsOf(expression).flatMap(({ metric, labels }) => {
    const samples = scraped.samples(metric);
    const family = [...scraped.families.keys()].find((name) => metric.startsWith(name));
    // The time of garbage collection has no samples before there was any.
    if (metric.startsWith('nodejs_gc_') && family !== undefined) return [];
    if (OF_POSTGRES.has(metric) && family === metric) return [];
    if (samples.length === 0) return [`there is no ${metric}`];
    return labels
      .filter(({ name }) => !OF_PROMETHEUS.has(name))
      .flatMap(({ name, equals }) => {
        const values = new Set(samples.map((sample) => sample.labels[name]));
        if (values.has(undefined)) return [`${metric} has no label ${name}`];
        return equals === undefined || values.has(equals)
          ? []
          : [`${metric} has no ${name}="${equals}"`];
      });
  });
}

/** The metrics of ours that expressions ask for, without the endings of histograms. */
function oursIn(expressions: readonly string[]): Set<string> {
  return new Set(
    expressions
      .flatMap(selectorsOf)
      .map(({ metric }) => metric.replace(/_(?:bucket|sum|count)$/, ''))
      .filter((name) => name.startsWith('ledgerstone_')),
  );
}

const groupingFaultsOf = (expression: string): string[] => {
  const known = new Set(
    selectorsOf(expression).flatMap(({ metric }) => [
      ...(OF_POSTGRES.get(metric) ?? []),
      ...scraped.samples(metric).flatMap(({ labels }) => Object.keys(labels)),
    ]),
  );
  const isOfNode = expression.includes('nodejs_gc_');
  return groupingsOf(expression).filter(
    (name) => !isOfNode && !known.has(name) && !OF_PROMETHEUS.has(name),
  );
};

describe('docs/prometheus/alerts.yml', () => {
  it('has rules that say what is wrong and what to do', () => {
    assert.ok(rules.length > 5);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const { alert, labels, annotations } of rules) {
      assert.match(alert, /^Ledgerstone[A-Z]/);
      assert.match(labels.severity, /^(?:critical|warning|info)$/);
      assert.match(annotations.summary, /\.$/, alert);
      assert.match(annotations.description, /\.$/, alert);
    }
  });

  it('asks only for metrics, labels and values that there are', () => {
    for (const { alert, expr } of rules) {
      assert.deepEqual([...faultsOf(expr), ...groupingFaultsOf(expr)], [], alert);
      assert.ok(selectorsOf(expr).length > 0 || expr.startsWith('up{'), alert);
    }
  });
});

describe('docs/grafana/ledgerstone.json', () => {
  it('has panels that say what they show', () => {
    const shown = dashboard.panels.filter(({ type }) => type !== 'row');
    assert.ok(shown.length > 10);
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
    for (const { title, description, targets: own = [] } of shown)
      assert.ok(description !== undefined && own.length > 0, title);
  });

  it('asks only for metrics, labels and values that there are', () => {
    for (const expression of asked)
      assert.deepEqual([...faultsOf(expression), ...groupingFaultsOf(expression)], [], expression);
  });

  it('names its lines by labels that they keep', () => {
    for (const { expr, legendFormat } of targets) {
      const kept = new Set(groupingsOf(expr));
      const named = Array.from(legendFormat.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name);
      // What is not grouped keeps all its labels.
      if (kept.size > 0) for (const name of named) assert.ok(kept.has(name), `${expr}: ${name}`);
    }
  });

  it('shows every metric of ours', () => {
    const ours = [...scraped.families.keys()].filter((name) => name.startsWith('ledgerstone_'));
    assert.deepEqual(oursIn(asked), oursIn(ours));
  });
});

it('docs/metrics.md explains every metric of ours, and no other', () => {
  const ours = [...scraped.families.keys()].filter((name) => name.startsWith('ledgerstone_'));
  assert.deepEqual(oursIn([read('metrics.md')]), oursIn(ours));
});

/** The selectors of the metrics that a service has: ours, and those of the process and of Node. */
function selectorsOf(expression: string) {
  const found = expression.matchAll(
    /\b((?:ledgerstone|process|nodejs)_[a-z0-9_]+)\b(?:\{([^{}]*)\})?/g,
  );
  return Array.from(found, ([, metric = '', matchers = '']) => ({
    metric,
    labels: Array.from(
      matchers.matchAll(/([a-z_]+)(=~|!=|!~|=)"([^"]*)"/g),
      ([, name = '', operator, value]) => ({ name, equals: operator === '=' ? value : undefined }),
    ),
  }));
}

/** The labels that an expression groups by. */
function groupingsOf(expression: string): readonly string[] {
  return Array.from(expression.matchAll(/\bby \(([^)]*)\)/g), ([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  ).flat();
}
