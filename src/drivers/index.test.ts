import { describe, expect, test } from 'vitest';
import { DRIVER_RECORD_KINDS } from '../domain/vocabulary.ts';
import { drivers } from './index.ts';
import type { RecordDriver } from './record-driver.ts';

describe('driver registry', () => {
  test('contains the documented types in order', () => {
    expect(drivers.network.map(({ type }) => type)).toEqual(['none', 'flannel_etcd', 'flannel_kube', 'flannel_server']);
    expect(drivers.container_manager.map(({ type }) => type)).toEqual([
      'kubernetes',
      'openshift',
      'k3s',
      'swarm',
      'trivial',
    ]);
    expect(drivers.host_source.map(({ type }) => type)).toEqual(['kubernetes', 'etcd', 'http', 'file']);
  });

  test.each(DRIVER_RECORD_KINDS)('contains each %s type once', kind => {
    const types = drivers[kind].map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
  });

  test('marks only tokens as secret', () => {
    const secrets = DRIVER_RECORD_KINDS.flatMap((kind): readonly RecordDriver[] => drivers[kind]).flatMap(
      ({ type, options }) =>
        Object.entries(options.properties)
          .filter(([, schema]) => 'secret' in schema)
          .map(([option]) => `${type} ${option}`),
    );
    expect(secrets).toEqual(['kubernetes token', 'openshift token', 'k3s token', 'k3s api_token']);
  });
});
