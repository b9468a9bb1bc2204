import { beforeEach, describe, expect, test } from 'vitest';
import { driverMemory } from '../../../test/harness/driver-contexts.ts';
import { kubernetesFixture } from '../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import type { KubeObject } from '../../../test/harness/fake-kubernetes/objects.ts';
import { fieldsAt } from '../../../test/harness/fake-kubernetes/objects.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { cordonOwner } from '../../domain/rollout/operation-host.ts';
import { CORDON_ANNOTATION } from './kube-cordon.ts';
import { createKubeNodes } from './kube-nodes.ts';

const NODE = '127.0.0.1' as Address;
const [OWNER, LATER_OWNER] = [cordonOwner('op', 1), cordonOwner('later', 1)];
const PATCH = { method: 'PATCH', path: '/api/v1/nodes/node-1' };
const fixture = kubernetesFixture();

const open = () => createKubeNodes(fixture().createClient(), driverMemory());
const patches = () =>
  fixture()
    .requestLines()
    .filter(line => line.startsWith('PATCH'));

/** Changes the node as another client. */
const change = (spec: { unschedulable: boolean; owner?: string; writtenBy?: string }) =>
  fixture().server.change('nodes', 'node-1', (node: KubeObject) => {
    node['spec'] = spec.unschedulable ? { unschedulable: true } : {};
    node.metadata.annotations = spec.owner === undefined ? {} : { [CORDON_ANNOTATION]: spec.owner };
    const fieldsV1 = { 'f:spec': { 'f:unschedulable': {} } };
    node.metadata['managedFields'] = [
      { manager: 'kubelet', fieldsV1: { 'f:metadata': {} } },
      ...(spec.writtenBy === undefined ? [] : [{ manager: spec.writtenBy, fieldsV1 }]),
    ];
  });

function currentNode() {
  const node = fixture().server.object('nodes', 'node-1');
  return {
    isUnschedulable: fieldsAt(node, 'spec')['unschedulable'] === true,
    owner: node?.metadata.annotations?.[CORDON_ANNOTATION],
  };
}

beforeEach(() => {
  fixture().server.kubelet('node-1', { address: NODE, annotations: { other: 'kept' } });
});

describe('cordon of a Kubernetes node', () => {
  test.each<[state: string, spec: Parameters<typeof change>[0], expected: string, owner: string | undefined]>([
    ['is schedulable', { unschedulable: false }, 'cordoned', OWNER],
    [
      'was uncordoned by an administrator and has an old owner',
      { unschedulable: false, owner: LATER_OWNER },
      'cordoned',
      OWNER,
    ],
    ['has an older Hostler owner', { unschedulable: true, owner: LATER_OWNER }, 'cordoned', OWNER],
    ['is cordoned without an owner', { unschedulable: true }, 'cordoned_by_other', undefined],
    ['is cordoned by another tool', { unschedulable: true, owner: 'kured' }, 'cordoned_by_other', 'kured'],
    [
      'has an older Hostler owner and a cordon written by Hostler',
      { unschedulable: true, owner: LATER_OWNER, writtenBy: 'hostler' },
      'cordoned',
      OWNER,
    ],
    [
      'others have cordoned while an older Hostler owner remained',
      { unschedulable: true, owner: LATER_OWNER, writtenBy: 'kubectl-cordon' },
      'cordoned_by_other',
      undefined,
    ],
    [
      'others have cordoned while this owner remained',
      { unschedulable: true, owner: OWNER, writtenBy: 'kubectl-cordon' },
      'cordoned_by_other',
      undefined,
    ],
  ])('returns $2 for a node that %s', async (_state, spec, expected, owner) => {
    change(spec);
    expect(await open().cordon(NODE, OWNER)).toBe(expected);
    expect(currentNode()).toEqual({ isUnschedulable: true, owner });
  });

  test('makes one write with the resource version and keeps other annotations', async () => {
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
      other: 'kept',
    });
    await open().cordon(NODE, OWNER);
    expect(patches()).toHaveLength(1);
  });

  test('retries when the node changes between read and write', async () => {
    fixture().server.before(PATCH, () => fixture().server.reboot('node-1', 'another'));
    expect(await open().cordon(NODE, OWNER)).toBe('cordoned');
    expect(patches()).toEqual(['PATCH /api/v1/nodes/node-1 409', 'PATCH /api/v1/nodes/node-1 200']);
  });

  test('fails after five conflicts', async () => {
    fixture().server.before(PATCH, () => fixture().server.reboot('node-1', crypto.randomUUID()), 100);
    await expect(open().cordon(NODE, OWNER)).rejects.toThrow(/other clients keep changing it/);
    expect(patches()).toHaveLength(5);
  });

  test('returns cordoned_by_other when others cordon the node first', async () => {
    fixture().server.before(PATCH, () => void change({ unschedulable: true }));
    expect(await open().cordon(NODE, OWNER)).toBe('cordoned_by_other');
    expect(currentNode().owner).toBeUndefined();
  });

  test('throws when the node is deleted between read and write', async () => {
    fixture().server.before(PATCH, () => fixture().server.remove('nodes', 'node-1'));
    await expect(open().cordon(NODE, OWNER)).rejects.toThrow(`${NODE} is not a node of ${fixture().server.url}`);
  });
});

