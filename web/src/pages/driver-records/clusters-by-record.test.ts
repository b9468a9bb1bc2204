import { expect, test } from 'vitest';
import { clustersByRecord } from './clusters-by-record.ts';

const CLUSTERS = [
  { name: 'edge', network: 'default', container_manager: '' },
  { name: 'web', network: 'default', container_manager: 'kube' },
];

test('clustersByRecord groups clusters by network', () => {
  expect([...clustersByRecord('network', CLUSTERS)]).toEqual([['default', ['edge', 'web']]]);
});

test('clustersByRecord groups clusters by container manager', () => {
  expect(clustersByRecord('container_manager', CLUSTERS).get('kube')).toEqual(['web']);
});
