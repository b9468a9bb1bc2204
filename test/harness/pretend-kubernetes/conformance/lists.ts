import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../objects.ts';
import { at, fieldsAt, listAt, textAt } from '../objects.ts';
import type { ApiLab } from './api-lab.ts';
import { versionOf } from './api-lab.ts';

export function describeLists(lab: ApiLab): void {
  const { ask, make, runPod, run, node, pods, secrets } = lab;

  describe('a list', () => {
    const names = ['a', 'b', 'c'].map(letter => `${run}-${letter}`);
    const nameOf = (item: Json) => textAt(item, 'metadata', 'name');
    const page = async (query: string) => {
      const { body } = await ask('GET', `${secrets}?labelSelector=list%3D${run}&${query}`);
      return { body, names: listAt(body, 'items').map(nameOf) };
    };

    beforeAll(async () => {
      for (const name of names) await make(secrets, { metadata: { name, labels: { list: run } } });
    });

    test('has a version, and items without kinds', async () => {
      const { body } = await page('');
      expect([body['kind'], body['apiVersion']]).toEqual(['SecretList', 'v1']);
      expect(Number(versionOf(body))).toBeGreaterThan(0);
      expect(Object.keys(fieldsAt(listAt(body, 'items')[0]))).not.toContain('kind');
    });

    test('comes in pages that all show the same moment', async () => {
      const first = await page('limit=2');
      expect(first.names).toEqual(names.slice(0, 2));
      await make(secrets, { metadata: { name: `${run}-bb`, labels: { list: run } } });
      const token = encodeURIComponent(textAt(first.body, 'metadata', 'continue'));
      const second = await page(`limit=2&continue=${token}`);
      expect(second.names).toEqual(names.slice(2));
      expect(versionOf(second.body)).toBe(versionOf(first.body));
      expect(at(second.body, 'metadata', 'continue')).toBe(undefined);
      await ask('DELETE', `${secrets}/${run}-bb`);
    });

    test.each([
      ['labelSelector', `list=${run}`, 3],
      ['labelSelector', `list!=${run},list`, 0],
      ['labelSelector', `list in (${run},other)`, 3],
      ['labelSelector', `list notin (${run}),list`, 0],
      ['labelSelector', '!list', 0],
      ['fieldSelector', `metadata.name=${run}-a`, 1],
      ['fieldSelector', `metadata.name!=${run}-a`, 2],
    ])('is selected by %s %s', async (kind, selector, count) => {
      const { body } = await ask('GET', `${secrets}?${kind}=${encodeURIComponent(selector)}`);
      expect(
        listAt(body, 'items')
          .map(nameOf)
          .filter(name => names.includes(name)),
      ).toHaveLength(count);
    });

    test('of pods is selected by their node, over all namespaces', async () => {
      await runPod('somewhere');
      const { body } = await ask('GET', `/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`);
      expect(listAt(body, 'items').map(nameOf)).toEqual(['somewhere']);
      await ask('DELETE', `${pods}/somewhere`, { gracePeriodSeconds: 0 });
    });
  });
}
