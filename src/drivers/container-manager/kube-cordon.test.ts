import { beforeEach, describe, expect, test } from 'vitest';
import { driverMemory } from '../../../test/harness/driver-memory.ts';
import { kubeLab } from '../../../test/harness/pretend-kubernetes/kube-lab.ts';
import type { KubeObject } from '../../../test/harness/pretend-kubernetes/objects.ts';
import { fieldsAt } from '../../../test/harness/pretend-kubernetes/objects.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { cordonOwner } from '../../domain/rollout/operation-host.ts';
import { CORDON_ANNOTATION } from './kube-cordon.ts';
import { createKubeNodes } from './kube-nodes.ts';

const NODE = '127.0.0.1' as Address;
const [OWNER, LATER_OWNER] = [cordonOwner('one', 1), cordonOwner('two', 1)];
const PATCH = { method: 'PATCH', path: '/api/v1/nodes/node-1' };
const fixture = kubeLab();

const open = () => createKubeNodes(fixture().api(), driverMemory());
const patches = () =>
  fixture()
    .asked()
    .filter(line => line.startsWith('PATCH'));

/** Somebody else changes the node. */
const change = (how: { unschedulable: boolean; owner?: string; writtenBy?: string }) =>
  fixture().server.change('nodes', 'node-1', (node: KubeObject) => {
    node['spec'] = how.unschedulable ? { unschedulable: true } : {};
    node.metadata.annotations = how.owner === undefined ? {} : { [CORDON_ANNOTATION]: how.owner };
    const fieldsV1 = { 'f:spec': { 'f:unschedulable': {} } };
    node.metadata['managedFields'] = [
      { manager: 'kubelet', fieldsV1: { 'f:metadata': {} } },
      ...(how.writtenBy === undefined ? [] : [{ manager: how.writtenBy, fieldsV1 }]),
    ];
  });

/** As the server keeps it. */
function currentNode() {
  const node = fixture().server.object('nodes', 'node-1');
  return {
    isUnschedulable: fieldsAt(node, 'spec')['unschedulable'] === true,
    mark: node?.metadata.annotations?.[CORDON_ANNOTATION],
  };
}

beforeEach(() => {
  fixture().server.kubelet('node-1', { address: NODE, annotations: { theirs: 'kept' } });
});

describe('a cordon', () => {
  test.each<[state: string, how: Parameters<typeof change>[0], answer: string, mark: string | undefined]>([
    ['is schedulable', { unschedulable: false }, 'cordoned', OWNER],
    [
      'was made schedulable by hand under an old mark',
      { unschedulable: false, owner: LATER_OWNER },
      'cordoned',
      OWNER,
    ],
    ['has an older mark of ours', { unschedulable: true, owner: LATER_OWNER }, 'cordoned', OWNER],
    ['has no mark', { unschedulable: true }, 'cordoned_by_other', undefined],
    ['has a mark of others', { unschedulable: true, owner: 'kured' }, 'cordoned_by_other', 'kured'],
    [
      'has an older mark of ours, and is cordoned by us',
      { unschedulable: true, owner: LATER_OWNER, writtenBy: 'hostler' },
      'cordoned',
      OWNER,
    ],
    [
      'people have cordoned since under an older mark of ours',
      { unschedulable: true, owner: LATER_OWNER, writtenBy: 'kubectl-cordon' },
      'cordoned_by_other',
      undefined,
    ],
    [
      'people have cordoned since under this mark',
      { unschedulable: true, owner: OWNER, writtenBy: 'kubectl-cordon' },
      'cordoned_by_other',
      undefined,
    ],
  ])('of a node that %s', async (_state, how, answer, mark) => {
    change(how);
    expect(await open().cordon(NODE, OWNER)).toBe(answer);
    expect(currentNode()).toEqual({ isUnschedulable: true, mark });
  });

  test('is one write that names the version of the node, and leaves what others wrote', async () => {
    await open().cordon(NODE, OWNER);
    const [write] = fixture().server.requests.filter(({ method }) => method === 'PATCH');
    expect(write).toMatchObject({
      query: { fieldManager: 'hostler' },
      contentType: 'application/merge-patch+json',
      body: {
        metadata: {
          resourceVersion: expect.stringMatching(/^\d+$/),
          annotations: { [CORDON_ANNOTATION]: OWNER },
        },
        spec: { unschedulable: true },
      },
    });
    expect(fixture().server.object('nodes', 'node-1')?.metadata.annotations).toMatchObject({
      theirs: 'kept',
    });
    await open().cordon(NODE, OWNER);
    expect(patches()).toHaveLength(1);
  });

  test('is tried again when the node has changed in between', async () => {
    fixture().server.before(PATCH, () => fixture().server.reboot('node-1', 'another'));
    expect(await open().cordon(NODE, OWNER)).toBe('cordoned');
    expect(patches()).toEqual(['PATCH /api/v1/nodes/node-1 409', 'PATCH /api/v1/nodes/node-1 200']);
  });

  test('is given up when the node changes all the time', async () => {
    fixture().server.before(PATCH, () => fixture().server.reboot('node-1', crypto.randomUUID()), 100);
    await expect(open().cordon(NODE, OWNER)).rejects.toThrow(/other clients keep changing it/);
    expect(patches()).toHaveLength(5);
  });

  test('is left to people who were faster', async () => {
    fixture().server.before(PATCH, () => void change({ unschedulable: true }));
    expect(await open().cordon(NODE, OWNER)).toBe('cordoned_by_other');
    expect(currentNode().mark).toBeUndefined();
  });

  test('is told of a node that is gone at that moment', async () => {
    fixture().server.before(PATCH, () => fixture().server.remove('nodes', 'node-1'));
    await expect(open().cordon(NODE, OWNER)).rejects.toThrow(
      `${NODE} is not a node of ${fixture().server.url}`,
    );
  });
});

