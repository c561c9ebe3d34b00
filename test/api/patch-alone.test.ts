/** A PATCH is judged with what is stored: each member of each resource can be changed, or emptied, by itself. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../../src/core/resources/index.ts';
import type { Field } from '../../src/core/schema/fields/kind.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import type { Json } from '../../src/core/schema/values.ts';
import { examples, formOf } from '../support/bodies.ts';
import type { Answer, Body } from '../support/service.ts';
import { outcomeOf, refused, world } from '../support/world.ts';

const stage = world();

interface Member {
  readonly param: string;
  readonly field: Field;
  /** What may not be without it, as the declaration of the object says. */
  readonly neededBy: string | undefined;
}

/** Every member that is a value by itself, at any depth. */
function membersIn(members: Members, above = '', needed: readonly Need[] = []): Member[] {
  return Object.entries(members).flatMap(([name, field]) => {
    const param = above + name;
    const shape = field.kind.shape(param);
    if (field.kind.members !== undefined && shape.is === 'object')
      return membersIn(field.kind.members, `${param}.`, shape.needs as readonly Need[]);
    const need = needed.find((one) => one.needed === name && one.whenever !== undefined);
    return [{ param, field, neededBy: need && above + need.whenever }];
  });
}

interface Need {
  readonly whenever?: string | undefined;
  readonly needed: string;
}

function bodyOf(param: string, value: Json): Body {
  return param.split('.').reduceRight<Json>((inside, name) => ({ [name]: inside }), value) as Body;
}

function stored(answer: Body, param: string): unknown {
  const all = { ...answer.public_data, ...answer };
  return param.split('.').reduce<Body | undefined>((at, name) => at?.[name], all);
}

/** Another value than the one that is there, where the kind has one. */
function otherFor({ field, param }: Member, record: Body): Json {
  const now = JSON.stringify(stored(record, param));
  const all = field.kind.samples().accepted.map(({ send }) => send);
  // Of two dates the later one stays the later one.
  const sent = /birth/.test(param) ? all.toSorted() : all;
  return sent.find((one) => JSON.stringify(one) !== now && one !== '') ?? (all[0] as Json);
}

for (const { path, full, parent } of examples) {
  const resource = resources.find((one) => one.path === path);
  assert.ok(resource);
  const { external_identifier: _, ...fields } = full;
  const members = membersIn({ ...resource.fields, ...resource.public_data });
  const byIdentifier = ({ unique_identifier: id }: Body, body: Body, query = '') =>
    stage.service.patch(`/v1/${path}/${id}?${query}`, body);
  const ways: Record<string, (record: Body, body: Body) => Promise<Answer>> = {
    'by identifier': byIdentifier,
    'by your own identifiers': ({ external_identifier }, body) => {
      const place = { [`${parent}_unique_identifier`]: stage.parents[parent], external_identifier };
      return stage.service.patch(`/v1/${path}?${new URLSearchParams(place)}`, body);
    },
    'as a form': ({ unique_identifier: id }, body) =>
      stage.service.patch(`/v1/${path}/${id}`, formOf(body), {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
  };

  describe(`One member of ${path} alone`, () => {
    for (const [way, patch] of Object.entries(ways)) {
      it(`is changed ${way}`, async () => {
        for (const member of members) {
          if (way === 'as a form' && typeof member.field.kind.schema.type !== 'string') continue;
          const record = await stage.made(path, `${way} ${member.param}`, fields);
          const value = otherFor(member, record);
          const answer = await patch(record, bodyOf(member.param, value));
          assert.equal(answer.status, 200, `${member.param}: ${answer.text}`);
          if (way !== 'as a form')
            assert.ok(stored(answer.body, member.param) !== undefined, member.param);
        }
      });

      it(`is emptied ${way}, where nothing that stays needs it`, async () => {
        for (const { param, field, neededBy } of members) {
          const record = await stage.made(path, `${way} ${param}`, fields);
          const empty = way === 'as a form' ? '' : null;
          const answer = await patch(record, bodyOf(param, empty));
          if (field.required || neededBy !== undefined) {
            refused(answer, 400, 'parameter_missing', param);
            continue;
          }
          assert.equal(answer.status, 200, `${param}: ${answer.text}`);
          assert.equal(stored(answer.body, param), undefined, param);
        }
      });
    }

    it('is changed in a rehearsal as it would be stored', async () => {
      for (const member of members) {
        const record = await stage.made(path, `rehearsal ${member.param}`, fields);
        const body = bodyOf(member.param, otherFor(member, record));
        const rehearsed = await byIdentifier(record, body, 'dry_run=true');
        const answer = await byIdentifier(record, body);
        assert.deepEqual([rehearsed.status, answer.status], [200, 200], rehearsed.text);
        if (outcomeOf(answer) === 'updated')
          assert.deepEqual(stored(rehearsed.body, member.param), stored(answer.body, member.param));
      }
    });

    it('is refused where the record would be left without what it needs beside it', async () => {
      for (const { param, field } of members) {
        const [object = '', inside] = param.split('.');
        if (inside === undefined) continue;
        const record = await stage.made(path, `bare ${param}`, { [object]: null });
        if (stored(record, object) !== undefined) continue;
        const value = field.kind.samples().accepted[0]?.send as Json;
        const answer = await byIdentifier(record, bodyOf(param, value));
        const needed = members.find(
          (one) =>
            one.param !== param &&
            one.param.startsWith(`${object}.`) &&
            (one.field.required || one.neededBy === param),
        );
        if (needed === undefined) assert.equal(answer.status, 200, answer.text);
        else refused(answer, 400, 'parameter_missing', needed.param);
      }
    });

    it('does not change what an upsert needs', async () => {
      for (const { param, field } of members) {
        const [object = '', inside] = param.split('.');
        if (inside === undefined || field.required) continue;
        const needed = members.filter(
          (one) =>
            one.param.startsWith(`${object}.`) &&
            one.param !== param &&
            (one.field.required || one.neededBy === param),
        );
        await stage.made(path, `upsert ${param}`, fields);
        const value = field.kind.samples().accepted[0]?.send as Json;
        const answer = await stage.upsert(path, {
          as: `upsert ${param}`,
          json: bodyOf(param, value),
        });
        const [first] = needed;
        if (first === undefined) assert.equal(answer.status, 200, answer.text);
        else refused(answer, 400, 'parameter_missing', first.param);
      }
    });
  });
}
