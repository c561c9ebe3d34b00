/**
 * Draws the cards of the sample's mail replies: `sh bin/run scripts/sample-cards.ts`.
 * The pictures are kept beside the code, as drawing them takes a browser.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as launcher } from 'playwright-core';
import { cardsFolder } from '../src/services/sample/records.ts';

interface Card {
  /** The name of its pictures: `<card>-front.jpg`, and `<card>-back.jpg` where it has one. */
  readonly card: string;
  readonly back: boolean;
  readonly name: string;
  readonly street: string;
  readonly place: string;
  readonly phone: string;
  readonly note: string;
  /** Which of the boxes are ticked. */
  readonly wants: readonly number[];
}

/** What can be ticked on a card. */
const boxes = [
  'Please send me a planning guide',
  'I would like to know what it costs',
  'Please call me',
  'Benefits for veterans',
];

/** The texts on the cards, as they were written. No real person is meant. */
const cards: readonly Card[] = [
  {
    card: 'ellison',
    back: true,
    name: 'Ruth Ellison',
    street: '418 Orchard Lane',
    place: 'Springfield IL 62704',
    phone: '217 555 0142',
    note: 'Please call after 4, I am at my daughter’s in the mornings. Thank you.',
    wants: [0, 2],
  },
  {
    card: 'whitcomb',
    back: false,
    name: 'Harold Whitcomb',
    street: '77 Mill Road, Apt 3',
    place: 'Chatham IL 62629',
    phone: '(217) 555-0178',
    note: 'Interested in costs for cremation.',
    wants: [1],
  },
  {
    card: 'delgado',
    back: true,
    name: 'Maria Delgado',
    street: '1203 E. Cedar St.',
    place: 'Decatur IL 62521',
    phone: '217.555.0117',
    note: 'My husband is a veteran, what are we entitled to? Se habla español?',
    wants: [0, 1, 3],
  },
  {
    card: 'novak',
    back: false,
    name: 'Eleanor & Frank Novak',
    street: 'R.R. 2, Box 41',
    place: 'Rochester, Ill.',
    phone: '555-0163',
    note: 'For both of us please.',
    wants: [0, 2, 3],
  },
  {
    card: 'smudged',
    back: false,
    name: 'J. Ab…',
    street: '',
    place: 'Springfield',
    phone: '217 555 01',
    note: '',
    wants: [2],
  },
];

const WIDTH = 1000;
const HEIGHT = 640;
const inks = ['#1d3c78', '#22304a', '#16325c', '#3a3f46', '#26456b'];

const style = `
  * { box-sizing: border-box; margin: 0 }
  body { width: ${WIDTH}px; height: ${HEIGHT}px; background: #8b8378; display: grid; place-items: center; overflow: hidden }
  .card { position: relative; width: 940px; height: 590px; background: linear-gradient(100deg, #fbf8f0, #f4efe2 60%, #f8f3e8);
    padding: 38px 48px; font: 17px 'DejaVu Serif', serif; color: #4d463b; box-shadow: 0 2px 14px #0006 }
  h1 { font-size: 27px; font-weight: 400; letter-spacing: .5px; color: #5b5140 } h2 { font-size: 15px; font-weight: 400; margin: 8px 0 22px }
  .line { display: flex; align-items: end; gap: 10px; height: 52px; font-size: 13px; letter-spacing: 1px }
  .line b { flex: 1; border-bottom: 1px solid #a99f8b; height: 40px; font-weight: 400 }
  .box { display: flex; gap: 12px; align-items: center; height: 34px } i.square { position: relative; width: 18px; height: 18px; border: 1.5px solid #7d745f; display: inline-block }
  .ink { font: italic 27px 'DejaVu Serif', serif; letter-spacing: .5px; white-space: pre-wrap } .ink span { display: inline-block }
  svg { position: absolute; left: -6px; top: -11px; overflow: visible } .smudge { position: absolute; border-radius: 50%; filter: blur(14px) }
  .stamp { position: absolute; right: 48px; top: 40px; width: 92px; height: 112px; border: 2px dashed #b3a88f; display: grid; place-items: center; font-size: 12px; text-align: center }`;

const browser = await launcher.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  for (const [index, reply] of cards.entries()) {
    for (const side of reply.back ? (['front', 'back'] as const) : (['front'] as const)) {
      const ink = handwriting(index * 7 + 3, inks[index % inks.length] ?? '');
      const body = side === 'front' ? front(reply, ink) : back(reply, ink);
      const tilt = ((index % 3) - 1) * 0.9;
      const smudges =
        reply.card === 'smudged'
          ? '<p class="smudge" style="left:250px;top:130px;width:420px;height:90px;background:#7c8799cc"></p><p class="smudge" style="left:120px;top:250px;width:560px;height:110px;background:#8d94a0bb"></p>'
          : '';
      await page.setContent(
        `<style>${style}</style><main class="card" style="transform: rotate(${tilt}deg)">${body}${smudges}</main>`,
      );
      const picture = await page.screenshot({ type: 'jpeg', quality: 62 });
      writeFileSync(join(cardsFolder, `${reply.card}-${side}.jpg`), picture);
    }
  }
} finally {
  await browser.close();
}

function front({ name, street, place, phone, wants }: Card, ink: (text: string) => string): string {
  const line = (label: string, text: string) => `<p class="line">${label}<b>${ink(text)}</b></p>`;
  const tick =
    '<svg width="30" height="30"><path d="M4 16 q5 4 7 9 q4 -14 18 -22" fill="none" stroke="#1d3c78" stroke-width="3"/></svg>';
  return `<h1>Planning ahead is a gift to those you love.</h1><h2>Tell us how we may help. There is no obligation.</h2>
    ${line('NAME', name)}${line('STREET', street)}${line('CITY, STATE', place)}${line('PHONE', phone)}<p style="height:26px"></p>
    ${boxes.map((text, at) => `<p class="box"><i class="square">${wants.includes(at) ? tick : ''}</i>${text}</p>`).join('')}`;
}

function back({ note }: Card, ink: (text: string) => string): string {
  return `<p class="stamp">NO POSTAGE<br>NECESSARY</p><h2>Anything else you would like us to know?</h2><p style="margin-top:96px; max-width:660px; line-height:2">${ink(note)}</p>`;
}

/** Each letter stands a little otherwise. */
function handwriting(seed: number, colour: string): (text: string) => string {
  let state = seed;
  const wobble = () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647 - 0.5) * 2;
  };
  const letter = (one: string) =>
    `<span style="transform: translateY(${(wobble() * 2).toFixed(1)}px) rotate(${(wobble() * 5).toFixed(1)}deg) scale(${(1 + wobble() * 0.06).toFixed(2)})">${one === '&' ? '&amp;' : one}</span>`;
  return (text) =>
    `<em class="ink" style="color:${colour}">${text
      .split(' ')
      .map((word) => `<span>${[...word].map(letter).join('')}</span>`)
      .join(' ')}</em>`;
}
