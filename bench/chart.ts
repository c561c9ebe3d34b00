/** Results as bars, drawn as SVG that reads on light and on dark pages. */

export interface Chart {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** Bars of one group stand side by side; each panel has groups of its own. */
export interface Bar {
  readonly panel: string;
  readonly group: string;
  /** Whose bar it is: one colour in all panels. */
  readonly name: string;
  readonly value: number;
}

const WIDTH = 720;
const MARGIN = 16;
const HEADER = 64;
const BARS = 150;
/** Above the bars the panel's name, below them the groups' and some air. */
const PANEL = { above: 44, below: 44 };
const THICK = 44;
const BETWEEN = 4;

/** Told apart by lightness, too. */
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 15px; }
  .small { font-size: 11px; fill: #59636e; }
  .rule { stroke: #d1d9e0; }
  .series-0 { fill: #0b6e4f; } .series-1 { fill: #9aa7b5; } .series-2 { fill: #c9a227; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .small { fill: #9198a1; }
    .rule { stroke: #3d444d; }
    .series-0 { fill: #3fb68b; } .series-1 { fill: #6a7683; } .series-2 { fill: #d9b84a; }
  }
`;

/** The chart as the text of an SVG file. */
export function drawChart({ title, bars }: Chart): string {
  const names = [...new Set(bars.map(({ name }) => name))];
  const panels = [...Map.groupBy(bars, ({ panel }) => panel)];
  const most = Math.max(...bars.map(({ value }) => value), 1);
  const panelHeight = PANEL.above + BARS + PANEL.below;
  const height = HEADER + panels.length * panelHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style>`,
    text(MARGIN, 26, title, 'title'),
    ...names.flatMap((name, series) => legend(name, series, MARGIN + series * 170)),
    ...panels.flatMap(([name, of], index) =>
      panel(name, of, { names, most, top: HEADER + index * panelHeight }),
    ),
    '</svg>',
    '',
  ].join('\n');
}

function legend(name: string, series: number, x: number): string[] {
  return [
    `<rect class="series-${series}" x="${x}" y="42" width="12" height="12" rx="2"/>`,
    text(x + 18, 53, name),
  ];
}

interface Frame {
  readonly names: readonly string[];
  /** The value of the highest bar of all. */
  readonly most: number;
  readonly top: number;
}

function panel(name: string, bars: readonly Bar[], { names, most, top }: Frame): string[] {
  const floor = top + PANEL.above + BARS;
  const groups = [...Map.groupBy(bars, ({ group }) => group)];
  const room = (WIDTH - 2 * MARGIN) / groups.length;
  const drawn = groups.flatMap(([group, of], index) => {
    const middle = MARGIN + (index + 0.5) * room;
    const left = middle - (of.length * (THICK + BETWEEN) - BETWEEN) / 2;
    const parts = of.flatMap(({ name: series, value }, place) => {
      const x = left + place * (THICK + BETWEEN);
      const high = (value / most) * BARS;
      return [
        `<rect class="series-${names.indexOf(series)}" x="${x.toFixed(1)}" y="${(floor - high).toFixed(1)}" width="${THICK}" height="${high.toFixed(1)}" rx="2"/>`,
        text(x + THICK / 2, floor - high - 4, short(value), 'small', 'middle'),
      ];
    });
    return [...parts, text(middle, floor + 17, group, 'small', 'middle')];
  });
  return [
    text(MARGIN, top + 20, name),
    ...drawn,
    `<path class="rule" d="M${MARGIN} ${floor + 0.5}H${WIDTH - MARGIN}"/>`,
  ];
}

function short(value: number): string {
  return value >= 1000 ? `${(value / 1000).toFixed(1)}k` : value.toFixed(0);
}

function text(x: number, y: number, what: string, style = '', anchor = 'start'): string {
  const kind = style === '' ? '' : ` class="${style}"`;
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${kind} text-anchor="${anchor}">${escaped(what)}</text>`;
}

function escaped(what: string): string {
  return what.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}