test.each([
  ['hostler', OWNER],
  ['kubectl-cordon', ''],
])('report of a cordon with a Hostler annotation, written by %s, has the owner %j', async (writtenBy, cordonedBy) => {
  change({ unschedulable: true, owner: OWNER, writtenBy });
  expect(await open().report(NODE)).toMatchObject({ schedulable: false, cordonedBy });
});

describe('uncordon of a Kubernetes node', () => {
  test.each<[state: string, spec: Parameters<typeof change>[0], expected: string, owner: string | undefined]>([
    ['is cordoned by this owner', { unschedulable: true, owner: OWNER }, 'uncordoned', undefined],
    ['is schedulable', { unschedulable: false }, 'uncordoned', undefined],
    ['was uncordoned by an administrator', { unschedulable: false, owner: OWNER }, 'uncordoned', undefined],
    [
      'is schedulable and has another Hostler owner',
      { unschedulable: false, owner: LATER_OWNER },
      'uncordoned',
      undefined,
    ],
    [
      'is schedulable and has an owner of another tool',
      { unschedulable: false, owner: 'kured' },
      'uncordoned',
      'kured',
    ],
    [
      'others have cordoned since',
      { unschedulable: true, owner: OWNER, writtenBy: 'kubectl-cordon' },
      'not_owner',
      undefined,
    ],
    ['is cordoned by another Hostler owner', { unschedulable: true, owner: LATER_OWNER }, 'not_owner', LATER_OWNER],
    ['is cordoned without an owner', { unschedulable: true }, 'not_owner', undefined],
  ])('returns $2 for a node that %s', async (_state, spec, expected, owner) => {
    change(spec);
    expect(await open().uncordon(NODE, OWNER)).toBe(expected);
    expect(currentNode()).toEqual({ isUnschedulable: expected === 'not_owner', owner });
  });

  test.each([
    ['another operation', { unschedulable: true, owner: LATER_OWNER }],
    ['an administrator', { unschedulable: true }],
  ])('returns not_owner when %s takes over the node between read and write', async (_actor, spec) => {
    await open().cordon(NODE, OWNER);
    fixture().server.before(PATCH, () => void change(spec));
    expect(await open().uncordon(NODE, OWNER)).toBe('not_owner');
    expect(currentNode()).toMatchObject({ isUnschedulable: true });
    expect(patches().at(-1)).toBe('PATCH /api/v1/nodes/node-1 409');
  });

  test('returns not_owner when the node is deleted between read and write', async () => {
    await open().cordon(NODE, OWNER);
    fixture().server.before(PATCH, () => fixture().server.remove('nodes', 'node-1'));
    expect(await open().uncordon(NODE, OWNER)).toBe('not_owner');
  });
});