test.each([
  ['hostler', OWNER],
  ['kubectl-cordon', ''],
])('a cordon that %s has written under our mark is reported as that of %j', async (writtenBy, cordonedBy) => {
  change({ unschedulable: true, owner: OWNER, writtenBy });
  expect(await open().report(NODE)).toMatchObject({ schedulable: false, cordonedBy });
});

describe('the end of a cordon', () => {
  test.each<[state: string, how: Parameters<typeof change>[0], answer: string, mark: string | undefined]>([
    ['has our mark', { unschedulable: true, owner: OWNER }, 'uncordoned', undefined],
    ['is schedulable', { unschedulable: false }, 'uncordoned', undefined],
    ['was made schedulable by hand', { unschedulable: false, owner: OWNER }, 'uncordoned', undefined],
    [
      'is schedulable under another mark',
      { unschedulable: false, owner: LATER_OWNER },
      'uncordoned',
      undefined,
    ],
    [
      'is schedulable under a mark of others',
      { unschedulable: false, owner: 'kured' },
      'uncordoned',
      'kured',
    ],
    [
      'people have cordoned since',
      { unschedulable: true, owner: OWNER, writtenBy: 'kubectl-cordon' },
      'not_owner',
      undefined,
    ],
    ['has another mark of ours', { unschedulable: true, owner: LATER_OWNER }, 'not_owner', LATER_OWNER],
    ['has no mark', { unschedulable: true }, 'not_owner', undefined],
  ])('of a node that %s', async (_state, how, answer, mark) => {
    change(how);
    expect(await open().uncordon(NODE, OWNER)).toBe(answer);
    expect(currentNode()).toEqual({ isUnschedulable: answer === 'not_owner', mark });
  });

  test.each([
    ['another operation', { unschedulable: true, mark: LATER_OWNER }],
    ['people', { unschedulable: true }],
  ])('does not come when %s takes the node over between read and write', async (_who, how) => {
    await open().cordon(NODE, OWNER);
    fixture().server.before(PATCH, () => void change(how));
    expect(await open().uncordon(NODE, OWNER)).toBe('not_owner');
    expect(currentNode()).toMatchObject({ isUnschedulable: true });
    expect(patches().at(-1)).toBe('PATCH /api/v1/nodes/node-1 409');
  });

  test('is not ours to make of a node that is gone at that moment', async () => {
    await open().cordon(NODE, OWNER);
    fixture().server.before(PATCH, () => fixture().server.remove('nodes', 'node-1'));
    expect(await open().uncordon(NODE, OWNER)).toBe('not_owner');
  });
});
