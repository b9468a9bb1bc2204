import { describe, expect, test } from 'vitest';
import { checkConfig, toFlannelConfig } from './flannel-config.ts';

const KEY = '/net/config';

test.each<[Parameters<typeof toFlannelConfig>[0] & object, object]>([
  [{}, {}],
  [{ network: '10.1.0.0/16' }, { Network: '10.1.0.0/16' }],
  [
    { network: '10.1.0.0/16', backend: 'vxlan' },
    { Network: '10.1.0.0/16', Backend: { Type: 'vxlan' } },
  ],
  [{ backend: { Type: 'vxlan', VNI: 7 } }, { Backend: { Type: 'vxlan', VNI: 7 } }],
])('toFlannelConfig for the options %j returns %j', (options, configuration) => {
  expect(toFlannelConfig(options)).toEqual(configuration);
});

describe('checkConfig', () => {
  test.each([
    ['the same values', '{"Network":"10.1.0.0/16"}'],
    ['the same network in another notation', ' { "Network" : "10.1.9.9/16" } '],
    ['additional fields', '{"Network":"10.1.0.0/16","SubnetLen":28,"Backend":{"Type":"udp"}}'],
  ])('accepts a stored configuration with %s', (_label, stored) => {
    expect(checkConfig(KEY, stored, { Network: '10.1.0.0/16' })).toBeUndefined();
  });

  test.each([
    ['the expected type', '{"Network":"10.1.0.0/16","Backend":{"Type":"vxlan","VNI":1}}', { Type: 'vxlan' }],
    ['the default type', '{"Network":"10.1.0.0/16"}', { Type: 'udp' }],
    ['all expected fields', '{"Network":"10.1.0.0/16","Backend":{"VNI":7,"Type":"vxlan"}}', { Type: 'vxlan', VNI: 7 }],
  ])('accepts a stored backend with %s', (_label, stored, Backend) => {
    expect(checkConfig(KEY, stored, { Backend })).toBeUndefined();
  });

  test.each([
    ['another network', '{"Network":"10.2.0.0/16","Backend":{"Type":"vxlan"}}'],
    ['another prefix length', '{"Network":"10.1.0.0/17","Backend":{"Type":"vxlan"}}'],
    ['another backend', '{"Network":"10.1.0.0/16","Backend":{"Type":"host-gw"}}'],
    ['the default backend', '{"Network":"10.1.0.0/16"}'],
    ['an invalid backend', '{"Network":"10.1.0.0/16","Backend":"vxlan"}'],
    ['no network', '{"Backend":{"Type":"vxlan"}}'],
    ['a list instead of an object', '[1]'],
    ['invalid JSON', 'Network'],
  ])('reports the stored and the expected configuration if the stored one has %s', (_label, stored) => {
    const expected = { Network: '10.1.0.0/16', Backend: { Type: 'vxlan' } };
    expect(checkConfig(KEY, stored, expected)).toBe(
      `the configuration at /net/config in etcd is ${stored}, but the record has {"Network":"10.1.0.0/16","Backend":{"Type":"vxlan"}}; Hostler does not overwrite it: change the record, or set another prefix`,
    );
  });

  test('reports a missing configuration only if the record has no network', () => {
    expect(checkConfig(KEY, undefined, { Network: '10.1.0.0/16' })).toBeUndefined();
    expect(checkConfig(KEY, undefined, {})).toBe('etcd has no configuration at /net/config; set the option network');
  });
});
