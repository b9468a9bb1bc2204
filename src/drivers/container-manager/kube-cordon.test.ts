import { beforeEach, describe, expect, test } from 'vitest';
import { driverMemory } from '../../../test/harness/driver-memory.ts';
import { kubeLab } from '../../../test/harness/pretend-kubernetes/kube-lab.ts';
import type { KubeObject } from '../../../test/harness/pretend-kubernetes/objects.ts';
import { fieldsAt } from '../../../test/harness/pretend-kubernetes/objects.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { cordonMark } from '../../domain/rolling/cordon-mark.ts';
import { CORDON_ANNOTATION } from './kube-cordon.ts';
import { kubeNodes } from './kube-nodes.ts';

const NODE = '127.0.0.1' as Address;
const [MARK, LATER] = [cordonMark('one', 1), cordonMark('two', 1)];
const PATCH = { method: 'PATCH', path: '/api/v1/nodes/node-1' };
const lab = kubeLab();

const open = () => kubeNodes(lab().api(), driverMemory());
const patches = () =>
  lab()
    .asked()
    .filter(line => line.startsWith('PATCH'));

/** Somebody else changes the node. */
const change = (how: { unschedulable: boolean; mark?: string; writtenBy?: string }) =>
  lab().server.change('nodes', 'node-1', (node: KubeObject) => {
    node['spec'] = how.unschedulable ? { unschedulable: true } : {};
    node.metadata.annotations = how.mark === undefined ? {} : { [CORDON_ANNOTATION]: how.mark };
    const fieldsV1 = { 'f:spec': { 'f:unschedulable': {} } };
    node.metadata['managedFields'] = [
      { manager: 'kubelet', fieldsV1: { 'f:metadata': {} } },
      ...(how.writtenBy === undefined ? [] : [{ manager: how.writtenBy, fieldsV1 }]),
    ];
  });

/** As the server keeps it. */
function kept() {
  const node = lab().server.object('nodes', 'node-1');
  return {
    isUnschedulable: fieldsAt(node, 'spec')['unschedulable'] === true,
    mark: node?.metadata.annotations?.[CORDON_ANNOTATION],
  };
}

beforeEach(() => {
  lab().server.kubelet('node-1', { address: NODE, annotations: { theirs: 'kept' } });
});

describe('a cordon', () => {
  test.each<[state: string, how: Parameters<typeof change>[0], answer: string, mark: string | undefined]>([
    ['is schedulable', { unschedulable: false }, 'cordoned', MARK],
    [
      'was made schedulable by hand under an old mark',
      { unschedulable: false, mark: LATER },
      'cordoned',
      MARK,
    ],
    ['has an older mark of ours', { unschedulable: true, mark: LATER }, 'cordoned', MARK],
    ['has no mark', { unschedulable: true }, 'foreign', undefined],
    ['has a mark of others', { unschedulable: true, mark: 'kured' }, 'foreign', 'kured'],
    [
      'has an older mark of ours, and is cordoned by us',
      { unschedulable: true, mark: LATER, writtenBy: 'hostler' },
      'cordoned',
      MARK,
    ],
    [
      'people have cordoned since under an older mark of ours',
      { unschedulable: true, mark: LATER, writtenBy: 'kubectl-cordon' },
      'foreign',
      undefined,
    ],
    [
      'people have cordoned since under this mark',
      { unschedulable: true, mark: MARK, writtenBy: 'kubectl-cordon' },
      'foreign',
      undefined,
    ],
  ])('of a node that %s', async (_state, how, answer, mark) => {
    change(how);
    expect(await open().cordon(NODE, MARK)).toBe(answer);
    expect(kept()).toEqual({ isUnschedulable: true, mark });
  });

  test('is one write that names the version of the node, and leaves what others wrote', async () => {
    await open().cordon(NODE, MARK);
    const [write] = lab().server.requests.filter(({ method }) => method === 'PATCH');
    expect(write).toMatchObject({
      query: { fieldManager: 'hostler' },
      contentType: 'application/merge-patch+json',
      body: {
        metadata: {
          resourceVersion: expect.stringMatching(/^\d+$/),
          annotations: { [CORDON_ANNOTATION]: MARK },
        },
        spec: { unschedulable: true },
      },
    });
    expect(lab().server.object('nodes', 'node-1')?.metadata.annotations).toMatchObject({ theirs: 'kept' });
    await open().cordon(NODE, MARK);
    expect(patches()).toHaveLength(1);
  });

  test('is tried again when the node has changed in between', async () => {
    lab().server.before(PATCH, () => lab().server.reboot('node-1', 'another'));
    expect(await open().cordon(NODE, MARK)).toBe('cordoned');
    expect(patches()).toEqual(['PATCH /api/v1/nodes/node-1 409', 'PATCH /api/v1/nodes/node-1 200']);
  });

  test('is given up when the node changes all the time', async () => {
    lab().server.before(PATCH, () => lab().server.reboot('node-1', crypto.randomUUID()), 100);
    await expect(open().cordon(NODE, MARK)).rejects.toThrow(/other clients keep changing it/);
    expect(patches()).toHaveLength(5);
  });

  test('is left to people who were faster', async () => {
    lab().server.before(PATCH, () => void change({ unschedulable: true }));
    expect(await open().cordon(NODE, MARK)).toBe('foreign');
    expect(kept().mark).toBeUndefined();
  });

  test('is told of a node that is gone at that moment', async () => {
    lab().server.before(PATCH, () => lab().server.remove('nodes', 'node-1'));
    await expect(open().cordon(NODE, MARK)).rejects.toThrow(`${NODE} is not a node of ${lab().server.url}`);
  });
});

