import { describe, expect, test } from 'vitest';
import { checkConfig, toFlannelConfig } from './flannel-config.ts';

const KEY = '/net/config';

test.each([
  [{}, {}],
  [{ network: '10.1.0.0/16' }, { Network: '10.1.0.0/16' }],
  [
    { network: '10.1.0.0/16', backend: 'vxlan' },
    { Network: '10.1.0.0/16', Backend: { Type: 'vxlan' } },
  ],
  [{ backend: { Type: 'vxlan', VNI: 7 } }, { Backend: { Type: 'vxlan', VNI: 7 } }],
  [{ prefix: '/net', endpoints: ['http://etcd'] }, {}],
])('the options %j say %j', (options, configuration) => {
  expect(toFlannelConfig(options)).toEqual(configuration);
});

describe('what is in etcd', () => {
  test.each([
    ['the same', '{"Network":"10.1.0.0/16"}'],
    ['the same in other words', ' { "Network" : "10.1.9.9/16" } '],
    ['more than we say', '{"Network":"10.1.0.0/16","SubnetLen":28,"Backend":{"Type":"udp"}}'],
  ])('agrees when it says %s', (_what, stored) => {
    expect(checkConfig(KEY, stored, { Network: '10.1.0.0/16' })).toBeUndefined();
  });

  test.each([
    [
      'the type that is asked for',
      '{"Network":"10.1.0.0/16","Backend":{"Type":"vxlan","VNI":1}}',
      { Type: 'vxlan' },
    ],
    ['what flannel takes by itself', '{"Network":"10.1.0.0/16"}', { Type: 'udp' }],
    [
      'all that is asked for',
      '{"Network":"10.1.0.0/16","Backend":{"VNI":7,"Type":"vxlan"}}',
      { Type: 'vxlan', VNI: 7 },
    ],
  ])('agrees when its backend has %s', (_what, stored, Backend) => {
    expect(checkConfig(KEY, stored, { Backend })).toBeUndefined();
  });

  test.each([
    ['another network', '{"Network":"10.2.0.0/16","Backend":{"Type":"vxlan"}}'],
    ['another size', '{"Network":"10.1.0.0/17","Backend":{"Type":"vxlan"}}'],
    ['another backend', '{"Network":"10.1.0.0/16","Backend":{"Type":"host-gw"}}'],
    ['the standard backend', '{"Network":"10.1.0.0/16"}'],
    ['a backend that is none', '{"Network":"10.1.0.0/16","Backend":"vxlan"}'],
    ['no network', '{"Backend":{"Type":"vxlan"}}'],
    ['no object', '[1]'],
    ['no JSON', 'Network'],
  ])('is told, beside what the record says, when it is %s', (_what, stored) => {
    const expected = { Network: '10.1.0.0/16', Backend: { Type: 'vxlan' } };
    expect(checkConfig(KEY, stored, expected)).toBe(
      `the configuration at /net/config in etcd is ${stored}, but the record has {"Network":"10.1.0.0/16","Backend":{"Type":"vxlan"}}; Hostler does not overwrite it: change the record, or set another prefix`,
    );
  });

  test('is missing, which only matters when the record does not say what to write', () => {
    expect(checkConfig(KEY, undefined, { Network: '10.1.0.0/16' })).toBeUndefined();
    expect(checkConfig(KEY, undefined, {})).toBe(
      'etcd has no configuration at /net/config; set the option network',
    );
  });
});
