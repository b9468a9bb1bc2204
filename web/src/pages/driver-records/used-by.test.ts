import { expect, it } from 'vitest';
import { usedBy } from './used-by.ts';

const CLUSTERS = [
  { name: 'edge', network: 'default', container_manager: '' },
  { name: 'web', network: 'default', container_manager: 'kube' },
];

it('tells which clusters use a network', () => {
  expect([...usedBy('network', CLUSTERS)]).toEqual([['default', ['edge', 'web']]]);
});

it('tells which clusters use a container manager', () => {
  expect(usedBy('container_manager', CLUSTERS).get('kube')).toEqual(['web']);
});