test.each([
  ['hostler', MARK],
  ['kubectl-cordon', ''],
])('a cordon that %s has written under our mark is reported as that of %j', async (writtenBy, cordonedBy) => {
  change({ unschedulable: true, mark: MARK, writtenBy });
  expect(await open().report(NODE)).toMatchObject({ schedulable: false, cordonedBy });
});

describe('the end of a cordon', () => {
  test.each<[state: string, how: Parameters<typeof change>[0], answer: string, mark: string | undefined]>([
    ['has our mark', { unschedulable: true, mark: MARK }, 'uncordoned', undefined],
    ['is schedulable', { unschedulable: false }, 'uncordoned', undefined],
    ['was made schedulable by hand', { unschedulable: false, mark: MARK }, 'uncordoned', undefined],
    ['is schedulable under another mark', { unschedulable: false, mark: LATER }, 'uncordoned', undefined],
    ['is schedulable under a mark of others', { unschedulable: false, mark: 'kured' }, 'uncordoned', 'kured'],
    [
      'people have cordoned since',
      { unschedulable: true, mark: MARK, writtenBy: 'kubectl-cordon' },
      'not_ours',
      undefined,
    ],
    ['has another mark of ours', { unschedulable: true, mark: LATER }, 'not_ours', LATER],
    ['has no mark', { unschedulable: true }, 'not_ours', undefined],
  ])('of a node that %s', async (_state, how, answer, mark) => {
    change(how);
    expect(await open().uncordon(NODE, MARK)).toBe(answer);
    expect(kept()).toEqual({ isUnschedulable: answer === 'not_ours', mark });
  });

  test.each([
    ['another operation', { unschedulable: true, mark: LATER }],
    ['people', { unschedulable: true }],
  ])('does not come when %s takes the node over between read and write', async (_who, how) => {
    await open().cordon(NODE, MARK);
    lab().server.before(PATCH, () => void change(how));
    expect(await open().uncordon(NODE, MARK)).toBe('not_ours');
    expect(kept()).toMatchObject({ isUnschedulable: true });
    expect(patches().at(-1)).toBe('PATCH /api/v1/nodes/node-1 409');
  });

  test('is not ours to make of a node that is gone at that moment', async () => {
    await open().cordon(NODE, MARK);
    lab().server.before(PATCH, () => lab().server.remove('nodes', 'node-1'));
    expect(await open().uncordon(NODE, MARK)).toBe('not_ours');
  });
});
