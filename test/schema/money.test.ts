/** What people write for an amount is never off by a hundred: it is one amount, or none. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { resources } from '../../src/core/resources/index.ts';
import { choice, object } from '../../src/core/schema/fields/index.ts';
import { optional } from '../../src/core/schema/fields/kind.ts';
import { money } from '../../src/core/schema/fields/kinds/money.ts';
import { amountText, centsIn } from '../../src/core/schema/money.ts';
import { moneyIn } from '../../src/core/schema/row.ts';
import { targetNamed } from '../../src/features/imports/serves/amounts.ts';
import {
  fieldCalled,
  fieldNames,
  labelOf,
} from '../../src/features/imports/serves/table/headings.ts';

describe('an amount', () => {
  it('is read as people write it', () => {
    for (const [text, cents] of [
      ['2100', 210_000],
      ['2,100', 210_000],
      ['$2,100.00', 210_000],
      ['US$ 2,100.5', 210_050],
      ['2100.00 USD', 210_000],
      ['1,234,567.89', 123_456_789],
      ['1.234.567,89', 123_456_789],
      ['1.234.567', 123_456_700],
      ['2 100,00 $', 210_000],
      ['2 100,00 $ US', 210_000],
      ['0', 0],
      ['0.07', 7],
      [' 5 ', 500],
    ] as const)
      assert.equal(centsIn(text), cents, text);
    assert.equal(centsIn('2.100', ','), 210_000);
    assert.equal(centsIn('2100,5', ','), 210_050);
  });

  it('is none where it could be two, or is something else', () => {
    for (const text of [
      '2.100',
      '2,10,0',
      '2,1000',
      '-5',
      '(5)',
      '€5',
      '5%',
      'five',
      '',
      '.',
      '1e3',
      '5.',
      '2.100,00.1',
      '1,234.5678',
    ])
      assert.equal(centsIn(text), undefined, text);
    assert.equal(centsIn('2,100', ','), undefined);
  });

  it('comes back from every way to write it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (cents) => {
        assert.equal(centsIn(amountText(cents)), cents);
        if (cents > 2 ** 50) return;
        for (const locale of ['en-US', 'es-US', 'es-ES', 'fr-CA', 'fr-FR']) {
          const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
          const sign = format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value;
          const parts = format.formatToParts(cents / 100);
          const text = parts.map(({ value }) => value).join('');
          assert.equal(centsIn(text, sign === ',' ? ',' : '.'), cents, text);
        }
      }),
    );
  });
});

describe('a column of an amount', () => {
  it('is in the unit that its name says, for every field that is money', () => {
    const all = resources.flatMap((one) => moneyIn(one).map((name) => [one, name] as const));
    assert.ok(all.length > 0);
    for (const [resource, name] of all) {
      const amount = name.replace(/_in_cents$/, '');
      const label = resource.display.labels.get(name) ?? '';
      for (const heading of [name, `${label} (in cents)`, `${label} in cents`, `${label} (cents)`])
        assert.equal(fieldCalled(resource, heading), name, heading);
      for (const heading of [
        amount,
        label,
        `${label} ($)`,
        `${label} (in dollars)`,
        `${label} (USD)`,
      ])
        assert.equal(fieldCalled(resource, heading), amount, heading);
      // A list that version 1.0.0 saved has cents, without saying so.
      const first = [label, 'Unique identifier', 'Created', 'Changed'];
      assert.equal(fieldCalled(resource, label, first), name);
      assert.equal(targetNamed(resource, amount)?.name, name);
      assert.deepEqual(
        fieldNames(resource).filter((one) => one.startsWith(amount)),
        [amount, name],
      );
      assert.notEqual(labelOf(resource, amount), labelOf(resource, name));
    }
  });

  it('is declared with its currency beside it, and with the end of its name', () => {
    const usd = optional(choice('USD'), 'Currency');
    const fee = optional(money({ currency: 'currency' }), 'Fee');
    assert.throws(() => object({ fee_in_cents: fee }), /is money/);
    assert.throws(() => object({ fee, currency: usd }), /is money/);
    const { needs } = object({ fee_in_cents: fee, currency: usd }).shape('at') as {
      needs?: readonly unknown[];
    };
    assert.deepEqual(needs, [
      { whenever: 'fee_in_cents', needed: 'currency', param: 'at.currency' },
    ]);
  });
});
